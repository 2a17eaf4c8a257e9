#include "sim/model/stream_access.h"

namespace tessera::model {
namespace {

using spec::Opcode;

constexpr unsigned kStrides = 3;

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
  access.base = at + (by_stride ? (access.wide ? 16u : 8u) * stride_of(floats, imm) : imm);
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
  if (d.unit == spec::Unit::Amp) return paced_access(floats, d);
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

}  // namespace tessera::model
