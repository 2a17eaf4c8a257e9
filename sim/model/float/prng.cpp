#include "sim/model/float/prng.h"

namespace tessera::model {

Prng seeded(uint32_t seed) {
  const uint64_t s0 = uint64_t{~seed} << 32 | seed;
  return {s0, std::rotl(s0, 13)};
}

uint64_t random_mask(uint64_t x, uint64_t p, uint64_t random, unsigned lane_bits) {
  if ((p >> 16 & 1) != 0) return x;
  uint64_t result = 0;
  for (unsigned i = 0; i < 64 / lane_bits; ++i) {
    const uint64_t lane = ((uint64_t{1} << lane_bits) - 1) << (lane_bits * i);
    if ((random >> (16 * i) & 0xffff) < (p & 0xffff)) result |= x & lane;
  }
  return result;
}

}  // namespace tessera::model
