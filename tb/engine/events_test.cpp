// RTL, model and both in lockstep tell an observer the same; and no cycle depends on being observed.
#include <catch2/catch.hpp>

#include "sim/engine/lockstep_chip.h"
#include "sim/port/chip.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1000000;

struct Outcome {
  uint64_t sync = 0, end = 0, compute = 0, exchange = 0, waiting = 0, host = 0;
  std::vector<uint64_t> transfers, exceptions;
  bool operator==(const Outcome&) const = default;
};

// Runs the program to its end, answering host syncs.
Outcome run(chip::Chip& chip, const ChipProgram& program, chip::Observer* observer) {
  Outcome outcome;
  HostMemory host(chip.machine());
  chip.attach(&host);
  chip.observe(observer);
  load_and_start(chip, program);
  auto stop = chip.run(kLimit, 0);
  while (stop.reason == StopReason::kHostSync) {
    outcome.sync = stop.cycle;
    chip.mark(stop.cycle + 321, 7);
    stop = chip.run(kLimit, 0);
  }
  outcome.end = stop.cycle;
  const auto counters = chip.counters();
  outcome.compute = counters.compute;
  outcome.exchange = counters.exchange;
  outcome.waiting = counters.sync;
  outcome.host = counters.host;
  outcome.transfers = host.cycles();
  for (unsigned t = 0; t < chip.machine().tiles(); ++t) outcome.exceptions.push_back(chip.exception(t).cycle);
  chip.observe(nullptr);
  chip.attach(nullptr);
  return outcome;
}

std::vector<ChipProgram> programs(const spec::Machine& m) {
  return {ring_program(m, 1), multicast_program(m, 2), mixed_memory_program(m, 19), consensus_program(m)};
}

}  // namespace

TEST_CASE("RTL, model and lockstep tell the same events") {
  const auto m = spec::load_machine("mk2-4");
  for (const auto& program : programs(m)) {
    EventList rtl(m.tiles()), model(m.tiles()), both(m.tiles());
    const auto r = run(*chip::make_chip(Backend::kRtl, m), program, &rtl);
    const auto f = run(*chip::make_chip(Backend::kModel, m), program, &model);
    const auto pair =
        chip::make_lockstep_chip(chip::make_chip(Backend::kRtl, m), chip::make_chip(Backend::kModel, m), {});
    const auto b = run(*pair, program, &both);
    CHECK(model.of(0).size() > 20);
    CHECK(rtl.difference(model) == "");
    CHECK(both.difference(model) == "");
    CHECK((r == f && b == f));
  }
}

TEST_CASE("Watching all tiles, one or none changes nothing but what is told") {
  const auto m = spec::load_machine("mk2-4");
  for (const auto backend : {Backend::kRtl, Backend::kModel})
    for (const auto& program : programs(m)) {
      EventList all(m.tiles()), one(m.tiles(), 1u << 2);
      const auto seen = run(*chip::make_chip(backend, m), program, &all);
      const auto one_seen = run(*chip::make_chip(backend, m), program, &one);
      const auto unseen = run(*chip::make_chip(backend, m), program, nullptr);
      CHECK((seen == unseen && one_seen == unseen));
      CHECK(one.of(2) == all.of(2));
      CHECK(one.of_chip() == all.of_chip());
      CHECK(one.of(1).empty());
    }
}

TEST_CASE("All contexts frozen in any cycle: RTL and model stand at the same instructions and go on alike") {
  const auto m = spec::load_machine("mk2-4");
  const auto program = ring_program(m, 1);
  const std::unique_ptr<chip::Chip> chips[2] = {chip::make_chip(Backend::kRtl, m), chip::make_chip(Backend::kModel, m)};
  EventList events[2] = {EventList(m.tiles()), EventList(m.tiles())};
  std::vector<uint32_t> seen[2];
  for (int i = 0; i < 2; ++i) {
    chip::Chip& chip = *chips[i];
    load_and_start(chip, program);
    const auto start = chip.snapshot();
    for (unsigned after = 1; after < 120; after += 7) {
      chip.restore(*start);
      chip.observe(&events[i]);
      chip.run(chip.cycle() + after, 0);
      chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 7, 1, 0);
      chip.run(chip.cycle() + 20, 0);
      for (unsigned t = 0; t < m.tiles(); ++t)
        for (unsigned context = 0; context < 7; ++context) {
          seen[i].push_back(chip.debug_read(t, chip::DebugSpace::kControl, context, 4));
          for (unsigned r = 5; r < 8; ++r)
            seen[i].push_back(chip.debug_read(t, chip::DebugSpace::kInteger, context, r));
        }
      chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 7, 2, 0);
      seen[i].push_back(static_cast<uint32_t>(chip.run(chip.cycle() + 400, 0).cycle));
    }
  }
  CHECK(seen[0] == seen[1]);
  CHECK(events[0].difference(events[1]) == "");
}
