// Chips that talk with each other go from model to RTL and back in the middle of a run: all together by a file, where
// they stand at a host sync, and each by itself where a superstep of its own begins.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <tuple>
#include <vector>

#include "sim/engine/model_chip.h"
#include "sim/engine/switch_chip.h"
#include "sim/port/system_checkpoint.h"
#include "tb/link/chips.h"
#include "tb/link/traffic.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 10'000'000;

struct End {
  std::vector<uint64_t> cycles, memory;
  std::vector<StopReason> reasons;
  // Cycle, chip, channel and data of what has been on links.
  std::vector<std::tuple<uint64_t, uint32_t, unsigned, uint32_t>> words;
  bool operator==(const End&) const = default;
};

End finish(Chips& chips, uint32_t count) {
  End end;
  chips.watch([&](uint32_t c, const chip::LinkEvent& event) {
    if (event.word) end.words.emplace_back(event.cycle, c, event.channel, event.word->data);
  });
  for (;;) {
    const auto stops = chips.run(~uint64_t{0}, kLimit);
    uint64_t latest = 0;
    for (uint32_t c = 0; c < count; ++c) latest = std::max(latest, chips[c].cycle());
    if (std::ranges::any_of(stops, [](const auto& s) { return s.reason != StopReason::kHostSync; })) {
      for (uint32_t c = 0; c < count; ++c) {
        end.cycles.push_back(stops[c].cycle);
        end.reasons.push_back(stops[c].reason);
        end.memory.push_back(chips[c].memory_hash());
      }
      std::ranges::sort(end.words);
      return end;
    }
    for (uint32_t c = 0; c < count; ++c) chips[c].mark(latest + 50, 9);
  }
}

// The syncs of a phase but the first are between two host syncs; nothing is on links there.
Traffic traffic_of(const spec::System& system, unsigned seed) {
  std::mt19937 random(seed);
  return random_traffic(system, 10, 40, random, 3);
}

void load(Chips& chips, const Traffic& traffic) {
  for (uint32_t c = 0; c < traffic.programs.size(); ++c) load_and_start(chips[c], traffic.programs[c]);
}

void check_end(const End& end) {
  CHECK(end.words.size() > 1000);
  CHECK(std::ranges::all_of(end.reasons, [](StopReason r) { return r == StopReason::kException; }));
}

}  // namespace

TEST_CASE("All chips of a system go on from a file as the first would have") {
  const std::string name = GENERATE("mk2-4x2", "mk2-4x4", "mk2-16x4");
  const Backend from = GENERATE(Backend::kModel, Backend::kRtl);
  const spec::System system = spec::load_system(name);
  const auto count = static_cast<uint32_t>(system.chips.size());
  for (const unsigned seed : {1u, 2u, 3u}) {
    INFO(name << ", seed " << seed);
    const Traffic traffic = traffic_of(system, seed);
    Chips one(system, from);
    load(one, traffic);
    const auto stops = one.run(~uint64_t{0}, kLimit);
    REQUIRE(std::ranges::all_of(stops, [](const auto& s) { return s.reason == StopReason::kHostSync; }));
    std::vector<chip::Checkpoint> taken;
    for (uint32_t c = 0; c < count; ++c) taken.push_back(chip::take_checkpoint(one[c]));
    const auto chips = chip::deserialize_checkpoints(chip::serialize(taken));
    bool turned = false;
    for (const auto& checkpoint : chips)
      turned |= std::ranges::any_of(checkpoint.turns, [](unsigned first) { return first != 0; });
    CHECK(turned);
    const End end = finish(one, count);
    check_end(end);
    for (const Backend to : {Backend::kModel, Backend::kRtl}) {
      Chips other(system, to);
      for (uint32_t c = 0; c < count; ++c) chip::put_checkpoint(other[c], chips[c]);
      CHECK(finish(other, count) == end);
    }
  }
}

TEST_CASE("Turns of a router matter to what comes behind a checkpoint, and those of other links are refused") {
  const spec::System system = spec::load_system("mk2-16x4");
  std::vector<chip::Checkpoint> chips;
  unsigned different = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Chips one(system, Backend::kModel);
    load(one, traffic_of(system, seed));
    one.run(~uint64_t{0}, kLimit);
    chips.clear();
    Chips other(system, Backend::kModel);
    for (uint32_t c = 0; c < 4; ++c) {
      chips.push_back(chip::take_checkpoint(one[c]));
      std::ranges::fill(chips[c].turns, 0u);
      chip::put_checkpoint(other[c], chips[c]);
    }
    different += !(finish(other, 4) == finish(one, 4));
  }
  CHECK(different > 0);
  Chips other(system, Backend::kModel);
  chips[0].turns[1] = 1000;
  CHECK_THROWS_AS(chip::put_checkpoint(other[0], chips[0]), chip::BadCheckpoint);
  chips[0].turns = {0};
  CHECK_THROWS_AS(chip::put_checkpoint(other[0], chips[0]), chip::BadCheckpoint);
}

TEST_CASE("A chip with packets on its links gives no checkpoint") {
  const spec::System system = spec::load_system("mk2-4x4");
  const Traffic traffic = traffic_of(system, 1);
  Chips chips(system, Backend::kModel);
  load(chips, traffic);
  unsigned refused = 0;
  for (uint64_t limit = 100; limit < 3000; limit += 50) {
    chips.run(~uint64_t{0}, limit);
    for (uint32_t c = 0; c < 4; ++c) {
      try {
        chip::take_checkpoint(chips[c]);
      } catch (const std::logic_error&) {
        ++refused;
      }
    }
  }
  CHECK(refused > 20);
}

TEST_CASE("Chips of a system change to RTL for some supersteps, each at its own, and are the same in every cycle") {
  struct Window {
    uint64_t from, count;
  };
  const auto window = GENERATE(Window{1, 1}, Window{0, 1}, Window{2, ~0ull}, Window{99, 1});
  const spec::System system = spec::load_system("mk2-4x4");
  const Traffic traffic = traffic_of(system, 7);
  Chips plain(system, Backend::kModel);
  load(plain, traffic);
  const End should = finish(plain, 4);
  check_end(should);
  unsigned made = 0;
  Chips chips(system, [&](uint32_t c) {
    const spec::Machine& m = system.chips[c];
    return chip::make_switch_chip(
        chip::make_model_chip(m),
        [&made, m] {
          ++made;
          return chip::make_linked_chip(Backend::kRtl, m);
        },
        window.from, window.count);
  });
  load(chips, traffic);
  CHECK(finish(chips, 4) == should);
  // One that passes on packets of others at its last boundary stays what it is.
  CHECK((window.from == 99 ? made == 0 : made >= 2));
}

TEST_CASE("A file of a system is of that system") {
  const spec::System system = spec::load_system("mk2-4x2");
  std::vector<chip::Checkpoint> chips;
  {
    Chips one(system, Backend::kModel);
    load(one, traffic_of(system, 1));
    one.run(~uint64_t{0}, kLimit);
    for (uint32_t c = 0; c < 2; ++c) chips.push_back(chip::take_checkpoint(one[c]));
  }
  const std::string path = TESSERA_TEST_FOLDER "/handed_over_test.checkpoint";
  chip::save_checkpoints(chips, path);
  CHECK(chip::load_checkpoints(path, system).size() == 2);
  using Catch::Matchers::Equals;
  CHECK_THROWS_WITH(chip::load_checkpoints(path, spec::load_system("mk2-4x4")),
                    Equals(path + ": the checkpoint is of a system of 2 chips, mk2-4x4 has 4"));
  CHECK_THROWS_WITH(chip::load_checkpoints(path, spec::load_system("mk2-16x2")),
                    Equals(path + ": the checkpoint's chip 0 is of machine mk2-4, that of mk2-16x2 is mk2-16"));
  CHECK_THROWS_WITH(chip::load_checkpoints(path + ".gone", system), Equals(path + ".gone: cannot be read"));
  CHECK_THROWS_AS(chip::save_checkpoints(chips, "/nowhere/a.checkpoint"), chip::BadCheckpoint);
}
