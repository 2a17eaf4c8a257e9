// Random programs for a chip: RTL tiles and model tiles in lockstep, and every word arrives.
#include <iostream>
#include <utility>

#include "pair_run.h"
#include "random.h"
#include "run_chip_program.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/port/tile.h"

using namespace tessera;

namespace {

void check(const std::string& name, unsigned programs) {
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine(name);
  for (unsigned n = 0; n < programs; ++n) {
    INFO(name << ", seed " << seed + n);
    const auto chip = chip::make_lockstep_chip(chip::make_rtl_chip(machine), chip::make_model_chip(machine));
    test::run_chip_program(*chip, test::random_chip_program(seed + n, machine, 12));
    CHECK(chip->memory_hash() != 0);
  }
}

}  // namespace

TEST_CASE("A chip of RTL tiles and a chip of model tiles do the same in random programs with exchange") {
  check("mk2-4", 6);
}

TEST_CASE("They do the same on tiles of another memory") {
  check("mk1-4", 3);
  check("small-4", 3);
}

TEST_CASE("RTL and model of a tile of another memory retire the same in random programs") {
  constexpr unsigned kTile = 3, kPrograms = 30;
  const uint64_t seed = test::seed_from_environment(1);
  const auto [name, segments] = GENERATE(std::pair("mk1-4", 16u), std::pair("small-4", 6u));
  const auto machine = spec::load_machine(name);
  const test::Layout layout(machine);
  const auto rtl = chip::make_tile(chip::Backend::kRtl, machine, kTile);
  const auto model = chip::make_tile(chip::Backend::kModel, machine, kTile);
  test::PairRun<chip::Tile, chip::Tile> pair(*rtl, *model, kTile);
  for (unsigned n = 0; n < kPrograms; ++n) {
    INFO(name << ", seed " << seed + n << "\n" << pair.report());
    REQUIRE(pair.run(test::random_program(seed + n, segments, layout)));
  }
  CHECK(pair.stuck() == 0);
  CHECK(pair.coverage.retired() > 10000);
  for (const unsigned cause : {1, 2, 6, 8, 9, 12, 13}) {
    INFO("cause " << cause);
    CHECK(pair.ended_by(cause) > 0);
  }
}
