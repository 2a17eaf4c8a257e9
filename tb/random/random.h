// Reproducible random numbers: the same on every machine and standard library.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>

namespace tessera::test {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(mix(seed)) {}

  uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15ull); }  // splitmix64
  uint32_t word() { return static_cast<uint32_t>(bits() >> 32); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((bits() >> 32) * n >> 32); }  // 0 .. n - 1
  int32_t between(int32_t low, int32_t high) {                                            // both included
    return low + static_cast<int32_t>(below(static_cast<uint32_t>(high - low + 1)));
  }
  bool one_in(uint32_t n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<uint32_t>(list.size()))];
  }

 private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
  }
  uint64_t state_;  // scattered from the seed: streams of neighbouring seeds have nothing in common
};

// TESSERA_SEED, else `standard`.
inline uint64_t seed_from_environment(uint64_t standard) {
  const char* text = std::getenv("TESSERA_SEED");
  return text ? std::strtoull(text, nullptr, 0) : standard;
}

}  // namespace tessera::test
