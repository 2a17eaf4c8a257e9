// Tiles of several chips send each other packets (docs/reference/link.md): every word arrives where it belongs, and the
// chips are the same in every cycle whatever the rounds in which they are run, of model or of RTL tiles.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>

#include "rtl/spec/link_tables.h"
#include "rtl/spec/routes.h"
#include "rtl/spec/system.h"
#include "sim/port/chip.h"
#include "tb/chip/chip_programs.h"
#include "tb/link/chips.h"
#include "tb/link/traffic.h"
#include "tb/tier.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Result {
  std::vector<chip::Stop> stops;
  std::vector<uint64_t> memory;
  bool operator==(const Result& o) const {
    return memory == o.memory && std::ranges::equal(stops, o.stops, [](const chip::Stop& a, const chip::Stop& b) {
             return a.reason == b.reason && a.cycle == b.cycle;
           });
  }
};

Result run(const spec::System& system, const Traffic& traffic, chip::Backend backend, uint64_t longest_round,
           uint32_t replica = 0) {
  Chips chips(system, backend);
  chips.share_out(replica);
  for (uint32_t c = 0; c < system.chips.size(); ++c) load_and_start(chips[c], traffic.programs[c]);
  Result result;
  result.stops = chips.run(longest_round, 10'000'000);
  unsigned wrong = 0;
  for (const Traffic::Word& word : traffic.written)
    wrong += chips[word.chip].debug_read(word.tile, chip::DebugSpace::kMemory, 0, word.address) != word.value;
  CHECK(wrong == 0);
  for (uint32_t c = 0; c < system.chips.size(); ++c) {
    CHECK(result.stops[c].reason == chip::StopReason::kException);
    CHECK(chips[c].exception(0).cause == static_cast<unsigned>(spec::Cause::Trap));
    result.memory.push_back(chips[c].memory_hash());
  }
  return result;
}

}  // namespace

TEST_CASE("tiles of all chips write each other's memory") {
  const std::string name = GENERATE("mk2-4x2", "mk2-4x4", "mk2-16x4", "mk2-4x16");
  const unsigned longest = GENERATE(3u, 64u);
  const spec::System system = spec::load_system(name);
  INFO(name << " " << longest);
  std::mt19937 random(longest);
  const Traffic traffic = random_traffic(system, 8, longest, random);
  const Result first = run(system, traffic, chip::Backend::kModel, ~uint64_t{0});
  CHECK(run(system, traffic, chip::Backend::kModel, 1 + random() % 20) == first);
  CHECK(run(system, traffic, chip::Backend::kRtl, ~uint64_t{0}) == first);
}

TEST_CASE("random packet programs on four chips are equal on RTL and model in every cycle") {
  const spec::System system = spec::load_system("mk2-4x4");
  const uint64_t programs = in_tier(20, 10'000);
  uint64_t different = 0;
  for (uint64_t n = 0; n < programs; ++n) {
    std::mt19937 random(static_cast<uint32_t>(n));
    const uint32_t replica = n % 3 == 2 ? 2 : 0;
    const unsigned packets = 1 + random() % 3, longest = 1 + random() % 64;
    const Traffic traffic = random_traffic(system, packets, longest, random, 1, 0, replica);
    different += !(run(system, traffic, chip::Backend::kModel, ~uint64_t{0}, replica) ==
                   run(system, traffic, chip::Backend::kRtl, 1 + random() % 40, replica));
  }
  std::printf("%llu random packet programs on %s, %llu different\n", static_cast<unsigned long long>(programs),
              system.name.c_str(), static_cast<unsigned long long>(different));
  CHECK(different == 0);
}
