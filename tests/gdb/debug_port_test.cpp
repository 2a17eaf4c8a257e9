// The hardware's own way to debug, through the registers of the PCIe function: it needs no recorded run, and unlike the
// debugger's server it costs chip time.
#include <catch2/catch.hpp>

#include "chip_programs.h"
#include "machine/client.h"
#include "machine/process.h"
#include "pcie/registers.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr uint32_t kAllContexts = 7, kIntegers = 1, kControl = 4;

// Every tile counts in x5 for a while, then waits for the host.
TileProgram counting() {
  TileProgram tile;
  tile.li(5, 0);
  for (int n = 0; n < 40; ++n) tile.add(TileProgram::Op::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  tile.sw(5, kResult);
  tile.sync(4);
  tile.trap(1);
  return tile;
}

struct DebugPort {
  machine::Client& client;
  void write(uint32_t tile, uint32_t context, uint32_t control, uint32_t value = 0) {
    client.write(pcie::kDebugSelect, pcie::debug_select(tile, kControl, context));
    client.write(pcie::kDebugAddress, control);
    client.write(pcie::kDebugData, value);
  }
  uint32_t read(uint32_t tile, uint32_t space, uint32_t number) {
    client.write(pcie::kDebugSelect, pcie::debug_select(tile, space, 0));
    client.write(pcie::kDebugAddress, number);
    return client.read(pcie::kDebugData);
  }
};

uint64_t cycles_with(const std::string& backend, bool debugged) {
  machine::Process process(machine::find_machine(backend), "mk2-4", backend);
  machine::Client client(process.take_socket());
  for (const auto& [address, word] : counting().image()) client.load(chip::kNoTile, address, std::span(&word, 1));
  client.start(chip::kNoTile, kCode);
  DebugPort port{client};
  const auto run_for = [&](uint64_t cycles) { client.run(client.counters().cycles + cycles, 0); };
  if (debugged) {
    run_for(60);
    port.write(2, kAllContexts, pcie::kControlHalt);
    run_for(20);  // what is under way completes
    const uint32_t pc = port.read(2, kControl, pcie::kControlPc), x5 = port.read(2, kIntegers, 5);
    CHECK(x5 > 0);
    CHECK(x5 < 40);
    port.write(2, 0, pcie::kControlStep);
    run_for(20);
    CHECK(port.read(2, kControl, pcie::kControlPc) == pc + 4);
    CHECK(port.read(2, kIntegers, 5) == x5 + 1);
    port.write(2, kAllContexts, pcie::kControlResume);
  }
  const auto stop = client.run(client.counters().cycles + 100000, 0);
  CHECK(stop.reason == chip::StopReason::kHostSync);
  for (uint32_t tile = 0; tile < 4; ++tile) CHECK(client.peek(tile, kResult, 1).at(0) == 40);
  return stop.cycle;
}

}  // namespace

TEST_CASE("halt, look, step and resume by registers of the card: the same results, but later") {
  for (const std::string backend : {"model", "rtl"})
    CHECK(cycles_with(backend, true) > cycles_with(backend, false) + 40);
}
