// A chip that changes backend on its way is one chip: cycles, results, counters and events are those of a plain run.
#include "sim/engine/switch_chip.h"

#include <catch2/catch.hpp>

#include "sim/engine/model_chip.h"
#include "sim/port/checkpoint.h"
#include "snapshot_walk.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1000000;

std::unique_ptr<chip::Chip> model_with_rtl(const spec::Machine& m, uint64_t from, uint64_t count) {
  return chip::make_switch_chip(
      chip::make_model_chip(m), [m] { return chip::make_chip(Backend::kRtl, m); }, from, count);
}

struct Outcome {
  std::vector<uint64_t> stops;
  uint64_t memory = 0;
};

Outcome run(chip::Chip& chip, HostMemory& host, EventList& events, uint64_t step = kLimit) {
  chip.attach(&host);
  chip.observe(&events);
  Outcome outcome;
  for (bool ended = false; !ended;) {
    const auto stop = chip.run(chip.cycle() + step, 0);
    if (stop.reason == StopReason::kLimit) continue;
    outcome.stops.push_back(stop.cycle);
    if (stop.reason == StopReason::kHostSync)
      chip.mark(stop.cycle + 50, 9);
    else
      ended = true;
  }
  outcome.memory = chip.memory_hash();
  return outcome;
}

}  // namespace

TEST_CASE("Model, RTL for some supersteps, model: as the model alone") {
  const auto m = spec::load_machine("mk2-4");
  const auto programs = {consensus_program(m), ring_program(m, 3), mixed_memory_program(m, 19)};
  struct Window {
    uint64_t from, count;
  };
  const auto window = GENERATE(Window{1, 1}, Window{2, 2}, Window{0, 2}, Window{3, ~0ull}, Window{99, 1});
  for (const auto& program : programs) {
    HostMemory host(m), plain_host(m);
    EventList events(m.tiles()), expected(m.tiles());
    const auto plain = chip::make_model_chip(m);
    plain->observe(&expected);
    load_and_start(*plain, program);
    const auto should = run(*plain, plain_host, expected);
    const auto chip = model_with_rtl(m, window.from, window.count);
    chip->observe(&events);
    load_and_start(*chip, program);
    const auto is = run(*chip, host, events, window.count == 2 ? 37 : kLimit);
    CHECK(is.stops == should.stops);
    CHECK(is.memory == should.memory);
    CHECK(events.difference(expected) == "");
    CHECK(account(chip->counters()) == account(plain->counters()));
    CHECK(host.cycles() == plain_host.cycles());
  }
}

TEST_CASE("The second chip is there for its supersteps only") {
  const auto m = spec::load_machine("mk2-4");
  int made = 0;
  const auto chip = chip::make_switch_chip(
      chip::make_model_chip(m),
      [&] {
        ++made;
        return chip::make_model_chip(m);
      },
      2, 1);
  load_and_start(*chip, consensus_program(m));
  chip->stop_at_superstep(1);
  CHECK(chip->run(kLimit, 0).reason == StopReason::kSuperstep);
  CHECK(made == 0);
  chip->stop_at_superstep(2);
  const auto stop = chip->run(kLimit, 0);
  CHECK(stop.reason == StopReason::kSuperstep);
  CHECK(made == 1);
  CHECK(chip->run(stop.cycle, 0).reason == StopReason::kLimit);
  chip->stop_at_superstep(3);
  CHECK(chip->run(kLimit, 0).reason == StopReason::kSuperstep);
  CHECK(chip->run(kLimit, 0).reason == StopReason::kHostSync);
  CHECK(made == 1);
}

TEST_CASE("Snapshots go back over the change of backend") {
  const auto m = spec::load_machine("mk2-4");
  const auto chip = model_with_rtl(m, 2, 1);
  load_and_start(*chip, consensus_program(m));
  HostMemory host(m);
  std::vector<std::shared_ptr<const chip::Snapshot>> snapshots;
  std::vector<uint64_t> cycles;
  for (uint64_t index = 1; index <= m.tiles(); ++index) {
    chip->stop_at_superstep(index);
    cycles.push_back(chip->run(kLimit, 0).cycle);
    snapshots.push_back(chip->snapshot());
  }
  chip->stop_at_superstep(chip::Chip::kNoSuperstep);
  EventList expected(m.tiles());
  chip->restore(*snapshots[0]);
  const auto should = run(*chip, host, expected);
  for (const unsigned i : {3u, 1u, 2u, 0u}) {
    chip->restore(*snapshots[i]);
    CHECK(chip->cycle() == cycles[i]);
    EventList events(m.tiles());
    const auto is = run(*chip, host, events);
    CHECK(is.stops == should.stops);
    CHECK(is.memory == should.memory);
    if (i == 0) CHECK(events.difference(expected) == "");
  }
}
