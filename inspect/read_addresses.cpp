#include "inspect/read_addresses.h"

#include "inspect/frozen_view.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect {

using spec::Format;
using spec::Opcode;

ReadPlan read_plan(uint32_t instruction) {
  const Opcode opcode = spec::decode(instruction);
  if (opcode == Opcode::Illegal) return {};
  const auto& info = spec::info(opcode);
  const auto source = static_cast<uint8_t>(spec::rs1_of(instruction));
  const auto bytes = static_cast<uint8_t>(spec::access_bytes(opcode));
  const auto imm = static_cast<uint32_t>(spec::immediate_of(info.format, instruction));
  const auto triple = [&](bool first, bool second) {
    const auto used = static_cast<uint8_t>((first ? 1 : 0) | (second ? 2 : 0));
    return used == 0 ? ReadPlan{} : ReadPlan{ReadPlan::Kind::kTriple, source, 8, used, 0};
  };
  switch (info.unit) {
    case spec::Unit::Load:
      return {ReadPlan::Kind::kBase, source, bytes, 1, imm};
    case spec::Unit::Weights:
      return {ReadPlan::Kind::kBase, source, bytes, 1, bytes * imm};
    case spec::Unit::Amp: {
      if (info.format != Format::AMPP) return {};
      const auto pace = spec::pace_of(instruction);
      return triple(pace.load_x, pace.load_p);
    }
    case spec::Unit::Stream:
      switch (info.format) {
        case Format::PACE3:
          return triple(true, true);
        case Format::PACE2:
          return triple(true, opcode == Opcode::Ld2x64pace);
        case Format::FIS:
        case Format::FIR:
          return {ReadPlan::Kind::kBase, source, bytes, 1, 0};
        default:
          return {};
      }
    default:
      return {};
  }
}

void ContextRegisters::apply(const chip::Retire& r) {
  const auto set = [&](bool is_float, unsigned number, uint64_t data) {
    if (is_float)
      f[number] = data;
    else if (number != 0)
      x[number] = static_cast<uint32_t>(data);
  };
  if (r.base_write) set(r.base_float, r.base, r.base_data);
  if (r.reg_write) set(r.reg_float, r.reg, r.reg_data);
  if (r.pair_write) set(true, (r.reg + 1u) & 31, r.pair_data);
}

std::array<names::Span, 2> ContextRegisters::reads(const chip::Retire& r) const {
  if (r.exception != 0) return {};
  const ReadPlan plan = read_plan(r.instruction);
  if (plan.kind == ReadPlan::Kind::kBase) return {names::Span{plan.address(x[plan.source]), plan.bytes}};
  std::array<names::Span, 2> spans;
  for (unsigned n = 0; n < 2; ++n)
    if (plan.used >> n & 1) spans[n] = {ReadPlan::address(f[plan.source], n), plan.bytes};
  return spans;
}

void RegisterShadow::fill(FrozenView& view, unsigned tile) {
  for (unsigned context = 0; context < contexts_.size(); ++context)
    for (unsigned n = 0; n < 32; ++n) {
      contexts_[context].x[n] = view.x(tile, context, n);
      if (context != 0) contexts_[context].f[n] = view.f(tile, context, n);
    }
}

}  // namespace tessera::inspect
