// What was done to a chip, done again to another.
#include <catch2/catch.hpp>

#include "sim/engine/chip_journal.h"
#include "tests/machine/fake_chip.h"

namespace {

using namespace tessera;
using test::Step;

constexpr uint32_t kBase = 0x4c000;
constexpr uint64_t kForEver = ~uint64_t{0};

// Host memory whose words count up with every read.
struct CountingBus : chip::HostBus {
  uint32_t next = 1;
  unsigned writes = 0;
  void write(uint64_t, uint32_t, std::span<const uint32_t>) override { ++writes; }
  uint64_t read(uint64_t cycle, uint32_t, std::span<uint32_t> words) override {
    for (uint32_t& word : words) word = next++;
    return cycle + 100 * next;
  }
};

constexpr uint32_t step(Step what) { return static_cast<uint32_t>(what); }

struct Bench {
  spec::Machine machine = spec::load_machine("mk2-4");
  std::shared_ptr<chip::ChipJournal> journal = std::make_shared<chip::ChipJournal>();
  std::unique_ptr<chip::Chip> chip = chip::make_journal_chip(std::make_unique<test::FakeChip>(machine), journal);
  CountingBus bus;

  Bench() { chip->attach(&bus); }
  void run_some() {
    chip->load(0, kBase,
               std::vector<uint32_t>{step(Step::kHostSync), kBase + 512, 0, 0,   //
                                     step(Step::kHostRead), 0, 3, kBase + 520,   //
                                     step(Step::kHostWrite), 0, 3, kBase + 520,  //
                                     step(Step::kAgain), 0, 0, 0});
    chip->debug_write(2, chip::DebugSpace::kMemory, 0, kBase + 4, 99);
    for (uint16_t mark = 1; mark < 4; ++mark) {
      REQUIRE(chip->run(kForEver, 0).reason == chip::StopReason::kHostSync);
      chip->debug_read(0, chip::DebugSpace::kMemory, 0, kBase);
      chip->mark(chip->cycle() + 7, mark);
    }
    chip->run(kForEver, 0);
  }
};

TEST_CASE_METHOD(Bench, "a replay brings another chip to the same cycle and memory without the host") {
  run_some();
  CHECK(bus.writes == 3);
  test::FakeChip other(machine);
  journal->replay(other);
  CHECK(other.cycle() == chip->cycle());
  CHECK(other.memory_hash() == chip->memory_hash());
  CHECK(other.marks.size() == 3);
  CHECK(bus.writes == 3);
}

TEST_CASE_METHOD(Bench, "a reset empties the journal") {
  run_some();
  chip->reset();
  CHECK(journal->entries.empty());
  CHECK(journal->reads.empty());
  run_some();
  test::FakeChip other(machine);
  journal->replay(other);
  CHECK(other.memory_hash() == chip->memory_hash());
}

TEST_CASE_METHOD(Bench, "a chip that asks for more than the journal holds is left where it is") {
  run_some();
  journal->reads.pop_back();
  test::FakeChip other(machine);
  CHECK_NOTHROW(journal->replay(other));
  CHECK(other.memory_hash() != chip->memory_hash());
}

}  // namespace
