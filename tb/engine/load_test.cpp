// Loads of many words are the debug writes that they stand for: same memory, same time, same events, in every state of
// the chip, on model and RTL; and what a load has written is what then runs.
#include <catch2/catch.hpp>
#include <functional>
#include <random>
#include <tuple>

#include "rtl/spec/machine.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::DebugSpace;

namespace {

constexpr uint64_t kLimit = 1'000'000;

// Two chips that should not differ: one is given whole loads, the other word after word.
class Pair {
 public:
  Pair(Backend backend, const spec::Machine& machine, bool watched)
      : machine_(machine),
        hosts_{HostMemory(machine), HostMemory(machine)},
        events_{EventList(machine.tiles()), EventList(machine.tiles())} {
    for (unsigned i = 0; i < 2; ++i) {
      chips_[i] = chip::make_chip(backend, machine);
      chips_[i]->attach(&hosts_[i]);
      if (watched) chips_[i]->observe(&events_[i]);
    }
  }

  void load(unsigned tile, uint32_t address, const std::vector<uint32_t>& words) {
    chips_[0]->load(tile, address, words);
    for (size_t i = 0; i < words.size(); ++i)
      chips_[1]->debug_write(tile, DebugSpace::kMemory, 0, address + 4 * static_cast<uint32_t>(i), words[i]);
    compare();
  }
  // Somewhere, aligned or not, some of it outside memory, in one tile or in all.
  void load_at_random(std::mt19937& random, uint32_t begin, uint32_t end) {
    const auto number = [&](uint32_t below) { return static_cast<uint32_t>(random() % below); };
    std::vector<uint32_t> words(1 + number(number(4) == 0 ? 9000 : 40));
    for (uint32_t& word : words) word = static_cast<uint32_t>(random());
    load(number(3) == 0 ? chip::kNoTile : number(machine_.tiles()), begin + number(end - begin), words);
  }
  void start(const ChipProgram& program) {
    for (unsigned tile = 0; tile < program.size(); ++tile) {
      for (const auto& [address, word] : program[tile].image()) load(tile, address, {word});
    }
    each([](chip::Chip& chip) { chip.debug_write(chip::kNoTile, DebugSpace::kControl, 0, 0, kCode); });
  }
  chip::Stop run(uint64_t limit = kLimit) {
    const chip::Stop stop = chips_[0]->run(limit, 0), other = chips_[1]->run(limit, 0);
    CHECK(stop.reason == other.reason);
    CHECK(stop.cycle == other.cycle);
    compare();
    return stop;
  }
  void each(const std::function<void(chip::Chip&)>& act) {
    for (const auto& chip : chips_) act(*chip);
    compare();
  }
  uint64_t cycle() const { return chips_[0]->cycle(); }
  bool same_memory() const { return chips_[0]->memory_hash() == chips_[1]->memory_hash(); }

 private:
  void compare() {
    const chip::Counters a = chips_[0]->counters(), b = chips_[1]->counters();
    REQUIRE(chips_[0]->cycle() == chips_[1]->cycle());
    REQUIRE(std::tie(a.cycles, a.evaluated, a.skipped, a.supersteps, a.compute, a.sync, a.exchange, a.host) ==
            std::tie(b.cycles, b.evaluated, b.skipped, b.supersteps, b.compute, b.sync, b.exchange, b.host));
    REQUIRE(events_[0].difference(events_[1]) == "");
  }

  const spec::Machine& machine_;
  HostMemory hosts_[2];
  EventList events_[2];
  std::unique_ptr<chip::Chip> chips_[2];
};

}  // namespace

TEST_CASE("A load is as many debug writes: from the reset on, at a host sync, and in the middle of a run") {
  const auto m = spec::load_machine("mk2-4");
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  const bool watched = GENERATE(false, true);
  std::mt19937 random(7);
  Pair pair(backend, m, watched);
  for (int i = 0; i < 12; ++i) pair.load_at_random(random, m.memory_base - 64, m.memory_end() + 16);
  CHECK(pair.same_memory());
  pair.start(mixed_memory_program(m, 19));
  const uint64_t started = pair.cycle();
  for (uint64_t i = 1; i <= 3; ++i) {
    if (pair.run(started + 60 * i).reason != chip::StopReason::kLimit) break;
    pair.load(static_cast<unsigned>(i), 0x9c000, {1, 2, 3});  // tiles compute and send meanwhile
  }
  REQUIRE(pair.run().reason == chip::StopReason::kHostSync);
  for (int i = 0; i < 6; ++i) pair.load_at_random(random, 0x90000, 0xa0000);
  const uint64_t answered = pair.cycle() + 10;
  pair.each([&](chip::Chip& chip) { chip.mark(answered, 1); });
  pair.run();
  // Other code where there was some: what ran is not what runs.
  pair.start(ring_program(m, 1));
  CHECK(pair.run().reason == chip::StopReason::kHostSync);
  CHECK(pair.same_memory());
}

TEST_CASE("A load into a tile that excepted changes its memory and nothing else") {
  const auto m = spec::load_machine("mk2-4");
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  Pair pair(backend, m, true);
  pair.load(chip::kNoTile, kCode, {0});  // no instruction
  pair.each([](chip::Chip& chip) { chip.debug_write(2, DebugSpace::kControl, 0, 0, kCode); });
  REQUIRE(pair.run().reason == chip::StopReason::kException);
  pair.load(2, 0x90000, {1, 2, 3, 4, 5});
  pair.each([](chip::Chip& chip) {
    CHECK(chip.exception(2).cause != 0);
    CHECK(chip.debug_read(2, DebugSpace::kMemory, 0, 0x90010) == 5);
  });
  CHECK(pair.same_memory());
  pair.each(
      [](chip::Chip& chip) { CHECK_THROWS_AS(chip.load(4, kCode, std::vector<uint32_t>{1}), std::out_of_range); });
}

TEST_CASE("A chip that was loaded and reset is as after power-up") {
  const auto m = spec::load_machine("mk2-4");
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  const auto chip = chip::make_chip(backend, m), fresh = chip::make_chip(backend, m);
  chip->load(chip::kNoTile, m.memory_base + 4, std::vector<uint32_t>(5000, 9));
  chip->reset();
  CHECK(chip->cycle() == 0);
  CHECK(chip->memory_hash() == fresh->memory_hash());
}
