// The chip of verilated tiles against the chip of model tiles: every record, every cycle number, every memory word.
#include <catch2/catch.hpp>

#include "sim/engine/lockstep.h"
#include "sim/engine/rtl_chip.h"
#include "sim/port/chip.h"
#include "sim/port/tile.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1000000;

// Runs the program on both, answering one host sync, with at most `step` cycles a run() call; expects `end`.
void compare(const spec::Machine& m, const ChipProgram& program, StopReason end, uint64_t step = kLimit,
             uint64_t budget = 0) {
  const std::unique_ptr<chip::Chip> chips[2] = {chip::make_chip(Backend::kRtl, m), chip::make_chip(Backend::kModel, m)};
  chip::Lockstep lockstep(m.tiles(), {});
  chip::Observer* const observers[2] = {&lockstep.left(), &lockstep.right()};
  HostMemory hosts[2] = {HostMemory(m), HostMemory(m)};
  chip::Stop sync[2], stop[2];
  for (int i = 0; i < 2; ++i) {
    chip::Chip& chip = *chips[i];
    chip.attach(&hosts[i]);
    chip.observe(observers[i]);
    load_and_start(chip, program);
    const auto run = [&] {
      chip::Stop result;
      do result = chip.run(chip.cycle() + step, budget);
      while (result.reason == StopReason::kLimit && chip.cycle() < kLimit);
      return result;
    };
    stop[i] = sync[i] = run();
    if (sync[i].reason != StopReason::kHostSync) continue;
    chip.mark(sync[i].cycle + 123, 0x4321);
    stop[i] = run();
  }
  lockstep.finish();
  INFO(lockstep.report());
  CHECK_FALSE(lockstep.differs());
  CHECK(lockstep.compared() > 0);
  CHECK(stop[1].reason == end);
  CHECK(stop[0].reason == stop[1].reason);
  CHECK(sync[0].cycle == sync[1].cycle);
  CHECK(stop[0].cycle == stop[1].cycle);
  CHECK(stop[0].tile == stop[1].tile);
  CHECK(hosts[0].cycles() == hosts[1].cycles());
  for (unsigned t = 0; t < m.tiles(); ++t) {
    const auto rtl = chips[0]->exception(t), model = chips[1]->exception(t);
    CHECK(rtl.cause == model.cause);
    CHECK(rtl.context == model.context);
    CHECK(rtl.pc == model.pc);
    CHECK(rtl.value == model.value);
    CHECK(rtl.cycle == model.cycle);
  }
  const auto rtl = chips[0]->counters(), model = chips[1]->counters();
  CHECK(rtl.cycles == model.cycles);
  CHECK(rtl.evaluated == model.evaluated);
  CHECK(rtl.supersteps == model.supersteps);
  CHECK(rtl.compute == model.compute);
  CHECK(rtl.sync == model.sync);
  CHECK(rtl.exchange == model.exchange);
  CHECK(rtl.host == model.host);
  if (end == StopReason::kBudget)
    CHECK_THROWS_AS(chips[0]->memory_hash(), std::logic_error);  // a tile still runs
  else if (m.tiles() <= 4)                                       // half a second a tile; the records hold every write
    CHECK(chips[0]->memory_hash() == chips[1]->memory_hash());
}

}  // namespace

// One machine of each tile: other addresses, other elements.
#define OF_EACH_TILE GENERATE("mk2-4", "mk1-4", "small-4")

TEST_CASE("RTL and model agree: exchange between any tiles, workers before") {
  const auto m = spec::load_machine(OF_EACH_TILE);
  const uint64_t step = GENERATE(kLimit, 61u);
  for (unsigned shift = 0; shift < m.tiles(); ++shift) compare(m, ring_program(m, shift), StopReason::kException, step);
}

TEST_CASE("RTL and model agree: exchange among 16 tiles") {
  const auto m = spec::load_machine("mk2-16");
  compare(m, ring_program(m, 7), StopReason::kException);
}

TEST_CASE("RTL and model agree: multicast") {
  const auto m = spec::load_machine("mk2-16");
  compare(m, multicast_program(m, 11), StopReason::kException);
}

TEST_CASE("RTL and model agree: host memory") {
  const auto m = spec::load_machine(OF_EACH_TILE);
  compare(m, host_memory_program(m, GENERATE(1, 19, 256)), StopReason::kException);
}

TEST_CASE("RTL and model agree: remote memory, and both") {
  const auto m = spec::load_machine(OF_EACH_TILE);
  compare(m, remote_memory_program(m, GENERATE(1, 19, 256)), StopReason::kException);
  compare(m, mixed_memory_program(m, 19), StopReason::kException);
}

TEST_CASE("RTL and model agree: consensus over supersteps") {
  const auto m = spec::load_machine("mk2-16");
  compare(m, consensus_program(m), StopReason::kException);
}

TEST_CASE("RTL and model agree: exchange exception, deadlock and budget") {
  const auto m = spec::load_machine(OF_EACH_TILE);
  const ChipProgram empty(m.tiles(), TileProgram(Places(m)));
  ChipProgram nobody_sends = empty, zones = empty, endless = empty;
  for (unsigned t = 0; t < m.tiles(); ++t) {
    const uint32_t events = nobody_sends[t].begin_events();
    if (t == 1) {
      nobody_sends[t].event(true, true, 50, Places(m).received, 1, 3);
      nobody_sends[t].arm(events);
    }
    nobody_sends[t].sync(2);
    nobody_sends[t].sync(1);
    nobody_sends[t].sync(2);
    zones[t].sync(t == 3 ? 4 : 2);
    endless[t].delay(t);
    if (t != 2) endless[t].sync(2);
    endless[t].loop_forever();
  }
  compare(m, nobody_sends, StopReason::kException);
  compare(m, zones, StopReason::kDeadlock);
  compare(m, endless, StopReason::kBudget, kLimit, 3000);
}

TEST_CASE("a machine whose tile was not built is refused in one line that says what to do") {
  const auto m =
      spec::parse_machine("base = \"mk2-4\"\nname = \"mine\"\nmemory_bytes = 0x44000\nregion1_base = 0x68000");
  const std::string why =
      "the RTL of machine mine is not built: this build has a tile of mk2, mk1, small-4; configure with "
      "-DTESSERA_TILES=DESCRIPTION (its name or path) and build again, or run it on the model (TESSERA_BACKEND=model)";
  CHECK_THROWS_WITH(chip::make_rtl_chip(m), why);
  CHECK_THROWS_WITH(chip::make_tile(Backend::kRtl, m, 0), why);
  CHECK(chip::make_chip(Backend::kModel, m) != nullptr);
}
