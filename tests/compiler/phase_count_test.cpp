// How many exchange phases a program takes that says nothing of phases.
#include <catch2/catch.hpp>

#include "tests/compiler/layers.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("twenty layers with copies of their own take one phase a layer, and fewer cycles") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  const Layers layers(machine.tiles());
  const PhaseCount merged = count_phases(layers, machine, {});
  const PhaseCount apart = count_phases(layers, machine, {.merge_phases = false});
  CHECK(merged.out == expected_out());
  CHECK(apart.out == expected_out());
  CHECK(apart.phases == 3 * Layers::kLayers);
  CHECK(merged.phases <= 1.2 * Layers::kLeastPhases);
  CHECK(merged.cycles < apart.cycles);
}
