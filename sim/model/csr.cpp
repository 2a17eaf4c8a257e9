#include "sim/model/csr.h"

#include "rtl/spec/tile_state.h"

namespace tessera::model {
namespace {

using spec::Csr;
using spec::Opcode;

constexpr uint32_t kFlags = spec::kept_bits(Csr::Fflags), kRounding = spec::kept_bits(Csr::Frm);
constexpr uint32_t kFloatControl = spec::kept_bits(Csr::Xfpctl);
constexpr uint32_t kInitialFloatControl = spec::kept_bits(Csr::Xfpictl), kF8 = spec::kept_bits(Csr::Xf8);

constexpr uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
constexpr uint32_t high(uint64_t value) { return static_cast<uint32_t>(value >> 32); }
constexpr uint64_t with_low(uint64_t old, uint32_t value) { return (old & ~uint64_t{0xffffffff}) | value; }
constexpr uint64_t with_high(uint64_t old, uint32_t value) { return low(old) | uint64_t{value} << 32; }
constexpr uint32_t sign_extend18(uint32_t value) {
  return static_cast<uint32_t>(static_cast<int32_t>(value << 14) >> 14);
}

bool context_has(const spec::CsrInfo& info, unsigned context) {
  return info.who == spec::Who::Both || (info.who == spec::Who::Supervisor) == (context == kSupervisor);
}

}  // namespace

uint32_t csr_read(const TileState& tile, unsigned context, uint32_t number, uint64_t cycle) {
  const auto& floats = tile.floats[context];
  switch (static_cast<Csr>(number)) {
    case Csr::Fflags:
      return floats.fflags;
    case Csr::Frm:
      return floats.frm;
    case Csr::Fcsr:
      return static_cast<uint32_t>(floats.frm) << 5 | floats.fflags;
    case Csr::Xstacklimit:
      return tile.contexts[context].stack_limit;
    case Csr::Xfpctl:
      return floats.control;
    case Csr::Xfpictl:
      return tile.initial_float_control;
    case Csr::Xlc:
      return tile.workers.consensus();
    case Csr::Xcount:
      return tile.packets.awaited();
    case Csr::Xtas:
      return floats.tas;
    case Csr::Xstride1:
    case Csr::Xstride2:
    case Csr::Xstride3:
      return floats.strides[number - static_cast<uint32_t>(Csr::Xstride1)];
    case Csr::Xprng0:
      return low(floats.random.s0);
    case Csr::Xprng1:
      return high(floats.random.s0);
    case Csr::Xprng2:
      return low(floats.random.s1);
    case Csr::Xprng3:
      return high(floats.random.s1);
    case Csr::Xprngseed:
      return 0;
    case Csr::Xf8:
      return floats.f8;
    case Csr::Xf8i:
      return tile.initial_f8;
    case Csr::Xrepeat:
      return floats.repeat.left;
    case Csr::Cycle:
      return static_cast<uint32_t>(cycle);
    case Csr::Cycleh:
      return static_cast<uint32_t>(cycle >> 32);
    case Csr::Xtile:
      return tile.site.tile_id;
    case Csr::Xwid:
      return context == kSupervisor ? 6 : context - 1;
    case Csr::Xvbase:
      return floats.vertex_base;
    case Csr::Xgc:
      return tile.sync.consensus;
    case Csr::Xmark:
      return tile.sync.mark;
  }
  return 0;
}

void csr_write(TileState& tile, unsigned context, uint32_t number, uint32_t value) {
  auto& floats = tile.floats[context];
  switch (static_cast<Csr>(number)) {
    case Csr::Fflags:
      floats.fflags = value & kFlags;
      break;
    case Csr::Frm:
      floats.frm = value & kRounding;
      break;
    case Csr::Fcsr:
      floats.fflags = value & 31;
      floats.frm = value >> 5 & 7;
      break;
    case Csr::Xstacklimit:
      tile.contexts[context].stack_limit = value;
      break;
    case Csr::Xfpctl:
      floats.control = value & kFloatControl;
      break;
    case Csr::Xfpictl:
      tile.initial_float_control = value & kInitialFloatControl;
      break;
    case Csr::Xlc:
      tile.workers.set_consensus(value & 1);
      break;
    case Csr::Xcount:
      tile.packets.set_awaited(static_cast<uint16_t>(value));
      break;
    case Csr::Xtas:
      floats.tas = value;
      break;
    case Csr::Xstride1:
    case Csr::Xstride2:
    case Csr::Xstride3:
      floats.strides[number - static_cast<uint32_t>(Csr::Xstride1)] = sign_extend18(value);
      break;
    case Csr::Xprng0:
      floats.random.s0 = with_low(floats.random.s0, value);
      break;
    case Csr::Xprng1:
      floats.random.s0 = with_high(floats.random.s0, value);
      break;
    case Csr::Xprng2:
      floats.random.s1 = with_low(floats.random.s1, value);
      break;
    case Csr::Xprng3:
      floats.random.s1 = with_high(floats.random.s1, value);
      break;
    case Csr::Xprngseed:
      floats.random = seeded(value);
      break;
    case Csr::Xf8:
      floats.f8 = value & kF8;
      break;
    case Csr::Xf8i:
      tile.initial_f8 = value & kF8;
      break;
    default:
      break;
  }
}

std::optional<CsrAccess> csr_access(const TileState& tile, unsigned context, const Decoded& d, uint64_t issue) {
  const auto number = static_cast<uint16_t>(d.imm & 0xfff);
  const auto* info = spec::csr_info(number);
  if (!info || !context_has(*info, context)) return std::nullopt;
  const bool by_immediate = !(d.traits & Decoded::kReadsX1);
  const uint32_t operand = by_immediate ? d.rs1 : tile.contexts[context].x[d.rs1];
  CsrAccess access;
  access.read = csr_read(tile, context, number, issue);
  switch (d.opcode) {
    case Opcode::Csrrw:
    case Opcode::Csrrwi:
      access.writes = true;
      access.written = operand;
      break;
    case Opcode::Csrrs:
    case Opcode::Csrrsi:
      access.writes = d.rs1 != 0;
      access.written = access.read | operand;
      break;
    default:
      access.writes = d.rs1 != 0;
      access.written = access.read & ~operand;
      break;
  }
  if (access.writes && info->read_only) return std::nullopt;
  return access;
}

}  // namespace tessera::model
