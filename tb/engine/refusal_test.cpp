// A packet that host or remote memory refuses: where the chip stops, and that it is told alike by RTL and model, whole
// and in pieces, in lockstep and when the past is repeated.
#include <memory>

#include <catch2/catch.hpp>
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/port/checkpoint.h"
#include "sim/port/journal.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 10'000'000;
const spec::Machine kMachine = spec::load_machine("mk2-4");

// Memory up to `end`; what lies behind is refused.
struct ShortMemory : HostMemory {
  explicit ShortMemory(uint32_t memory_end) : HostMemory(kMachine), end(memory_end) {}
  const uint32_t end;
  bool reaches(uint64_t, uint32_t address, size_t words, bool) override { return address + 4 * words <= end; }
};

chip::Stop run(chip::Chip& chip, chip::HostBus& host, const ChipProgram& program, uint64_t piece = kLimit) {
  chip.attach(&host);
  load_and_start(chip, program);
  chip::Stop stop;
  do {
    stop = chip.run(std::min(kLimit, chip.cycle() + piece), 0);
  } while (stop.reason == StopReason::kLimit && stop.cycle < kLimit);
  return stop;
}

void check_equal(const chip::Stop& one, const chip::Stop& other) {
  CHECK(one.reason == other.reason);
  CHECK(one.cycle == other.cycle);
  CHECK(one.tile == other.tile);
  REQUIRE(one.refusal.has_value());
  REQUIRE(other.refusal.has_value());
  CHECK(one.refusal->cycle == other.refusal->cycle);
  CHECK(one.refusal->sent == other.refusal->sent);
  CHECK(one.refusal->tile == other.refusal->tile);
  CHECK(one.refusal->write == other.refusal->write);
  CHECK(one.refusal->remote == other.refusal->remote);
  CHECK(one.refusal->address == other.refusal->address);
  CHECK(one.refusal->words == other.refusal->words);
}

// Tile 2 alone writes to the host, and all go on through two syncs to a trap.
ChipProgram one_writer() {
  ChipProgram tiles(kMachine.tiles(), TileProgram(Places(kMachine)));
  for (unsigned t = 0; t < kMachine.tiles(); ++t) {
    TileProgram& p = tiles[t];
    p.data(p.places().sent,
           {spec::PacketHeader{.words = 1, .tile = 2, .kind = spec::PacketKind::kWriteHost}.encode(), 0x8000, 77});
    p.sync(3);
    if (t == 2) p.hsend(p.places().sent, 3);
    p.sync(2);
    p.delay(200);
    p.sync(2);
    p.trap(1);
  }
  return tiles;
}

}  // namespace

TEST_CASE("the sender of a refused write stands still, and the chip stops when nothing else can move") {
  const auto program = one_writer();
  ShortMemory host(0x8000), whole(0x9000);
  const auto model = chip::make_model_chip(kMachine), rtl = chip::make_rtl_chip(kMachine);
  const chip::Stop stop = run(*model, host, program);
  REQUIRE(stop.reason == StopReason::kRefused);
  CHECK(stop.tile == 2);
  CHECK(stop.refusal->write);
  CHECK(stop.refusal->address == 0x8000);
  CHECK(stop.refusal->words == 1);
  CHECK(model->counters().supersteps == 0);  // the sender does not come to the sync
  CHECK(model->waits().at(2).state == "stopped by a refused packet");
  CHECK(model->waits().at(1).state == "waits at internal sync");
  check_equal(stop, run(*rtl, host, program));
  check_equal(stop, model->run(kLimit, 0));  // it stays so
  for (const uint64_t piece : {1, 7, 100}) {
    const auto again = chip::make_model_chip(kMachine);
    check_equal(stop, run(*again, host, program, piece));
  }
  const auto fine = chip::make_model_chip(kMachine);
  CHECK(run(*fine, whole, program).reason == StopReason::kException);
  model->reset();
  CHECK(run(*model, whole, program).reason == StopReason::kException);
}

TEST_CASE("a refused read has no answer, and is told instead of the deadlock") {
  // Tile t reaches 0x1000 bytes from 0x1000 (t + 1) on; they write before they read.
  const auto program = host_memory_program(kMachine, 4);
  struct ReadsRefused : ShortMemory {
    ReadsRefused() : ShortMemory(0x10000) {}
    bool reaches(uint64_t cycle, uint32_t address, size_t words, bool write) override {
      return write && ShortMemory::reaches(cycle, address, words, write);
    }
  } host;
  const auto model = chip::make_model_chip(kMachine), rtl = chip::make_rtl_chip(kMachine);
  const chip::Stop stop = run(*model, host, program);
  REQUIRE(stop.reason == StopReason::kRefused);
  CHECK(!stop.refusal->write);
  CHECK(stop.refusal->words == 4);
  CHECK(stop.refusal->address == 0x1000 * (stop.tile + 1));
  check_equal(stop, run(*rtl, host, program));
  const auto both =
      chip::make_lockstep_chip(chip::make_rtl_chip(kMachine), chip::make_model_chip(kMachine), {"rtl", "model"});
  check_equal(stop, run(*both, host, program));
}

TEST_CASE("remote memory refuses alike: what lies outside, and all of a chip without a gateway") {
  const auto program = remote_memory_program(kMachine, 4);
  struct Short : HostMemory {
    explicit Short(uint64_t memory_end) : HostMemory(kMachine), end(memory_end) {}
    const uint64_t end;
    bool remote_reaches(uint64_t, uint64_t address, size_t words, bool) override { return address + 4 * words <= end; }
  };
  // Tile t reaches from kRemote + 0x1000 (t + 1) on: the last has a word too few, then nobody has any.
  for (const uint64_t end : {kRemote + 0x4000 + 12, uint64_t{0}}) {
    Short host(end), other_host(end), both_host(end);
    const auto model = chip::make_model_chip(kMachine), rtl = chip::make_rtl_chip(kMachine);
    const chip::Stop stop = run(*model, host, program);
    REQUIRE(stop.reason == StopReason::kRefused);
    CHECK(stop.refusal->remote);
    CHECK(stop.refusal->write);
    CHECK(stop.refusal->words == 4);
    CHECK(stop.refusal->address == kRemote + 0x1000 * (stop.tile + 1));
    if (end > 0) CHECK(stop.tile == 3);
    CHECK(host.cycles().size() == (end > 0 ? 6 : 0));  // the others have written and read
    check_equal(stop, run(*rtl, other_host, program));
    const auto both =
        chip::make_lockstep_chip(chip::make_rtl_chip(kMachine), chip::make_model_chip(kMachine), {"rtl", "model"});
    check_equal(stop, run(*both, both_host, program));
  }
  // A bus that says nothing of remote memory has none.
  struct Plain : chip::HostBus {
    void write(uint64_t, uint32_t, std::span<const uint32_t>) override {}
    uint64_t read(uint64_t cycle, uint32_t, std::span<uint32_t>) override { return cycle; }
  } plain;
  const auto model = chip::make_model_chip(kMachine);
  CHECK(run(*model, plain, program).refusal.value().remote);
}

TEST_CASE("refusals of host and remote memory are in the journal") {
  const bool remote = GENERATE(false, true);
  const auto program = remote ? remote_memory_program(kMachine, 4) : one_writer();
  chip::Journal journal;
  struct Kept : ShortMemory {
    explicit Kept(chip::Journal& j) : ShortMemory(0x8000), journal(j) {}
    chip::Journal& journal;
    bool remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) override {
      journal.add(chip::Journal::HostRefusal{cycle, address, words, write, true});
      return false;
    }
    bool reaches(uint64_t cycle, uint32_t address, size_t words, bool write) override {
      const bool there = ShortMemory::reaches(cycle, address, words, write);
      if (!there) journal.add(chip::Journal::HostRefusal{cycle, address, words, write});
      return there;
    }
  } host(journal);
  const auto chip = chip::make_model_chip(kMachine);
  chip->attach(&host);
  load_and_start(*chip, program);
  const auto before = chip->snapshot();
  const chip::Stop stop = chip->run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kRefused);
  chip->restore(*before);
  chip::Journal::Place place;
  journal.replay(place, *chip, stop.cycle, &host);
  check_equal(stop, chip->run(kLimit, 0));
  CHECK_THROWS_AS(chip->checkpoint(), std::logic_error);
}
