#include "inspect/read_addresses.h"

#include "inspect/frozen_view.h"
#include "rtl/spec/instructions.h"

namespace tessera::inspect {
namespace {

using spec::Format;
using spec::Opcode;

// Address n of three that share a float register, in units of 8 bytes (arithmetic.md).
uint32_t triple_address(uint64_t triple, unsigned n) {
  return static_cast<uint32_t>(triple >> (21 * n) & 0x1fffff) * 8;
}

}  // namespace

void RegisterShadow::fill(FrozenView& view, unsigned tile) {
  for (unsigned context = 0; context < contexts_.size(); ++context)
    for (unsigned n = 0; n < 32; ++n) {
      contexts_[context].x[n] = view.x(tile, context, n);
      if (context != 0) contexts_[context].f[n] = view.f(tile, context, n);
    }
}

void RegisterShadow::apply(const chip::Retire& r) {
  Context& c = contexts_[r.context];
  const auto set = [&](bool is_float, unsigned number, uint64_t data) {
    if (is_float)
      c.f[number] = data;
    else if (number != 0)
      c.x[number] = static_cast<uint32_t>(data);
  };
  if (r.base_write) set(r.base_float, r.base, r.base_data);
  if (r.reg_write) set(r.reg_float, r.reg, r.reg_data);
  if (r.pair_write) set(true, (r.reg + 1u) & 31, r.pair_data);
}

std::array<Range, 2> RegisterShadow::reads(const chip::Retire& r) const {
  const Opcode opcode = spec::decode(r.instruction);
  if (opcode == Opcode::Illegal || r.exception != 0) return {};
  const auto& info = spec::info(opcode);
  const Context& c = contexts_[r.context];
  const uint32_t base = c.x[spec::rs1_of(r.instruction)];
  const uint64_t triple = c.f[spec::rs1_of(r.instruction)];
  const auto imm = static_cast<uint32_t>(spec::immediate_of(info.format, r.instruction));
  const auto atom = [&](bool used, unsigned n) { return used ? Range{triple_address(triple, n), 8} : Range{}; };
  switch (info.unit) {
    case spec::Unit::Load:
      return {Range{base + imm, spec::access_bytes(opcode)}};
    case spec::Unit::Weights:
      return {Range{base + spec::access_bytes(opcode) * imm, spec::access_bytes(opcode)}};
    case spec::Unit::Amp: {
      if (info.format != Format::AMPP) return {};
      const auto pace = spec::pace_of(r.instruction);
      return {atom(pace.load_x, 0), atom(pace.load_p, 1)};
    }
    case spec::Unit::Stream:
      switch (info.format) {
        case Format::PACE3:
          return {atom(true, 0), atom(true, 1)};
        case Format::PACE2:
          return {atom(true, 0), atom(opcode == Opcode::Ld2x64pace, 1)};
        case Format::FIS:
        case Format::FIR:
          return {Range{base, spec::access_bytes(opcode)}};
        default:
          return {};
      }
    default:
      return {};
  }
}

}  // namespace tessera::inspect
