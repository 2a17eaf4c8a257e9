// A debugger that does anything at any time to random programs, on the verilated tile and on the model: holds, steps,
// resumes, starts anew, reads and writes whatever the tile does. What both do, tell and refuse has to be the same,
// cycle for cycle.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>

#include "Vtile_state.h"
#include "pair_run.h"
#include "rtl/spec/machine.h"
#include "sim/engine/rtl_tile.h"
#include "sim/model/tile.h"

using namespace tessera;

namespace {
constexpr unsigned kTile = 3, kSegments = 3, kRuns = 2000;
}  // namespace

TEST_CASE("RTL and model answer, refuse and go on alike, whatever a debugger does in whatever cycle") {
  const uint64_t seed = test::seed_from_environment(50'000);
  const char* limit = std::getenv("TESSERA_PROGRAMS");
  const uint64_t runs = limit ? std::strtoull(limit, nullptr, 0) : kRuns;
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine("mk2-16");
  chip::RtlTile<Vtile> rtl(machine, kTile);
  model::ModelTile model(machine, kTile);
  test::PairRun<chip::RtlTile<Vtile>, model::ModelTile> pair(rtl, model, kTile);
  pair.limit_cycles(20'000);
  for (uint64_t run = 0; run < runs; ++run) {
    pair.touch(static_cast<uint32_t>(3 + run % 40));
    if (!pair.run(test::random_program(seed + run, kSegments))) FAIL(pair.report());
  }
  std::cout << runs << " debugged runs, " << pair.touches() << " accesses in " << pair.cycles() << " cycles, "
            << pair.refused() << " refused, " << pair.resumed() << " exceptions taken on, " << pair.triggered()
            << " reads of breakpoints and watchpoints met, "
            << "0 differences\n";
  if (limit) return;
  CHECK(pair.touches() > 20 * runs);
  CHECK(pair.triggered() > 5 * runs);
  CHECK(pair.resumed() > runs);
  CHECK(pair.refused() > pair.touches() / 10);
  CHECK(pair.refused() < pair.touches() * 9 / 10);
}
