#include <catch2/catch.hpp>

#include "tests/compiler/phase_overhead.h"

using namespace tessera;

TEST_CASE("a phase costs at most 200 cycles beyond its words on mk2-16, 240 with the sync latency of mk2") {
  CHECK(test::phase_overhead(spec::load_machine("mk2-16")) <= 200);
  CHECK(test::phase_overhead(test::mk2_16_with_mk2_sync()) <= 240);
}

TEST_CASE("a tile without a part in a phase does not wait for it") {
  const test::SkippedPhase phase = test::skipped_phase(spec::load_machine("mk2-16"));
  CHECK(phase.skipped == 0);
  CHECK(phase.waited > 1000);  // as long as another tile computes before it
}
