// Random programs for a chip: RTL tiles and model tiles in lockstep, and every word arrives.
#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

#include "pair_run.h"
#include "random.h"
#include "run_chip_program.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/port/tile.h"

using namespace tessera;

namespace {

void check(const std::string& name, unsigned programs) {
  const uint64_t seed = test::seed_from_environment(1);
  std::cout << "TESSERA_SEED=" << seed << "\n";
  const auto machine = spec::load_machine(name);
  for (unsigned n = 0; n < programs; ++n) {
    INFO(name << ", seed " << seed + n);
    const auto chip = chip::make_lockstep_chip(chip::make_rtl_chip(machine), chip::make_model_chip(machine));
    test::run_chip_program(*chip, test::random_chip_program(seed + n, machine, 12));
    CHECK(chip->memory_hash() != 0);
  }
}

// Stops a running chip again and again; where all its contexts stand.
std::vector<std::string> stands(chip::Chip& chip, const test::RandomChipProgram& program, uint64_t seed) {
  test::load_chip_program(chip, program);
  test::Random random(seed);
  std::vector<std::string> lines;
  for (bool goes = true; goes;) {
    const chip::Stop stop = chip.run(chip.cycle() + 1 + random.below(200), 0);
    if (stop.reason == chip::StopReason::kHostSync) chip.mark(stop.cycle + 500, 9);
    goes = stop.reason == chip::StopReason::kHostSync || stop.reason == chip::StopReason::kLimit;
    for (chip::TileWait& wait : chip.waits()) {
      for (unsigned w = 0; w < 6; ++w)
        if (!(wait.active_workers >> w & 1)) wait.worker_pc[w] = 0;
      lines.push_back(fmt::format("{} {} {}: {}", stop.cycle, wait.tile, wait.state, test::describe(wait)));
    }
  }
  return lines;
}

}  // namespace

TEST_CASE("Where the tiles of a running chip stand is the same on RTL and on the model") {
  const uint64_t seed = test::seed_from_environment(1);
  const auto machine = spec::load_machine("mk2-4");
  for (unsigned n = 0; n < 4; ++n) {
    INFO("seed " << seed + n);
    const auto program = test::random_chip_program(seed + n, machine, 12);
    const auto rtl = chip::make_rtl_chip(machine);
    const auto model = chip::make_model_chip(machine);
    const auto lines = stands(*rtl, program, seed);
    CHECK(lines == stands(*model, program, seed));
    CHECK(lines.size() > 100);
    const auto computing = [](const std::string& line) { return line.find("active 000000") == std::string::npos; };
    CHECK(std::count_if(lines.begin(), lines.end(), computing) > 20);
  }
}

TEST_CASE("A chip of RTL tiles and a chip of model tiles do the same in random programs with exchange") {
  check("mk2-4", 6);
}

TEST_CASE("They do the same on tiles of another memory") {
  check("mk1-4", 3);
  check("small-4", 3);
}

TEST_CASE("RTL and model of a tile of another memory retire the same in random programs") {
  constexpr unsigned kTile = 3, kPrograms = 30;
  const uint64_t seed = test::seed_from_environment(1);
  const auto [name, segments] = GENERATE(std::pair("mk1-4", 16u), std::pair("small-4", 6u));
  const auto machine = spec::load_machine(name);
  const test::Layout layout(machine);
  const auto rtl = chip::make_tile(chip::Backend::kRtl, machine, kTile);
  const auto model = chip::make_tile(chip::Backend::kModel, machine, kTile);
  test::PairRun<chip::Tile, chip::Tile> pair(*rtl, *model, kTile);
  for (unsigned n = 0; n < kPrograms; ++n) {
    INFO(name << ", seed " << seed + n << "\n" << pair.report());
    REQUIRE(pair.run(test::random_program(seed + n, segments, layout)));
  }
  CHECK(pair.stuck() == 0);
  CHECK(pair.coverage.retired() > 10000);
  for (const unsigned cause : {1, 2, 6, 8, 9, 12, 13}) {
    INFO("cause " << cause);
    CHECK(pair.ended_by(cause) > 0);
  }
}
