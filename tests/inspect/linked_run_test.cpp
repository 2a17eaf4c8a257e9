// The recorded run of a chip in a system of several: its past repeats itself, with all that came from the others.
#include <catch2/catch.hpp>
#include <random>

#include "inspect/recorded_run.h"
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
