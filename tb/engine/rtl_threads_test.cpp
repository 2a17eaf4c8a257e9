// A chip of RTL tiles on several threads.
#include <catch2/catch.hpp>

#include <iostream>

#include "sim/engine/rtl_chip.h"
#include "tb/engine/thread_runs.h"
#include "tb/tier.h"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("A chip of RTL tiles on several threads does what it does on one") {
  const uint64_t seed = seed_from_environment(1), programs = in_tier(1, 10);
  const auto machine = spec::load_machine("mk2-16");
  const auto make = [](const spec::Machine& m, unsigned threads) {
    return chip::make_rtl_chip_with(chip::FabricChoice::kEngine, m, false, threads);
  };
  unsigned runs = 0;
  for (uint64_t n = 0; n < programs; ++n) runs += compare_threads(machine, make, seed + n);
  for (const auto& program : {ring_program(machine, 1), mixed_memory_program(machine, 19)})
    runs += compare_threads(machine, make, program);
  std::cout << "TESSERA_SEED=" << seed << ", " << runs << " runs\n";
}
