// Random programs for coverage: the verilated tile, which counts its lines and signals, in lockstep with a model tile,
// whose functional points are counted. coverage_random PROGRAMS [FILE]: the points go to FILE.
#include <cstdlib>
#include <fstream>
#include <iostream>

#ifdef TESSERA_WITH_RTL
#include "Vtile_state.h"
#include "sim/engine/rtl_tile.h"
#endif
#include "directed_programs.h"
#include "rtl/spec/machine.h"
#include "tb/random/pair_run.h"
#include "watched_model.h"

using namespace tessera;

namespace {
constexpr unsigned kTile = 3, kSegments = 16;

#ifdef TESSERA_WITH_RTL
using Left = chip::RtlTile<Vtile>;
#else
using Left = model::ModelTile;
#endif
}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "use: coverage_random PROGRAMS [FILE]\n";
    return 2;
  }
  const uint64_t seed = test::seed_from_environment(1);
  const uint64_t programs = std::strtoull(argv[1], nullptr, 0);
  const auto machine = spec::load_machine("mk2-16");
  test::FunctionalPoints points;
  Left rtl(machine, kTile);
  test::WatchedModel model(machine, kTile, points);
  test::PairRun<Left, test::WatchedModel> pair(rtl, model, kTile);
  const auto run = [&pair](const test::RandomProgram& program) {
    if (pair.run(program)) return true;
    std::cerr << pair.report();
    return false;
  };
  for (const auto& program : test::directed_programs())
    if (!run(program)) return 1;
  for (uint64_t n = 0; n < programs; ++n)
    if (!run(test::random_program(seed + n, kSegments))) return 1;
  std::cout << "TESSERA_SEED=" << seed << ": " << programs << " programs, " << pair.coverage.retired()
            << " instructions retired in " << pair.cycles() << " cycles, 0 mismatches\n";
  if (argc > 2) {
    std::ofstream file(argv[2]);
    points.write(file);
    if (!file.flush()) {
      std::cerr << "coverage_random: cannot write " << argv[2] << "\n";
      return 1;
    }
  }
  return 0;
}
