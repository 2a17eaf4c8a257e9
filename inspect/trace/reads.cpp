#include "inspect/trace/reads.h"

#include "sim/port/flip.h"

namespace tessera::inspect::trace {

void KnownRegisters::debug_written(chip::DebugSpace space, uint32_t number, uint32_t data) {
  if (space == chip::DebugSpace::kInteger && (number & 31) != 0) {
    values_.x[number & 31] = data;
    known_x_ |= 1u << (number & 31);
  } else if (space == chip::DebugSpace::kFloat) {  // half a register: what is not known stays so
    uint64_t& value = values_.f[number >> 1 & 31];
    const unsigned shift = 32 * (number & 1);
    value = (value & ~(0xffffffffull << shift)) | static_cast<uint64_t>(data) << shift;
  }
}

void KnownRegisters::flipped(const chip::Flip& flip) {
  if (flip.site == chip::FlipSite::kInteger) values_.x[flip.address & 31] ^= static_cast<uint32_t>(flip.mask);
  if (flip.site == chip::FlipSite::kFloat) values_.f[flip.address & 31] ^= flip.mask;
}

}  // namespace tessera::inspect::trace
