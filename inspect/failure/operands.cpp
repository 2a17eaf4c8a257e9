#include "inspect/failure/operands.h"

#include <algorithm>

#include "rtl/spec/register_use.h"

namespace tessera::inspect::failure {

std::vector<Source> sources_of(uint32_t instruction) {
  const spec::Opcode opcode = spec::decode(instruction);
  if (opcode == spec::Opcode::Illegal) return {};
  const auto x = [](unsigned n) { return Source{false, static_cast<uint8_t>(n)}; };
  const auto f = [](unsigned n) { return Source{true, static_cast<uint8_t>(n)}; };
  const unsigned rs1 = spec::rs1_of(instruction), rs2 = spec::rs2_of(instruction), rs3 = spec::rs3_of(instruction);
  std::vector<Source> all;
  const spec::RegisterUse use = spec::register_use(opcode);
  if (use.reads_x1) all.push_back(x(rs1));
  if (use.reads_f1) all.push_back(f(rs1));
  if (use.reads_x2) all.push_back(x(rs2));
  if (use.reads_f2) all.push_back(f(rs2));
  if (use.reads_f3) all.push_back(f(rs3));
  std::vector<Source> once;
  for (const Source& s : all) {
    const auto same = [&](const Source& o) { return o.is_float == s.is_float && o.number == s.number; };
    if ((s.is_float || s.number != 0) && std::none_of(once.begin(), once.end(), same)) once.push_back(s);
  }
  return once;
}

Access access_of(uint32_t instruction) {
  const spec::Opcode opcode = spec::decode(instruction);
  if (opcode == spec::Opcode::Illegal) return {};
  const spec::InstructionInfo& info = spec::info(opcode);
  const auto base = static_cast<uint8_t>(spec::rs1_of(instruction));
  switch (info.unit) {
    case spec::Unit::Load:
      return {false, spec::access_bytes(opcode), base, spec::immediate_of(info.format, instruction)};
    case spec::Unit::Store:
      return {true, spec::access_bytes(opcode), base, spec::immediate_of(info.format, instruction)};
    case spec::Unit::Stream:
      if (info.format == spec::Format::FIS || info.format == spec::Format::FIR)
        return {false, spec::access_bytes(opcode), base, 0};
      if (info.format == spec::Format::FSS || info.format == spec::Format::FSR)
        return {true, spec::access_bytes(opcode), base, 0};
      return {};
    default:
      return {};
  }
}

}  // namespace tessera::inspect::failure
