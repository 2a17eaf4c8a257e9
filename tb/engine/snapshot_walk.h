// Walks through a run with random stops; at each it takes a snapshot, goes on, comes back and goes on again in other
// steps: both must tell the same and end in the same state.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "sim/port/chip.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

namespace tessera::test {

inline auto account(const chip::Counters& c) {
  return std::tuple(c.cycles, c.evaluated, c.supersteps, c.compute, c.sync, c.exchange, c.host);
}

class SnapshotWalk {
 public:
  // `host`: attached to the chip, and a part of the state. `marks`: the answer to a host sync.
  SnapshotWalk(chip::Chip& chip, HostMemory& host, uint16_t mark, unsigned seed)
      : chip_(chip), host_(host), mark_(mark), random_(seed) {}

  bool ended() const { return ended_; }

  // Runs to `end` or the end of the program, answering host syncs, in steps of at most `step` cycles.
  void run_to(uint64_t end, uint64_t step) {
    ended_ = false;
    while (chip_.cycle() < end && !ended_) {
      const auto stop = chip_.run(std::min(end, chip_.cycle() + step), 0);
      if (stop.reason == chip::StopReason::kHostSync && ++syncs_ <= kSyncs)
        chip_.mark(stop.cycle + 100, mark_);
      else
        ended_ = stop.reason != chip::StopReason::kLimit && stop.reason != chip::StopReason::kSuperstep;
    }
  }

  // One stop after up to `most` cycles; looks up to `most` cycles ahead twice.
  void stop_once(uint64_t most, bool hash) {
    run_to(chip_.cycle() + 1 + random_() % most, kFar);
    const auto snapshot = chip_.snapshot();
    const HostMemory host = host_;
    const unsigned syncs = syncs_;
    const uint64_t here = chip_.cycle(), ahead = here + 1 + random_() % most;
    REQUIRE(snapshot->cycle() == here);
    EventList first(chip_.machine().tiles()), second(chip_.machine().tiles());

    chip_.observe(&first);
    run_to(ahead, kFar);
    const auto counters = account(chip_.counters());
    const uint64_t memory = hash ? chip_.memory_hash() : 0;

    chip_.restore(*snapshot);
    host_ = host;
    syncs_ = syncs;
    REQUIRE(chip_.cycle() == here);
    chip_.observe(&second);
    run_to(ahead, 1 + random_() % 50);
    chip_.observe(nullptr);
    REQUIRE(first.difference(second) == "");
    REQUIRE(account(chip_.counters()) == counters);
    if (hash) REQUIRE(chip_.memory_hash() == memory);
    told_ += first.size();

    chip_.restore(*snapshot);
    host_ = host;
    syncs_ = syncs;
    ended_ = false;
    run_to(here + 1, 1);
  }

  size_t told() const { return told_; }

 private:
  static constexpr uint64_t kFar = 1u << 30;
  static constexpr unsigned kSyncs = 1;
  chip::Chip& chip_;
  HostMemory& host_;
  const uint16_t mark_;
  std::mt19937 random_;
  unsigned syncs_ = 0;
  bool ended_ = false;
  size_t told_ = 0;
};

}  // namespace tessera::test
