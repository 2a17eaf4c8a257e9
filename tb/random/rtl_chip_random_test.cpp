// Random programs for a chip: RTL tiles and model tiles in lockstep, and every word arrives.
#include <iostream>

#include "random.h"
#include "run_chip_program.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"

using namespace tessera;

TEST_CASE("A chip of RTL tiles and a chip of model tiles do the same in random programs with exchange") {
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine("mk2-4");
  for (unsigned n = 0; n < 6; ++n) {
    INFO("seed " << seed + n);
    const auto chip = chip::make_lockstep_chip(chip::make_rtl_chip(machine), chip::make_model_chip(machine));
    test::run_chip_program(*chip, test::random_chip_program(seed + n, machine, 12));
    CHECK(chip->memory_hash() != 0);
  }
}
