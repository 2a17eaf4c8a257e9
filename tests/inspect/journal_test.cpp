// What was done to a chip, done again to another: from its beginning, or from a place on the way.
#include "sim/port/journal.h"

#include <catch2/catch.hpp>

#include "inspect/recording.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::DebugSpace;
using chip::StopReason;

namespace {

constexpr uint64_t kFar = 1'000'000;
const spec::Machine kMachine = spec::load_machine("mk2-4");

// Runs a program that reads and writes host and remote memory, with everything else that a client does.
struct Bench {
  HostMemory host{kMachine};
  inspect::Recording recording{chip::make_chip(Backend::kModel, kMachine), {.snapshots = false, .whole_journal = true}};
  uint64_t load = 0, end = 0, memory = 0;

  void run() {
    recording.attach(&host);
    load_and_start(recording, mixed_memory_program(kMachine, 19));
    for (unsigned syncs = 0;; ++syncs) {
      const chip::Stop stop = recording.run(kFar, 0);
      if (stop.reason != StopReason::kHostSync || syncs == 2) break;
      recording.debug_read(1, DebugSpace::kMemory, 0, kResult);
      load = recording.cycle();
      recording.load(2, kResult + 128, std::vector<uint32_t>(9, 11 + syncs));
      recording.debug_write(chip::kNoTile, DebugSpace::kMemory, 0, kResult + 64, 99);
      recording.mark(recording.cycle() + 30, 1);
    }
    end = recording.cycle();
    memory = recording.memory_hash();
  }
};

}  // namespace

TEST_CASE_METHOD(Bench,
                 "a journal brings another chip, of any backend, to the same cycle and memory without the host") {
  run();
  const size_t accesses = host.cycles().size();
  REQUIRE(accesses > 0);
  const auto other = chip::make_chip(GENERATE(Backend::kModel, Backend::kRtl), kMachine);
  chip::Journal::Place place;
  recording.journal().replay(place, *other, end);
  CHECK(other->cycle() == end);
  CHECK(other->memory_hash() == memory);
  CHECK(host.cycles().size() == accesses);
  CHECK(place.entry == recording.journal().end().entry);
  CHECK(place.answer == recording.journal().end().answer);
}

TEST_CASE_METHOD(Bench, "a replay goes on where it was, also in the middle of a load") {
  run();
  const auto other = chip::make_chip(Backend::kModel, kMachine);
  chip::Journal::Place place;
  for (const uint64_t cycle : {end / 3, load + 4, load + 5, end}) {
    recording.journal().replay(place, *other, cycle);
    CHECK(other->cycle() == cycle);
  }
  CHECK(other->memory_hash() == memory);
}

TEST_CASE_METHOD(Bench, "a reset empties the journal") {
  run();
  recording.reset();
  CHECK(recording.journal().end().entry == 0);
  CHECK(recording.journal().end().answer == 0);
  CHECK(recording.journal().bytes() == 0);
  run();
  const auto other = chip::make_chip(Backend::kModel, kMachine);
  chip::Journal::Place place;
  recording.journal().replay(place, *other, end);
  CHECK(other->memory_hash() == memory);
}

TEST_CASE_METHOD(Bench, "a chip that asks host memory for more than the journal's did is told of") {
  run();
  chip::Journal shorter = recording.journal();
  chip::Journal::Place last = shorter.end();
  --last.answer;
  shorter.forget_after(last, end);
  const auto other = chip::make_chip(Backend::kModel, kMachine);
  chip::Journal::Place place;
  CHECK_THROWS_WITH(shorter.replay(place, *other, end),
                    Catch::Matchers::ContainsText("another read of host or remote memory"));
}
