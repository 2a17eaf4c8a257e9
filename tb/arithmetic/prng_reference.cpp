#include "tb/arithmetic/prng_reference.h"

namespace tessera::tb {

PrngBits prng_bits(uint64_t s0, uint64_t s1) { return PrngBits(s1) << 64 | PrngBits(s0); }

uint64_t reference_output(const PrngBits& state) {
  std::bitset<64> result;
  for (size_t i = 0; i < 64; ++i) {
    const auto both = [&](size_t below) {
      const size_t j = (i + 64 - below) % 64;
      return state[j] && state[64 + j];
    };
    result[i] = (state[i] != state[64 + i]) != (both(1) || both(2));
  }
  return result.to_ullong();
}

PrngBits reference_step(const PrngBits& state) {
  PrngBits next;
  for (size_t i = 0; i < 64; ++i) {
    const auto differ = [&](size_t j) { return state[j] != state[64 + j]; };
    bool s0 = state[(i + 64 - 55) % 64] != differ(i);
    if (i >= 14) s0 = s0 != differ(i - 14);
    next[i] = s0;
    next[64 + i] = differ((i + 64 - 36) % 64);
  }
  return next;
}

PrngBits mapped(const PrngMatrix& map, const PrngBits& state) {
  PrngBits result;
  for (size_t i = 0; i < 128; ++i) {
    if (state[i]) result ^= map[i];
  }
  return result;
}

PrngMatrix squared(const PrngMatrix& map) {
  PrngMatrix result;
  for (size_t i = 0; i < 128; ++i) result[i] = mapped(map, map[i]);
  return result;
}

}  // namespace tessera::tb
