// The recorded run of a chip in a system of several: its past repeats itself, with all that came from the others.
#include <catch2/catch.hpp>
#include <random>

#include "inspect/gdb/checkpoint_file.h"
#include "inspect/recorded_run.h"
#include "sim/port/system_checkpoint.h"
#include "tb/link/chips.h"
#include "tb/link/traffic.h"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("any cycle of a chip that talks with others can be gone to") {
  const auto backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  const spec::System system = spec::load_system("mk2-4x4");
  std::mt19937 random(11);
  const Traffic traffic = random_traffic(system, 6, 30, random);

  std::vector<inspect::RecordedRun*> runs(system.chips.size());
  Chips recorded(system, [&](uint32_t c) {
    auto run = std::make_unique<inspect::RecordedRun>(chip::make_linked_chip(backend, system.chips[c]),
                                                      "snapshot-every=700", nullptr, nullptr,
                                                      spec::ChipPlace{c, static_cast<uint32_t>(system.chips.size())});
    runs[c] = run.get();
    return run;
  });
  for (uint32_t c = 0; c < system.chips.size(); ++c) load_and_start(recorded[c], traffic.programs[c]);
  recorded.run(~uint64_t{0}, 10'000'000);
  std::vector<uint64_t> ends;
  for (inspect::RecordedRun* run : runs) ends.push_back(run->memory_hash());

  for (int i = 0; i < 12; ++i) {
    const auto c = static_cast<uint32_t>(random() % system.chips.size());
    inspect::RecordedRun& run = *runs[c];
    REQUIRE(run.snapshots() > 2);
    const uint64_t cycle = run.oldest() + random() % (run.frontier() - run.oldest());
    INFO("chip " << c << " cycle " << cycle);
    run.go_to(cycle);
    CHECK(run.chip().cycle() == cycle);
    if (backend == chip::Backend::kModel) {
      Chips plain(system, backend);
      for (uint32_t each = 0; each < system.chips.size(); ++each) load_and_start(plain[each], traffic.programs[each]);
      plain.run(~uint64_t{0}, cycle);
      CHECK(run.chip().memory_hash() == plain[c].memory_hash());
    }
    run.go_to(run.frontier());
    CHECK(run.memory_hash() == ends[c]);
  }
}

TEST_CASE("a debugger's checkpoint of all chips is of their last host sync in common, wherever it stands") {
  const spec::System system = spec::load_system("mk2-4x2");
  std::mt19937 random(3);
  const Traffic traffic = random_traffic(system, 6, 30, random, 3);
  std::vector<inspect::Run*> runs(2);
  Chips recorded(system, [&](uint32_t c) {
    auto run = std::make_unique<inspect::RecordedRun>(chip::make_linked_chip(chip::Backend::kModel, system.chips[c]),
                                                      "snapshot-every=700", nullptr, nullptr, spec::ChipPlace{c, 2});
    runs[c] = run.get();
    return run;
  });
  for (uint32_t c = 0; c < 2; ++c) load_and_start(recorded[c], traffic.programs[c]);
  // Those that wait may be some cycles further in one run than in another.
  const auto answer = [](Chips& chips, uint64_t cycle) {
    for (uint32_t c = 0; c < 2; ++c) chips[c].mark(cycle + 1000 + 3 * c, 9);
  };
  const auto run_on = [](Chips& chips) { return chips.run(~uint64_t{0}, 10'000'000); };
  inspect::gdb::Target target(runs);
  const std::string path = TESSERA_TEST_FOLDER "/linked_run_test.checkpoint";
  const auto stand = [&](const std::vector<chip::Stop>& stops) {
    target.stand({{stops[0], false, 0}, {stops[1], false, 0}}, {.over = true});
  };

  auto stops = run_on(recorded);
  REQUIRE(stops[0].reason == chip::StopReason::kHostSync);
  stand(stops);
  const uint64_t first_sync = std::max(recorded[0].cycle(), recorded[1].cycle());
  CHECK_THROWS_WITH(inspect::gdb::write_checkpoint(target, first_sync - 1, path),
                    Catch::Matchers::ContainsText("no host sync at which all chips stood"));
  const std::string at_first =
      "2 chips at the host sync of cycle " + std::to_string(first_sync) + ", in " + path + "\n";
  CHECK(inspect::gdb::write_checkpoint(target, first_sync, path) == at_first);
  const auto first = chip::load_checkpoints(path, system);
  target.go_to(target.frontier());
  answer(recorded, first_sync);
  stops = run_on(recorded);
  REQUIRE(stops[0].reason == chip::StopReason::kHostSync);
  stand(stops);
  const uint64_t second_sync = std::max(recorded[0].cycle(), recorded[1].cycle());
  for (const uint64_t position : {first_sync + 1, first_sync + 200, second_sync - 1}) {
    CHECK(inspect::gdb::write_checkpoint(target, position, path) == at_first);
    CHECK(chip::serialize(chip::load_checkpoints(path, system)) == chip::serialize(first));
  }
  target.go_to(target.frontier());
  answer(recorded, second_sync);
  stops = run_on(recorded);

  Chips other(system, chip::Backend::kRtl);
  for (uint32_t c = 0; c < 2; ++c) chip::put_checkpoint(other[c], first[c]);
  for (const uint64_t sync : {first_sync, second_sync}) {
    run_on(other);
    answer(other, sync);
  }
  const auto ends = run_on(other);
  for (uint32_t c = 0; c < 2; ++c) {
    CHECK(ends[c].reason == chip::StopReason::kException);
    CHECK(ends[c].cycle == stops[c].cycle);
    CHECK(other[c].memory_hash() == recorded[c].memory_hash());
  }
}
