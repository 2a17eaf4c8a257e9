#include "sim/model/stream_access.h"

#include "sim/model/lane_unit.h"

namespace tessera::model {
namespace {

using spec::Format;
using spec::Opcode;

constexpr unsigned kStrides = 3;

uint32_t stride(const FloatContext& floats, unsigned selector) {
  return selector == 0 ? 1 : floats.strides[selector - 1];
}

constexpr unsigned bytes_of(Opcode opcode) {
  using enum Opcode;
  switch (opcode) {
    case Ld16step:
    case St16step:
      return 2;
    case Ld32step:
    case St32step:
      return 4;
    default:
      return 8;
  }
}

constexpr uint64_t low_bytes(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value : value & ((uint64_t{1} << (8 * bytes)) - 1);
}

// One address, in an integer register.
StreamAccess by_address(const FloatContext& floats, const Context& context, const Decoded& d) {
  using enum Opcode;
  StreamAccess access;
  const uint32_t at = context.x[d.rs1];
  const auto imm = static_cast<uint32_t>(d.imm);
  access.bytes = static_cast<uint8_t>(bytes_of(d.opcode));
  access.wide = d.opcode == Ld128step || d.opcode == Ld128stride;
  switch (d.opcode) {
    case St64step:
    case St32step:
    case St16step:
    case St64stride:
      access.used = StreamAccess::kWrite;
      access.address[2] = at;
      access.stored = low_bytes(floats.f[d.rs2], access.bytes);
      break;
    default:
      access.used = StreamAccess::kRead0;
      access.address[0] = at;
      break;
  }
  const bool by_stride = d.opcode == Ld64stride || d.opcode == Ld128stride || d.opcode == St64stride;
  if (by_stride && imm > kStrides) {
    access.illegal = true;
    return access;
  }
  access.base = at + (by_stride ? (access.wide ? 16u : 8u) * stride(floats, imm) : imm);
  return access;
}

// Addresses in a triple; `selectors` by address.
StreamAccess by_triple(const FloatContext& floats, const Decoded& d, uint8_t used, std::array<unsigned, 3> selectors) {
  StreamAccess access;
  const uint64_t triple = floats.f[d.rs1];
  access.used = used;
  access.base_float = true;
  for (unsigned n = 0; n < 3; ++n) {
    uint32_t at = triple_address(triple, n);
    access.address[n] = at;
    if (access.uses(n)) at += 8 * stride(floats, selectors[n]);
    access.base |= triple_part(at, n);
  }
  return access;
}

StreamAccess weights(const Context& context, const Decoded& d) {
  StreamAccess access;
  access.wide = d.opcode == Opcode::Ld128putcs;
  access.used = StreamAccess::kRead0;
  access.address[0] = context.x[d.rs1] + (access.wide ? 16u : 8u) * static_cast<uint32_t>(d.imm);
  return access;
}

StreamAccess plan(const TileState& tile, unsigned number, const Decoded& d) {
  using A = StreamAccess;
  const auto& context = tile.contexts[number];
  const auto& floats = tile.floats[number];
  if (d.unit == spec::Unit::Weights) return weights(context, d);
  const auto imm = static_cast<unsigned>(d.imm);
  if (d.unit == spec::Unit::Amp) {
    const auto pace = spec::pace_of(d.word);
    const auto used = static_cast<uint8_t>((pace.load_x ? A::kRead0 : 0) | (pace.load_p ? A::kRead1 : 0) |
                                           (pace.store_r ? A::kWrite : 0));
    auto access = by_triple(floats, d, used, {pace.select_x, pace.select_p, pace.select_r});
    access.stored = floats.engine.r;
    return access;
  }
  switch (d.opcode) {
    case Opcode::Ld2xst64pace: {
      auto access = by_triple(floats, d, A::kRead0 | A::kRead1 | A::kWrite, {imm & 3, imm >> 2 & 3, imm >> 4 & 3});
      access.stored = floats.f[d.rs2];
      return access;
    }
    case Opcode::Ldst64pace: {
      auto access = by_triple(floats, d, A::kRead0 | A::kWrite, {imm & 3, 0, imm >> 2 & 3});
      access.stored = floats.f[d.rs2];
      return access;
    }
    case Opcode::Ld2x64pace:
      return by_triple(floats, d, A::kRead0 | A::kRead1, {imm & 3, imm >> 2 & 3, 0});
    default:
      return by_address(floats, context, d);
  }
}

}  // namespace

StreamAccess stream_access(const TileState& tile, unsigned context, const Decoded& d) {
  auto access = plan(tile, context, d);
  if (access.wide) {
    access.used |= StreamAccess::kRead1;
    access.address[1] = access.address[0] + 8;
  }
  return access;
}

bool finds_bad_address(const Memory& memory, const StreamAccess& access, uint32_t& address) {
  for (unsigned n = 0; n < 3; ++n) {
    if (!access.uses(n)) continue;
    const uint32_t at = access.address[n];
    bool good = memory.contains(at) && (at & (access.bytes - 1u)) == 0;
    if (access.wide && n == 0) good = good && at >= memory.region1() && (at & 15) == 0;
    if (good) continue;
    address = at;
    return true;
  }
  return false;
}

bool finds_clash(const Memory& memory, const StreamAccess& access, uint32_t fetched, uint32_t& address) {
  if (access.uses(0) && access.uses(1) && memory.same_element(access.address[0], access.address[1])) {
    address = access.address[1];
    return true;
  }
  if (!fetched) return false;
  for (unsigned n = 0; n < 3; ++n) {
    if (!access.uses(n) || !memory.same_element(access.address[n], fetched)) continue;
    address = access.address[n];
    return true;
  }
  return false;
}

}  // namespace tessera::model
