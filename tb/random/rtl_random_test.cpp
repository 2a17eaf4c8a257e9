// Random programs in lockstep: the verilated tile against the model.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "Vtile_state.h"
#include "failure_wave.h"
#include "rtl/spec/machine.h"
#include "shrink_failure.h"
#include "sim/engine/rtl_tile.h"
#include "sim/model/tile.h"
#include "tb/tier.h"

using namespace tessera;

namespace {
constexpr unsigned kTile = 3, kSegments = 16;
constexpr uint64_t kInstructions = 1'000'000, kHits = 1000;
}  // namespace

// TESSERA_SEED chooses the first program; program n of a run has seed TESSERA_SEED + n, so that the seed which a
// failure names, with TESSERA_PROGRAMS=1, repeats it alone.
TEST_CASE("RTL and model retire the same, cycle for cycle, in random programs") {
  const uint64_t seed = test::seed_from_environment(1);
  const char* limit = std::getenv("TESSERA_PROGRAMS");
  const uint64_t programs = limit ? std::strtoull(limit, nullptr, 0) : 10000;
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine("mk2-16");
  chip::RtlTile<Vtile> rtl(machine, kTile);
  model::ModelTile model(machine, kTile);
  test::PairRun<chip::RtlTile<Vtile>, model::ModelTile> pair(rtl, model, kTile);
  const uint64_t wanted = test::in_tier(kInstructions, 20 * kInstructions);
  const auto enough = [&] { return pair.coverage.retired() >= wanted && pair.coverage.below(kHits).empty(); };
  uint64_t done = 0;
  while (done < programs && (limit || !enough())) {
    const auto program = test::random_program(seed + done++, kSegments);
    rtl.top().test_en_i = program.seed % 8 == 0;  // clocks that run always change nothing
    if (pair.run(program)) continue;
    const auto small = test::shrink_failure(rtl, model, kTile, program, pair);
    const auto wave = test::leave_failure_wave(small.shrunk.program, kTile, small.cycle, "random_failure.fst");
    FAIL(pair.report() << small.report << "wave of the shrunk program: " << wave);
  }
  std::cout << done << " programs, " << pair.coverage.retired() << " instructions retired in " << pair.cycles()
            << " cycles, 0 mismatches; bits turned over in " << pair.struck() << " words, "
            << pair.ended_by(static_cast<unsigned>(spec::Cause::Parity)) << " segments ended by parity\n";
  CHECK(pair.stuck() == 0);
  if (limit) return;
  CHECK(pair.coverage.retired() >= wanted);
  CHECK(pair.ended_by(static_cast<unsigned>(spec::Cause::Parity)) > 0);
  INFO("instructions below " << kHits << " hits:");
  CHECK(pair.coverage.below(kHits) == "");
}
