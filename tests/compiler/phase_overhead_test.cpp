#include <catch2/catch.hpp>

#include "tests/compiler/phase_overhead.h"

using namespace tessera;

TEST_CASE("a phase costs at most 200 cycles beyond its words on mk2-16, 240 with the sync latency of mk2") {
  CHECK(test::phase_overhead(spec::load_machine("mk2-16")) <= 200);
  CHECK(test::phase_overhead(test::mk2_16_with_mk2_sync()) <= 240);
}
