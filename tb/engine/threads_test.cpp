// Threads that run the tiles of a chip, and a chip of model tiles on several of them.
#include <catch2/catch.hpp>

#include <atomic>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/engine/model_chip.h"
#include "sim/engine/tile_threads.h"
#include "tb/engine/thread_runs.h"
#include "tb/tier.h"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("Every work is done once, in rounds of any size, on any number of threads") {
  for (const unsigned count : {1u, 2u, 5u, 16u}) {
    chip::TileThreads threads(count);
    CHECK(threads.several() == (count > 1));
    for (unsigned round = 0; round < 2000; ++round) {
      const size_t works = round % 37;
      std::vector<std::atomic<unsigned>> done(works);
      threads.run(works, 1 + round % 5, [&](size_t i) { ++done[i]; });
      unsigned wrong = 0;
      for (const auto& n : done) wrong += n != 1;
      REQUIRE(wrong == 0);
    }
  }
}

TEST_CASE("Of works that fail the lowest is told, the others are done, and so is the next round") {
  chip::TileThreads threads(3);
  for (unsigned round = 0; round < 200; ++round) {
    std::atomic<unsigned> done = 0;
    const auto work = [&](size_t i) {
      ++done;
      if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
    };
    CHECK_THROWS_WITH(threads.run(40, 1, work), "7");
    CHECK(done == 40);
    CHECK_NOTHROW(threads.run(7, 1, work));
  }
}

TEST_CASE("A chip of model tiles on several threads does what it does on one") {
  const uint64_t seed = seed_from_environment(1), programs = in_tier(1, 20);
  unsigned runs = 0;
  for (const char* name : {"mk2-64", "mk2-16"}) {
    const auto machine = spec::load_machine(name);
    for (uint64_t n = 0; n < programs; ++n) runs += compare_threads(machine, chip::make_model_chip_with, seed + n);
    for (const auto& program :
         {ring_program(machine, 1), multicast_program(machine, 2), mixed_memory_program(machine, 19),
          host_memory_program(machine, 8), consensus_program(machine)})
      runs += compare_threads(machine, chip::make_model_chip_with, program);
  }
  std::cout << "TESSERA_SEED=" << seed << ", " << runs << " runs\n";
}
