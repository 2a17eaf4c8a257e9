#include "compiler/passes/supervisor_time.h"

#include <algorithm>

#include "rtl/spec/register_use.h"

namespace tessera::compiler {
namespace {

constexpr std::uint64_t kDepth = 6;  // cycles until an instruction's effect is seen

bool serialises(spec::Unit unit) {
  return unit == spec::Unit::System || unit == spec::Unit::Csr || unit == spec::Unit::Divide;
}

}  // namespace

void SupervisorTime::issue(std::uint32_t word) {
  const spec::Opcode opcode = spec::decode(word);
  const spec::RegisterUse use = spec::register_use(opcode);
  const spec::Unit unit = spec::info(opcode).unit;
  std::uint64_t at = next_;
  if (use.reads_x1) at = std::max(at, ready_[spec::rs1_of(word)]);
  if (use.reads_x2) at = std::max(at, ready_[spec::rs2_of(word)]);
  if (use.writes_x) at = std::max(at, ready_[spec::rd_of(word)]);
  if (serialises(unit)) at = std::max(at, quiet_);
  if (use.writes_x && spec::rd_of(word) != 0) ready_[spec::rd_of(word)] = at + kDepth;
  quiet_ = at + kDepth;
  next_ = at + (serialises(unit) || unit == spec::Unit::Branch ? kDepth : 1);
}

}  // namespace tessera::compiler
