// The random-number generator of a worker, xoroshiro128aox, as prng.sv does it. Specification:
// docs/reference/arithmetic.md.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::model {

struct Prng {
  uint64_t s0 = 0;  // CSRs xprng0 (low word) and xprng1
  uint64_t s1 = 0;  // CSRs xprng2 (low word) and xprng3

  bool operator==(const Prng&) const = default;
};

// The number that the next draw gives; the state stays.
inline uint64_t peek(const Prng& prng) {
  const uint64_t both = prng.s0 & prng.s1;
  return (prng.s0 ^ prng.s1) ^ (std::rotl(both, 1) | std::rotl(both, 2));
}

inline void advance(Prng& prng) {
  const uint64_t t = prng.s0 ^ prng.s1;
  prng = {std::rotl(prng.s0, 55) ^ t ^ (t << 14), std::rotl(t, 36)};
}

// The state that writing `seed` to xprngseed gives; never the all-zero one, from which only zeros would come.
Prng seeded(uint32_t seed);

// The lanes of x, of 32 or 16 bits, that 16 random bits each keep with the probability p[15:0] / 2^16; p[16] keeps all.
uint64_t random_mask(uint64_t x, uint64_t p, uint64_t random, unsigned lane_bits);

}  // namespace tessera::model
