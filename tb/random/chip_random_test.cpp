// Random programs for a chip of model tiles: every word that the schedule sends arrives where and when it should.
#include <iostream>

#include "random.h"
#include "run_chip_program.h"
#include "sim/engine/model_chip.h"

using namespace tessera;

TEST_CASE("All words of random exchange schedules arrive, on small machines and on a large one") {
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  for (const char* name : {"mk2-4", "mk2-16", "mk2-64", "mk1-4", "small-4"}) {
    const auto machine = spec::load_machine(name);
    for (unsigned n = 0; n < 4; ++n) {
      INFO(name << ", seed " << seed + n);
      const auto chip = chip::make_model_chip(machine);
      test::run_chip_program(*chip, test::random_chip_program(seed + n, machine, 12));
    }
  }
}
