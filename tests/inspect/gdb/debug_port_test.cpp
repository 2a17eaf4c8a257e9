// The hardware's own way to debug, through the registers of the PCIe function: it needs no recorded run, and unlike the
// debugger's server it costs chip time.
#include <array>
#include <catch2/catch.hpp>

#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"
#include "sw/card/client.h"
#include "sw/card/process.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr uint32_t kSupervisor = 0, kIntegers = spec::DebugSpace::kInteger, kControl = spec::DebugSpace::kControl;

// Every tile waits for the host, counts in x5, and waits for the host again.
TileProgram counting() {
  TileProgram tile;
  tile.li(5, 7);
  tile.sync(4);
  for (int n = 0; n < 40; ++n) tile.add(TileProgram::Op::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  tile.sw(5, kResult);
  tile.sync(4);
  tile.trap(1);
  return tile;
}

struct DebugPort {
  card::Client& client;
  void write(uint32_t tile, uint32_t context, uint32_t control, uint32_t value = 0) {
    client.write(spec::kRegDebugSelect,
                 spec::DebugSelect{.tile = tile, .space = kControl, .context_id = context}.encode());
    client.write(spec::kRegDebugAddress, control);
    client.write(spec::kRegDebugData, value);
  }
  uint32_t read(uint32_t tile, uint32_t space, uint32_t number) {
    client.write(spec::kRegDebugSelect, spec::DebugSelect{.tile = tile, .space = space}.encode());
    client.write(spec::kRegDebugAddress, number);
    return client.read(spec::kRegDebugData);
  }
};

uint64_t cycles_with(const std::string& backend, bool debugged) {
  card::Process process(card::find_machine(backend), "mk2-4", backend);
  card::Client client(process.take_socket());
  for (const auto& [address, word] : counting().image()) client.load(chip::kNoTile, address, std::span(&word, 1));
  client.start(chip::kNoTile, kCode);
  DebugPort port{client};
  const auto run = [&] { return client.run(client.counters().cycles + 100000, 0).front(); };
  REQUIRE(run().reason == chip::StopReason::kHostSync);
  if (debugged) port.write(2, kSupervisor, spec::DebugControl::kHalt);
  client.write(spec::kRegMark, 1);
  auto stop = run();
  if (debugged) {
    // The halted tile keeps the others waiting, which is the next place where the chip may be accessed.
    REQUIRE(stop.reason == chip::StopReason::kDeadlock);
    const uint32_t pc = port.read(2, kControl, spec::DebugControl::kPc);
    CHECK(port.read(2, kIntegers, 5) == 7);
    for (uint32_t steps = 1; steps < 4; ++steps) {
      port.write(2, kSupervisor, spec::DebugControl::kStep);
      REQUIRE(run().reason == chip::StopReason::kDeadlock);
      CHECK(port.read(2, kControl, spec::DebugControl::kPc) == pc + 4 * steps);
      CHECK(port.read(2, kIntegers, 5) == 7 + steps);
    }
    port.write(2, kSupervisor, spec::DebugControl::kResume);
    stop = run();
  }
  CHECK(stop.reason == chip::StopReason::kHostSync);
  for (uint32_t tile = 0; tile < 4; ++tile) CHECK(client.peek(tile, kResult, 1).at(0) == 47);
  return stop.cycle;
}

}  // namespace

TEST_CASE("halt, look, step and resume by registers of the card: the same results, but later") {
  for (const std::string backend : {"model", "rtl"})
    CHECK(cycles_with(backend, true) > cycles_with(backend, false) + 40);
}

TEST_CASE("a breakpoint and a watchpoint stop the chip, and the program goes on to the same results") {
  const std::string backend = GENERATE("model", "rtl");
  card::Process process(card::find_machine(backend), "mk2-4", backend);
  card::Client client(process.take_socket());
  for (const auto& [address, word] : counting().image()) client.load(chip::kNoTile, address, std::span(&word, 1));
  client.start(chip::kNoTile, kCode);
  DebugPort port{client};
  const auto run = [&] { return client.run(client.counters().cycles + 100000, 0).front().reason; };
  REQUIRE(run() == chip::StopReason::kHostSync);
  // The tenth of the instructions that count, and what is stored of x5.
  const uint32_t first = port.read(2, kControl, spec::DebugControl::kPc) + 4 * 9;
  port.write(2, kSupervisor, spec::DebugControl::kBreakpoint1,
             spec::Breakpoint{.enabled = true, .word_pc = first / 4}.encode());
  port.write(1, spec::kAllContexts, spec::DebugControl::kWatchpoint,
             spec::Watchpoint{.writes = true, .word_address = kResult / 4, .size = 2}.encode());
  client.write(spec::kRegMark, 1);
  REQUIRE(run() == chip::StopReason::kDeadlock);  // tiles 0 and 3 wait for 1 and 2, which stand
  CHECK(port.read(2, kControl, spec::DebugControl::kTriggered) == spec::Triggered{.stands_before = 1}.encode());
  CHECK(port.read(1, kControl, spec::DebugControl::kTriggered) == spec::Triggered{.stands_behind = 1}.encode());
  CHECK(port.read(0, kControl, spec::DebugControl::kTriggered) == 0);
  CHECK(port.read(2, kControl, spec::DebugControl::kPc) == first);
  CHECK(port.read(2, kIntegers, 5) == 16);
  CHECK(client.peek(1, kResult, 1).at(0) == 47);
  CHECK(client.peek(2, kResult, 1).at(0) == 0);
  port.write(2, spec::kAllContexts, spec::DebugControl::kResume);
  REQUIRE(run() == chip::StopReason::kDeadlock);
  CHECK(client.peek(2, kResult, 1).at(0) == 47);
  port.write(1, spec::kAllContexts, spec::DebugControl::kResume);
  REQUIRE(run() == chip::StopReason::kHostSync);
  for (uint32_t tile = 0; tile < 4; ++tile) CHECK(client.peek(tile, kResult, 1).at(0) == 47);
}

TEST_CASE("a tile at work refuses what would meet it, in one line, and answers when it is halted") {
  const std::string backend = GENERATE("model", "rtl");
  card::Process process(card::find_machine(backend), "mk2-4", backend);
  card::Client client(process.take_socket());
  for (const auto& [address, word] : counting().image()) client.load(chip::kNoTile, address, std::span(&word, 1));
  client.start(chip::kNoTile, kCode);
  REQUIRE(client.run(client.counters().cycles + 100'000, 0).front().reason == chip::StopReason::kHostSync);
  CHECK(client.settled(2));
  client.write(spec::kRegMark, 1);
  while (client.settled(2))
    REQUIRE(client.run(client.counters().cycles + 20, 0).front().reason == chip::StopReason::kLimit);
  const std::string told = "tile 2 is at work and was not read: halt it first";
  CHECK_THROWS_WITH(client.peek(2, kResult, 1), told);
  CHECK_THROWS_AS(client.debug_read(2, chip::DebugSpace::kInteger, 0, 5), card::AtWork);
  CHECK_THROWS_WITH(client.debug_write(2, chip::DebugSpace::kInteger, 0, 5, 1000),
                    "tile 2 is at work and was not written: halt it first");
  CHECK_THROWS_WITH(client.load(chip::kNoTile, kResult, std::array{1000u}),
                    "a tile is at work and was not written: halt it first");
  CHECK_FALSE(client.settled(2));
  CHECK(client.debug_read(2, chip::DebugSpace::kControl, 0, spec::DebugControl::kHalt) == 0);
  client.halt(2);
  CHECK(client.settled(2));
  CHECK(client.debug_read(2, chip::DebugSpace::kControl, 0, spec::DebugControl::kHalt) == 0x7f);
  const uint32_t counted = client.debug_read(2, chip::DebugSpace::kInteger, 0, 5);
  CHECK(counted >= 7);
  CHECK(counted < 47);
  client.debug_write(2, chip::DebugSpace::kInteger, 0, 5, counted + 100);
  client.debug_write(2, chip::DebugSpace::kControl, spec::kAllContexts, spec::DebugControl::kResume, 1);
  REQUIRE(client.run(client.counters().cycles + 100'000, 0).front().reason == chip::StopReason::kHostSync);
  CHECK(client.peek(2, kResult, 1).at(0) == 147);
  CHECK(client.peek(3, kResult, 1).at(0) == 47);
  // A refusal that nobody has asked for is gone after a reset.
  client.start(chip::kNoTile, kCode);
  CHECK(client.run(client.counters().cycles + 2, 0).front().reason == chip::StopReason::kLimit);
  CHECK(DebugPort{client}.read(2, kIntegers, 5) == 0);
  client.reset();
  CHECK_NOTHROW(client.peek(2, kResult, 1));
}
