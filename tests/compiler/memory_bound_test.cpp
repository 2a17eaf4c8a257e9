// The memory of random programs: what is wanted at the same time never overlaps, and it is little more than must be.
#include <catch2/catch.hpp>

#include "tests/compiler/random_lives.h"

TEST_CASE("what runs of random programs want at the same time lies apart, in little more memory than it is") {
  const tessera::test::MemoryUse use = tessera::test::measure_memory(40);
  CHECK(use.overlap == "");
  CHECK(use.tiles > 120);
  CHECK(use.mean >= 1);
  CHECK(use.mean <= 1.15);
  CHECK(use.worst <= 1.4);
  CHECK(use.of_apart < 0.75);  // else they share next to nothing, and this says nothing
}
