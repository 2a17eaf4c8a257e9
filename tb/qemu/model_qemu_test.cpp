// Random programs of the standard instructions: the model's workers against QEMU.
#include <catch2/catch.hpp>
#include <iostream>

#include "sim/model/tile.h"
#include "tb/random/random.h"
#include "tile_workers.h"

using namespace tessera;

TEST_CASE("The model's workers leave the registers and memory that QEMU leaves") {
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  std::vector<test::BaseProgram> programs;
  for (unsigned n = 0; n < 300; ++n)
    programs.push_back(test::random_base_program(seed * 1000 + n, n % test::kProgramsInMemory));
  const auto expected = test::run_on_qemu(programs);
  model::ModelTile tile(spec::load_machine("mk2-4"), 0);
  test::TileWorkers<model::ModelTile> workers(tile);
  for (unsigned n = 0; n < programs.size(); n += test::kProgramsInMemory) {
    INFO("programs from " << n);
    REQUIRE(workers.run(&programs[n], &expected[n], test::kProgramsInMemory) == "");
  }
  std::cout << workers.instructions() << " instructions in " << workers.cycles() << " cycles\n";
  CHECK(workers.instructions() >= 100000);
}
