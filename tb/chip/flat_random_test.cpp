// Random programs for a chip on the flat top and on the chip of tile instances, with either fabric: the same ports of
// all tiles in every cycle.
#include <catch2/catch.hpp>
#include <cstdio>
#include <vector>

#include "Vtile_state.h"
#include "flat_chip.h"
#include "port_recorder.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/rtl_tile.h"
#include "tb/random/chip_program.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

constexpr uint64_t kLimit = 1'000'000;
constexpr unsigned kSupersteps = 12, kPrograms = 6;

template <class AnyChip>
void load(AnyChip& chip, const RandomChipProgram& program) {
  for (unsigned tile = 0; tile < program.images.size(); ++tile)
    for (const auto& image : program.images[tile])
      for (uint32_t n = 0; n < image.words.size(); ++n)
        chip.debug_write(tile, chip::DebugSpace::kMemory, 0, image.address + 4 * n, image.words[n]);
  chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, program.entry);
}

}  // namespace

TEST_CASE("random programs run on the flat top as on the instanced chip, cycle by cycle") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  const auto fabric = GENERATE(chip::FabricChoice::kEngine, chip::FabricChoice::kRtl);
  uint64_t cycles = 0;
  for (unsigned seed = 1; seed <= kPrograms; ++seed) {
    INFO("seed " << seed);
    const RandomChipProgram program = random_chip_program(seed, m, kSupersteps);
    Engine engine(m);
    if (auto pins = chip::make_fabric_pins(fabric, m)) engine.use_fabric(std::move(pins));
    PortRecorder<Engine> recorder(engine);
    engine.probe(&recorder);
    load(engine, program);
    std::vector<uint64_t> syncs;
    chip::Stop end = engine.run(kLimit, 0);
    for (; end.reason == StopReason::kHostSync; end = engine.run(kLimit, 0)) {
      syncs.push_back(end.cycle);
      engine.mark(end.cycle + 500, 9);
    }
    REQUIRE(end.reason == StopReason::kException);

    FlatChip flat(m);
    PortComparison comparison(flat, recorder, m.tiles());
    load(flat, program);
    for (const uint64_t sync : syncs) {
      CHECK(flat.run(kLimit));
      CHECK(flat.cycle() == sync);
      flat.mark(sync + 500, 9);
    }
    flat.run(end.cycle + 100);
    INFO(comparison.first_difference());
    CHECK(comparison.different() == 0);
    CHECK(comparison.compared() == end.cycle + 100);
    CHECK(comparison.changes() > 100);
    cycles += comparison.compared();
  }
  std::printf("%u random programs of %u tiles, %llu cycles, ports equal\n", kPrograms, m.tiles(),
              static_cast<unsigned long long>(cycles));
}
