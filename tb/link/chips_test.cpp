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
#include "tb/link/tier.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Traffic {
  std::vector<ChipProgram> programs;
  struct Word {
    uint32_t chip, tile, address, value;
  };
  std::vector<Word> written;
};

Traffic random_traffic(const spec::System& system, unsigned packets, unsigned longest, std::mt19937& random) {
  const spec::Machine& m = system.chips[0];
  const auto chips = static_cast<uint32_t>(system.chips.size());
  Traffic traffic{std::vector<ChipProgram>(chips, ChipProgram(m.tiles(), TileProgram(Places(m)))), {}};
  std::vector<uint32_t> awaited(system.tiles()), places(system.tiles());
  std::vector<std::vector<unsigned>> lengths(system.tiles());
  for (uint32_t from = 0; from < system.tiles(); ++from) {
    TileProgram& p = traffic.programs[system.tile(from).chip][system.tile(from).tile];
    for (unsigned i = 0; i < packets; ++i) {
      uint32_t to = 0;
      do to = static_cast<uint32_t>(random() % system.tiles());
      while (system.tile(to).chip == system.tile(from).chip || places[to] == 60);
      const spec::TileId target = system.tile(to);
      const unsigned words = 1 + static_cast<unsigned>(random() % longest);
      const uint32_t place = p.places().sent + 0x108 * i, there = p.places().received + 0x100 * places[to]++;
      p.data(place, {spec::PacketHeader{
                         .words = words, .chip = target.chip, .tile = target.tile, .kind = spec::PacketKind::kWriteTile}
                         .encode(),
                     there});
      for (unsigned w = 0; w < words; ++w) {
        const auto value = static_cast<uint32_t>(random());
        p.data(place + 8 + 4 * w, value);
        traffic.written.push_back({target.chip, target.tile, there + 4 * w, value});
      }
      awaited[to] += words;
      lengths[from].push_back(words + 2);
    }
  }
  for (uint32_t t = 0; t < system.tiles(); ++t) {
    TileProgram& p = traffic.programs[system.tile(t).chip][system.tile(t).tile];
    p.li(9, awaited[t]);
    p.csr_write(spec::Csr::Xcount, 9);
    p.delay(1 + static_cast<uint32_t>(random() % 300));
    p.sync(3);
    for (unsigned i = 0; i < packets; ++i) {
      if (random() % 2 == 0) p.delay(1 + static_cast<uint32_t>(random() % 60));
      p.hsend(p.places().sent + 0x108 * i, lengths[t][i]);
    }
    if (awaited[t] > 0) p.sync(5);
    p.sync(3);
    p.trap(1);
  }
  return traffic;
}

struct Result {
  std::vector<chip::Stop> stops;
  std::vector<uint64_t> memory;
  bool operator==(const Result& o) const {
    return memory == o.memory && std::ranges::equal(stops, o.stops, [](const chip::Stop& a, const chip::Stop& b) {
             return a.reason == b.reason && a.cycle == b.cycle;
           });
  }
};

Result run(const spec::System& system, const Traffic& traffic, chip::Backend backend, uint64_t longest_round) {
  Chips chips(system, backend);
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
    const Traffic traffic = random_traffic(system, 1 + random() % 3, 1 + random() % 64, random);
    different += !(run(system, traffic, chip::Backend::kModel, ~uint64_t{0}) ==
                   run(system, traffic, chip::Backend::kRtl, 1 + random() % 40));
  }
  std::printf("%llu random packet programs on %s, %llu different\n", static_cast<unsigned long long>(programs),
              system.name.c_str(), static_cast<unsigned long long>(different));
  CHECK(different == 0);
}
