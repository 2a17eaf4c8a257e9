// The flat top against the chip of tile instances, in every cycle: the outputs of every tile, over whole programs with
// exchange, sync and host packets.
#include <catch2/catch.hpp>

#include "Vtile_state.h"
#include "chip_programs.h"
#include "flat_chip.h"
#include "port_recorder.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/rtl_tile.h"

using namespace tessera;
using namespace tessera::test;
using chip::DebugSpace;
using chip::StopReason;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

constexpr uint64_t kLimit = 200000;

// Runs the program on both, answers one host sync, and compares.
void compare(const spec::Machine& m, const ChipProgram& program) {
  const auto fabric = GENERATE(chip::FabricChoice::kEngine, chip::FabricChoice::kRtl);
  Engine engine(m);
  if (auto pins = chip::make_fabric_pins(fabric, m)) engine.use_fabric(std::move(pins));
  HostMemory engine_host(m), flat_host(m);
  engine.attach(&engine_host);
  PortRecorder<Engine> recorder(engine);
  engine.probe(&recorder);
  load_and_start(engine, program);
  const auto sync = engine.run(kLimit, 0);
  REQUIRE(sync.reason == StopReason::kHostSync);
  engine.debug_read(0, DebugSpace::kMemory, 0, kResult);
  const uint64_t answer = sync.cycle + 321;
  engine.mark(answer, 0x77);
  const auto end = engine.run(kLimit, 0);
  REQUIRE(end.reason == StopReason::kException);

  FlatChip flat(m);
  flat.attach(&flat_host);
  PortComparison comparison(flat, recorder, m.tiles());
  load_and_start(flat, program);
  CHECK(flat.run(kLimit));
  CHECK(flat.cycle() == sync.cycle);
  flat.debug_read(0, DebugSpace::kMemory, 0, kResult);
  flat.mark(answer, 0x77);
  flat.run(end.cycle + 100);
  INFO(comparison.first_difference());
  CHECK(comparison.different() == 0);
  CHECK(engine_host.cycles() == flat_host.cycles());
  CHECK(comparison.compared() == end.cycle + 100);
  CHECK(comparison.changes() > 10);
}

}  // namespace

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: exchange and workers") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  const unsigned shift = GENERATE_COPY(range(0u, m.tiles()));
  compare(m, ring_program(m, shift));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: multicast") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  compare(m, multicast_program(m, 2));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: host packets") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  compare(m, host_memory_program(m, 19));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: remote and host packets") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  compare(m, mixed_memory_program(m, 19));
}

TEST_CASE("the flat top shows the ports of the instanced chip in every cycle: consensus") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  compare(m, consensus_program(m));
}
