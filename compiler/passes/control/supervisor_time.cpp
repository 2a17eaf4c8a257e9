#include "compiler/passes/control/supervisor_time.h"

#include <algorithm>

#include "rtl/spec/register_use.h"

namespace tessera::compiler {
namespace {

constexpr std::uint64_t kDepth = 6;  // cycles until an instruction's effect is seen

}  // namespace

void SupervisorTime::issue(std::uint32_t word) {
  const spec::Opcode opcode = spec::decode(word);
  const spec::RegisterUse use = spec::register_use(opcode);
  const bool serialises = spec::serialises(spec::info(opcode));
  std::uint64_t at = next_;
  if (use.reads_x1) at = std::max(at, ready_[spec::rs1_of(word)]);
  if (use.reads_x2) at = std::max(at, ready_[spec::rs2_of(word)]);
  if (use.writes_x) at = std::max(at, ready_[spec::rd_of(word)]);
  if (serialises) at = std::max(at, quiet_);
  if (use.writes_x && spec::rd_of(word) != 0) ready_[spec::rd_of(word)] = at + kDepth;
  quiet_ = at + kDepth;
  next_ = at + (serialises || spec::info(opcode).unit == spec::Unit::Branch ? kDepth : 1);
}

}  // namespace tessera::compiler
