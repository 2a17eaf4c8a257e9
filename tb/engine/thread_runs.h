// Runs of one program on chips of one thread and of several: the same stops, counters, memories and events, whoever
// watches.
#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/port/chip.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"
#include "tb/random/chip_program.h"
#include "tb/random/random.h"

namespace tessera::test {

enum class Watch { kNobody, kApart, kOneByOne };

// What it hears of each tile; and, where tiles are told one by one, in which order they were.
class Heard : public EventList {
 public:
  Heard(unsigned tiles, bool apart) : EventList(tiles), apart_(apart) {}
  bool tiles_apart() const override { return apart_; }
  void retire(unsigned tile, const chip::Retire& r) override {
    order(tile);
    EventList::retire(tile, r);
  }
  void sent(unsigned tile, uint64_t cycle, uint32_t data) override {
    order(tile);
    EventList::sent(tile, cycle, data);
  }
  std::vector<unsigned> tiles;

 private:
  void order(unsigned tile) {
    if (!apart_) tiles.push_back(tile);
  }
  const bool apart_;
};

struct Outcome {
  std::vector<uint64_t> stops;
  std::vector<uint64_t> counters;
  uint64_t memory = 0;
  bool operator==(const Outcome&) const = default;
};

// To the end, answering host syncs, cut into runs of random lengths.
inline Outcome run_in_parts(chip::Chip& chip, uint64_t seed) {
  Outcome outcome;
  Random random(seed);
  for (;;) {
    const chip::Stop stop = chip.run(chip.cycle() + 1 + random.below(random.one_in(2) ? 60 : 20'000), 0);
    outcome.stops.insert(outcome.stops.end(), {static_cast<uint64_t>(stop.reason), stop.cycle, stop.tile});
    if (stop.reason == chip::StopReason::kHostSync)
      chip.mark(stop.cycle + 500, 9);
    else if (stop.reason != chip::StopReason::kLimit)
      break;
  }
  const chip::Counters n = chip.counters();
  outcome.counters = {n.cycles, n.evaluated, n.supersteps, n.compute, n.sync, n.exchange, n.transfer, n.host};
  outcome.memory = chip.memory_hash();
  return outcome;
}

// A chip of the machine that runs on so many threads.
using MakeChip = std::function<std::unique_ptr<chip::Chip>(const spec::Machine&, unsigned threads)>;

// Runs what `start` puts on the chip on 1 and more threads; returns how many runs on several there were.
inline unsigned compare_threads(const spec::Machine& machine, const MakeChip& make, uint64_t seed,
                                const std::function<void(chip::Chip&)>& start) {
  unsigned runs = 0;
  for (const Watch watch : {Watch::kNobody, Watch::kApart, Watch::kOneByOne}) {
    const auto on = [&](unsigned threads, Heard& heard) {
      const auto chip = make(machine, threads);
      HostMemory host(machine);
      chip->attach(&host);
      if (watch != Watch::kNobody) chip->observe(&heard);
      start(*chip);
      const Outcome outcome = run_in_parts(*chip, seed);
      chip->observe(nullptr);
      return outcome;
    };
    Heard expected(machine.tiles(), watch == Watch::kApart);
    const Outcome one = on(1, expected);
    CHECK((watch == Watch::kNobody) == (expected.size() == 0));
    for (const unsigned threads : {2u, 3u, 7u}) {
      INFO(machine.name << " threads " << threads << " watch " << static_cast<int>(watch) << " seed " << seed);
      Heard heard(machine.tiles(), watch == Watch::kApart);
      const Outcome several = on(threads, heard);
      CHECK(several.stops == one.stops);
      CHECK(several.counters == one.counters);
      CHECK(several.memory == one.memory);
      CHECK(heard.difference(expected) == "");
      CHECK(heard.tiles == expected.tiles);
      ++runs;
    }
  }
  return runs;
}

inline unsigned compare_threads(const spec::Machine& machine, const MakeChip& make, uint64_t seed) {
  const auto program = random_chip_program(seed, machine, 12);
  return compare_threads(machine, make, seed, [&](chip::Chip& chip) {
    for (unsigned tile = 0; tile < machine.tiles(); ++tile)
      for (const auto& image : program.images[tile]) chip.load(tile, image.address, image.words);
    chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, program.entry);
  });
}

inline unsigned compare_threads(const spec::Machine& machine, const MakeChip& make, const ChipProgram& program) {
  return compare_threads(machine, make, 1, [&](chip::Chip& chip) { load_and_start(chip, program); });
}

}  // namespace tessera::test
