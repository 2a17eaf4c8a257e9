// Snapshots and stops at supersteps: on model, RTL and both in lockstep. A snapshot is the whole state.
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "snapshot_walk.h"
#include "tb/tier.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1000000;

std::vector<ChipProgram> programs(const spec::Machine& m) {
  return {ring_program(m, 1), mixed_memory_program(m, 19), consensus_program(m), ring_program(m, 0)};
}

// `stops` random stops over all programs; each goes from the start again when its end is reached.
void walk(const std::function<std::unique_ptr<chip::Chip>()>& make, unsigned stops, bool hash) {
  const auto m = make()->machine();
  const auto all = programs(m);
  size_t told = 0;
  for (unsigned p = 0; p < all.size(); ++p) {
    const auto chip = make();
    const auto fresh = chip->snapshot();
    HostMemory host(m);
    chip->attach(&host);
    for (unsigned done = 0; done < stops / all.size();) {
      chip->restore(*fresh);
      load_and_start(*chip, all[p]);
      SnapshotWalk walk(*chip, host, 7, 1000 * p + done);
      for (; done < stops / all.size() && !walk.ended(); ++done) walk.stop_once(150, hash);
      told += walk.told();
    }
  }
  CHECK(told > 20 * stops);
}

std::unique_ptr<chip::Chip> pair(const spec::Machine& m) {
  return chip::make_lockstep_chip(chip::make_chip(Backend::kRtl, m), chip::make_chip(Backend::kModel, m), {});
}

}  // namespace

TEST_CASE("The model goes on from 1000 random stops as it did the first time") {
  const auto m = spec::load_machine("mk2-4");
  walk([&] { return chip::make_model_chip(m); }, 1000, true);
}

TEST_CASE("RTL and lockstep go on from random stops as they did the first time") {
  const auto m = spec::load_machine("mk2-4");
  const auto stops = static_cast<unsigned>(test::in_tier(40, 400));
  walk([&] { return chip::make_chip(Backend::kRtl, m); }, stops, false);
  walk([&] { return pair(m); }, stops, false);
}

TEST_CASE("A snapshot goes into another chip of its kind and no other") {
  const auto m = spec::load_machine("mk2-4");
  for (const auto backend : {Backend::kModel, Backend::kRtl}) {
    const auto one = chip::make_chip(backend, m), other = chip::make_chip(backend, m);
    load_and_start(*one, ring_program(m, 1));
    one->run(one->cycle() + 200, 0);
    const auto snapshot = one->snapshot();
    other->restore(*snapshot);
    CHECK(one->run(kLimit, 0).cycle == other->run(kLimit, 0).cycle);
    CHECK(one->memory_hash() == other->memory_hash());
    const auto wrong_backend = chip::make_chip(backend == Backend::kRtl ? Backend::kModel : Backend::kRtl, m);
    CHECK_THROWS_AS(wrong_backend->restore(*snapshot), std::logic_error);
    const auto wrong_machine = chip::make_chip(backend, spec::load_machine("mk2-16"));
    CHECK_THROWS_AS(wrong_machine->restore(*snapshot), std::logic_error);
  }
}

TEST_CASE("run() stands at the acknowledgement that begins the superstep, and goes on as if it had not") {
  const auto m = spec::load_machine("mk2-4");
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  const auto plain = chip::make_chip(backend, m), stopped = chip::make_chip(backend, m);
  EventList expected(m.tiles()), events(m.tiles());
  plain->observe(&expected);
  stopped->observe(&events);
  load_and_start(*plain, consensus_program(m));
  load_and_start(*stopped, consensus_program(m));
  const auto end = plain->run(kLimit, 0);
  std::vector<std::shared_ptr<const chip::Snapshot>> snapshots;
  for (uint64_t index = 1; index <= m.tiles(); ++index) {
    stopped->stop_at_superstep(index);
    const auto stop = stopped->run(kLimit, 0);
    REQUIRE(stop.reason == StopReason::kSuperstep);
    CHECK(stop.cycle == stopped->cycle());
    CHECK(stopped->counters().supersteps == index - 1);  // the acknowledgement is still to come
    for (const auto& wait : stopped->waits()) CHECK(wait.state == "waits at internal sync");
    snapshots.push_back(stopped->snapshot());
    stopped->run(stop.cycle + 1, 0);
    CHECK(stopped->counters().supersteps == index);
    CHECK(events.of_chip().back() == fmt::format("{} superstep {}", stop.cycle, index - 1));
  }
  CHECK(stopped->run(kLimit, 0).cycle == end.cycle);
  CHECK(events.difference(expected) == "");
  CHECK(stopped->memory_hash() == plain->memory_hash());

  // From an earlier snapshot the same boundary is met again; from the one taken there the chip goes on.
  stopped->stop_at_superstep(3);
  stopped->restore(*snapshots[1]);
  CHECK(stopped->run(kLimit, 0).reason == StopReason::kSuperstep);
  CHECK(stopped->cycle() == snapshots[2]->cycle());
  stopped->restore(*snapshots[2]);
  CHECK(stopped->run(kLimit, 0).cycle == end.cycle);
}

TEST_CASE("A debug access that crosses a host's notification or a superstep runs to its end") {
  const auto m = spec::load_machine("mk2-4");
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  const auto chip = chip::make_chip(backend, m);
  load_and_start(*chip, consensus_program(m));
  const auto start = chip->snapshot();
  const auto word = [&] { return chip->debug_read(1, chip::DebugSpace::kMemory, 0, kCode); };
  const uint64_t notified = chip->run(kLimit, 0).cycle;
  const uint32_t expected = word();
  CHECK_FALSE(chip->access_refused());
  for (uint64_t before = 1; before <= 6; ++before) {
    chip->restore(*start);
    chip->run(notified - before, 0);
    CHECK(word() == expected);
    CHECK(chip->cycle() == notified - before + 4);
    const auto stop = chip->run(kLimit, 0);
    CHECK(stop.reason == StopReason::kHostSync);
    CHECK(stop.cycle == std::max(notified, notified - before + 4));
  }
  chip->restore(*start);
  chip->stop_at_superstep(2);
  const uint64_t begins = chip->run(kLimit, 0).cycle;
  for (uint64_t before = 0; before <= 6; ++before) {
    chip->restore(*start);
    chip->stop_at_superstep(chip::Chip::kNoSuperstep);
    chip->run(begins - before, 0);
    chip->stop_at_superstep(2);
    word();  // of a tile that runs again: only the time counts
    CHECK(chip->cycle() == begins - before + 4);
    CHECK(chip->counters().supersteps == (before < 4 ? 2 : 1));
    CHECK(chip->run(kLimit, 0).reason == (before < 4 ? StopReason::kHostSync : StopReason::kSuperstep));
  }
}

TEST_CASE("A snapshot holds what changed since the one before") {
  const auto m = spec::load_machine("mk2-4");
  for (const auto backend : {Backend::kModel, Backend::kRtl}) {
    const auto chip = chip::make_chip(backend, m);
    load_and_start(*chip, consensus_program(m));
    chip->stop_at_superstep(1);
    chip->run(kLimit, 0);
    const auto first = chip->snapshot();
    chip->stop_at_superstep(3);
    chip->run(kLimit, 0);
    const auto second = chip->snapshot();
    CHECK(first->superstep() == 0);
    CHECK(second->superstep() == 2);
    CHECK(second->bytes() < m.tiles() * 100'000);
    CHECK(chip->snapshot()->bytes() < m.tiles() * 20'000);
  }
}
