// Whole programs on the chip of model tiles: what they compute, and the cycles that the pages fix.
#include <catch2/catch.hpp>

#include "sim/engine/model_chip.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::DebugSpace;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1000000;

uint32_t word(chip::Chip& chip, unsigned tile, uint32_t address) {
  return chip.debug_read(tile, DebugSpace::kMemory, 0, address);
}

uint32_t sum_of(unsigned tile) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < kWords; ++i) sum += sent_word(tile, i);
  return sum;
}

}  // namespace

TEST_CASE("tiles exchange words in a ring, any distance apart") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk2-16", "mk1-4", "small-4"));
  for (unsigned shift = 0; shift < m.tiles(); ++shift) {
    const auto chip = chip::make_model_chip(m);
    load_and_start(*chip, ring_program(m, shift));
    const auto stop = chip->run(kLimit, 0);
    REQUIRE(stop.reason == StopReason::kHostSync);
    for (unsigned t = 0; t < m.tiles(); ++t) {
      CHECK(word(*chip, t, Places(m).result) == sum_of((t + shift) % m.tiles()));
      for (unsigned w = 0; w < 6; ++w)
        CHECK(word(*chip, t, Places(m).sent + 16 * w + 1024) == sent_word(t, 4 * w) + w + 1);
    }
    CHECK(chip->counters().supersteps == 1);
  }
}

TEST_CASE("one tile's words reach all tiles") {
  const auto m = spec::load_machine("mk2-16");
  const unsigned source = 9;
  const auto chip = chip::make_model_chip(m);
  load_and_start(*chip, multicast_program(m, source));
  REQUIRE(chip->run(kLimit, 0).reason == StopReason::kHostSync);
  for (unsigned t = 0; t < m.tiles(); ++t) CHECK(word(*chip, t, Places(m).result) == sum_of(source));
}

TEST_CASE("tiles write host memory and read it back") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk1-4", "small-4"));
  const unsigned words = GENERATE(1, 7, 256);
  const auto chip = chip::make_model_chip(m);
  HostMemory host(m);
  chip->attach(&host);
  load_and_start(*chip, host_memory_program(m, words));
  const auto stop = chip->run(kLimit, 0);
  INFO(chip->waits()[0].state << " " << int(chip->exception(0).cause));
  REQUIRE(stop.reason == StopReason::kHostSync);
  for (unsigned t = 0; t < m.tiles(); ++t)
    for (unsigned i = 0; i < words; ++i) {
      CHECK(host.word(0x1000 * (t + 1) + 4 * i) == sent_word(t, i));
      CHECK(word(*chip, t, Places(m).received + 4 * i) == sent_word(t, i));
    }
}

TEST_CASE("tiles write remote memory at addresses of 40 bits and read it back") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk1-4", "small-4"));
  const unsigned words = GENERATE(1, 7, 256);
  const auto chip = chip::make_model_chip(m);
  HostMemory host(m);
  chip->attach(&host);
  load_and_start(*chip, remote_memory_program(m, words));
  REQUIRE(chip->run(kLimit, 0).reason == StopReason::kHostSync);
  for (unsigned t = 0; t < m.tiles(); ++t)
    for (unsigned i = 0; i < words; ++i) {
      CHECK(host.remote_word(kRemote + 0x1000 * (t + 1) + 4 * i) == sent_word(t, i));
      CHECK(word(*chip, t, Places(m).received + 4 * i) == sent_word(t, i));
    }
}

TEST_CASE("consensus ends a loop in all tiles at once, and the mark comes with the host sync") {
  const auto m = spec::load_machine("mk2-16");
  const auto chip = chip::make_model_chip(m);
  load_and_start(*chip, consensus_program(m));
  const auto stop = chip->run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kHostSync);
  chip->mark(stop.cycle + 1000, 0x1234);
  REQUIRE(chip->run(kLimit, 0).reason == StopReason::kException);
  for (unsigned t = 0; t < m.tiles(); ++t) {
    CHECK(word(*chip, t, Places(m).result) == m.tiles());
    CHECK(word(*chip, t, Places(m).result + 4) == 0x1234);
    CHECK(chip->exception(t).cause == 2);
    CHECK(chip->exception(t).value == 2);
    CHECK(chip->exception(t).cycle > stop.cycle + 1000 + m.external_acknowledge);
  }
  CHECK(chip->counters().supersteps == m.tiles());
}

TEST_CASE("a tile that never syncs is found by the budget") {
  const auto m = spec::load_machine("mk2-4");
  ChipProgram program(m.tiles());
  for (auto& p : program) p.sync(2);
  program[2] = TileProgram();
  program[2].delay(3);
  const uint32_t loop = program[2].here();
  program[2].loop_forever();
  const auto chip = chip::make_model_chip(m);
  load_and_start(*chip, program);
  const auto stop = chip->run(kLimit, 5000);
  REQUIRE(stop.reason == StopReason::kBudget);
  CHECK(stop.tile == 2);
  CHECK(chip->waits()[2].state == "computing");
  CHECK(chip->waits()[2].supervisor_pc == loop);
  CHECK(chip->waits()[3].state == "waits at internal sync");
}

TEST_CASE("a receive that nobody sends to is an exchange exception of that tile") {
  const auto m = spec::load_machine("mk2-4");
  ChipProgram program(m.tiles());
  for (unsigned t = 0; t < m.tiles(); ++t) {
    const uint32_t events = program[t].begin_events();
    if (t == 1) {
      program[t].event(true, true, 50, kReceived, 1, 3);
      program[t].arm(events);
    }
    program[t].sync(2);
    program[t].sync(1);
    program[t].sync(2);
  }
  const auto chip = chip::make_model_chip(m);
  load_and_start(*chip, program);
  const auto stop = chip->run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kException);
  CHECK(stop.tile == 1);
  CHECK(chip->exception(1).cause == 13);
  CHECK(chip->exception(1).value == kReceived);
  CHECK(chip->waits()[0].state == "waits at internal sync");
}

TEST_CASE("tiles at different zones are a deadlock") {
  const auto m = spec::load_machine("mk2-4");
  ChipProgram program(m.tiles());
  for (unsigned t = 0; t < m.tiles(); ++t) program[t].sync(t == 3 ? 4 : 2);
  const auto chip = chip::make_model_chip(m);
  load_and_start(*chip, program);
  REQUIRE(chip->run(kLimit, 0).reason == StopReason::kDeadlock);
  CHECK(chip->waits()[3].state == "waits at host sync");
}

TEST_CASE("a reset chip repeats the same run") {
  const auto m = spec::load_machine("mk2-4");
  const auto chip = chip::make_model_chip(m);
  uint64_t hash[2], cycle[2];
  for (int i = 0; i < 2; ++i) {
    load_and_start(*chip, ring_program(m, 1));
    cycle[i] = chip->run(kLimit, 0).cycle;
    hash[i] = chip->memory_hash();
    chip->reset();
    CHECK(chip->cycle() == 0);
  }
  CHECK(hash[0] == hash[1]);
  CHECK(cycle[0] == cycle[1]);
  CHECK(chip->memory_hash() != hash[0]);
}
