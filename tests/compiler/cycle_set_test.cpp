// Sets of cycles against a plain vector of them.
#include "compiler/passes/exchange/cycle_set.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using tessera::compiler::CycleSet;

namespace {

constexpr unsigned kSeed = 20261122;
constexpr std::uint32_t kCycles = 3000, kLongest = 200;

struct Plain {
  std::vector<bool> taken = std::vector<bool>(3 * kCycles);

  bool free(std::uint32_t from, std::uint32_t cycles) const {
    for (std::uint32_t c = from; c < from + cycles; ++c)
      if (taken[c]) return false;
    return true;
  }
  std::uint32_t fit(std::uint32_t from, std::uint32_t cycles) const {
    while (!free(from, cycles)) ++from;
    return from;
  }
  std::uint64_t starts(std::uint32_t from, std::uint32_t cycles) const {
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < 64; ++i) bits |= std::uint64_t{free(from + i, cycles)} << i;
    return bits;
  }
};

}  // namespace

TEST_CASE("room is found where a plain search finds it") {
  std::mt19937 random(kSeed);
  INFO("seed " << kSeed);
  for (const std::uint32_t longest : {1u, 5u, 64u, kLongest}) {
    CycleSet set;
    Plain plain;
    CHECK(set.end() == 0);
    for (unsigned turn = 0; turn < 600; ++turn) {
      const std::uint32_t cycles = 1 + random() % longest, from = random() % kCycles;
      const std::uint32_t at = plain.fit(from, cycles);
      REQUIRE(set.fit(from, cycles) == at);
      REQUIRE(set.starts(from, cycles) == plain.starts(from, cycles));
      if (at > kCycles) continue;
      set.take(at, cycles);
      for (std::uint32_t c = at; c < at + cycles; ++c) plain.taken[c] = true;
      REQUIRE(set.end() >= at + cycles);
    }
    CHECK_FALSE(plain.free(set.end() - 1, 1));
    CHECK(plain.free(set.end(), kCycles));
  }
}
