// The random programs themselves, run on the model alone: they end, reach every instruction and every exception.
#include <catch2/catch.hpp>
#include <iostream>

#include "pair_run.h"
#include "sim/model/tile.h"

using namespace tessera;

TEST_CASE("Random programs reach every instruction, context and exception") {
  constexpr unsigned kTile = 3;
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine("mk2-16");
  model::ModelTile left(machine, kTile), right(machine, kTile);
  test::PairRun<model::ModelTile, model::ModelTile> pair(left, right, kTile);
  for (unsigned n = 0; n < 60; ++n) REQUIRE(pair.run(test::random_program(seed + n, 16)));
  std::cout << pair.coverage.retired() << " instructions in " << pair.cycles() << " cycles, " << pair.stuck()
            << " segments cut off\n";
  CHECK(pair.coverage.below(20) == "");
  for (const unsigned cause : {1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13}) {
    INFO("cause " << cause);
    CHECK(pair.ended_by(cause) > 0);
  }
  for (unsigned context = 0; context < 7; ++context) CHECK(pair.coverage.context(context) > 1000);
  CHECK(pair.stuck() == 0);
}
