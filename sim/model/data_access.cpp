#include "sim/model/data_access.h"

#include "sim/model/float_unit.h"

namespace tessera::model {
namespace {

using spec::Opcode;

constexpr unsigned bytes_of(Opcode opcode) {
  using enum Opcode;
  switch (opcode) {
    case Lb:
    case Lbu:
    case Sb:
      return 1;
    case Lh:
    case Lhu:
    case Sh:
    case Flh:
    case Fsh:
      return 2;
    case Fld:
    case Fsd:
      return 8;
    default:
      return 4;
  }
}

constexpr uint64_t low_bytes(uint64_t value, unsigned bytes) {
  return bytes == 8 ? value : value & ((uint64_t{1} << (8 * bytes)) - 1);
}

uint64_t loaded(Opcode opcode, uint64_t bits) {
  using enum Opcode;
  switch (opcode) {
    case Lb:
      return static_cast<uint32_t>(static_cast<int8_t>(bits));
    case Lh:
      return static_cast<uint32_t>(static_cast<int16_t>(bits));
    case Flw:
      return box_f32(static_cast<uint32_t>(bits));
    case Flh:
      return box_f16(static_cast<uint32_t>(bits));
    default:
      return bits;
  }
}

}  // namespace

DataAccess data_access(const TileState& tile, unsigned number, const Decoded& d) {
  const auto& context = tile.contexts[number];
  const unsigned bytes = bytes_of(d.opcode);
  DataAccess access;
  access.bytes = static_cast<uint8_t>(bytes);
  access.store = d.unit == spec::Unit::Store;
  access.address = context.x[d.rs1] + static_cast<uint32_t>(d.imm);
  access.legal = tile.memory.contains(access.address) && (access.address & (bytes - 1)) == 0;
  if (!access.legal) return access;
  const unsigned lane = access.address & 7;
  if (access.store) {
    const uint64_t value = d.traits & Decoded::kReadsX2 ? context.x[d.rs2] : tile.floats[number].f[d.rs2];
    access.data = low_bytes(value, bytes) << (8 * lane);
    access.strobe = static_cast<uint8_t>(((1u << bytes) - 1) << lane);
  } else {
    access.to_float = !(d.traits & Decoded::kWritesX);
    access.data = loaded(d.opcode, low_bytes(tile.memory.read(access.address) >> (8 * lane), bytes));
  }
  return access;
}

}  // namespace tessera::model
