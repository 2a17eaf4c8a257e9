// A recorded run, on the model and on the RTL: for its client it is the chip; its past is what was.
#include "inspect/recorded_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <random>

#include "rtl/spec/registers.h"
#include "tb/chip/chip_programs.h"
#include "tb/chip/event_list.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::DebugSpace;
using chip::StopReason;
using inspect::Part;
using inspect::PartKind;
using inspect::RecordedRun;

namespace {

constexpr uint64_t kFar = 1'000'000;

// A part that does what the test says.
struct TestPart : Part {
  std::function<void(inspect::Run&, const chip::Stop&)> boundary;
  chip::Observer* watcher = nullptr;
  Needs wanted{true, 70, 0};
  bool file = false;
  std::vector<std::string> calls;

  chip::Observer* observer() override { return watcher; }
  Needs needs() const override { return wanted; }
  bool leaves_file() const override { return file; }
  void at_boundary(inspect::Run& run, const chip::Stop& stop) override {
    if (boundary) boundary(run, stop);
  }
  std::string explain_failure(inspect::Run& run, const chip::Stop&) override {
    run.go_to(run.oldest());
    return "because of cycle " + std::to_string(run.position());
  }
  void program_changed(const names::ProgramInfo& program) override { calls.push_back("program " + program.title); }
  void finish() override { calls.push_back("finish"); }
};

// Hands over one part, and keeps hold of it.
struct OnePart {
  TestPart* part = nullptr;
  inspect::MakePart maker(std::function<void(TestPart&)> set = {}) {
    return [this, set](PartKind kind, const inspect::Options&) -> std::unique_ptr<Part> {
      if (kind != PartKind::kFailure) return nullptr;
      auto made = std::make_unique<TestPart>();
      part = made.get();
      if (set) set(*made);
      return made;
    };
  }
};

std::string told(const chip::Stop& stop) {
  return fmt::format("stop {} at {} of {}", static_cast<int>(stop.reason), stop.cycle, stop.tile);
}

// What a client does: it runs the chip in pieces, looks and writes at host syncs, answers two of them. Returns what it
// saw.
std::vector<std::string> drive(chip::Chip& chip, const ChipProgram& program, HostMemory& host, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> log;
  chip.attach(&host);
  load_and_start(chip, program);
  for (unsigned syncs = 0;;) {
    const uint64_t limit = random() % 3 == 0 ? chip.cycle() + random() % 400 : kFar;
    const chip::Stop stop = chip.run(limit, 20'000);
    log.push_back(told(stop));
    if (stop.reason == StopReason::kLimit && stop.cycle < kFar) continue;
    if (stop.reason != StopReason::kHostSync || syncs == 2) break;
    ++syncs;
    for (unsigned i = 0; i < 5; ++i)
      log.push_back(std::to_string(chip.debug_read(1, DebugSpace::kMemory, 0, kResult + 4 * i)));
    chip.debug_write(chip::kNoTile, DebugSpace::kMemory, 0, kResult + 64, static_cast<uint32_t>(random()));
    chip.load(2, kResult + 128, std::vector<uint32_t>(9, syncs));
    chip.mark(chip.cycle() + 20 + random() % 100, 1);
  }
  const chip::Counters c = chip.counters();
  log.push_back(fmt::format("{} {} {} {} {} {} {} {}", c.cycles, c.evaluated, c.supersteps, c.compute, c.sync,
                            c.exchange, c.transfer, c.host));
  log.push_back(std::to_string(chip.memory_hash()));
  for (uint64_t cycle : host.cycles()) log.push_back(std::to_string(cycle));
  return log;
}

// Registers, pcs and some memory of every tile. The chip is spoiled.
std::vector<uint32_t> state(chip::Chip& chip) {
  std::vector<uint32_t> all;
  for (unsigned tile = 0; tile < chip.machine().tiles(); ++tile) {
    for (unsigned context : {0u, 1u, 6u}) {
      all.push_back(chip.debug_read(tile, DebugSpace::kControl, context, spec::DebugControl::kPc));
      for (unsigned x : {1u, 5u, 6u, 8u, 10u, 11u, 15u})
        all.push_back(chip.debug_read(tile, DebugSpace::kInteger, context, x));
    }
    for (uint32_t address : {kReceived, kReceived + 4 * (kWords - 1), kResult, kResult + 64, kResult + 128})
      all.push_back(chip.debug_read(tile, DebugSpace::kMemory, 0, address));
  }
  return all;
}

std::vector<ChipProgram> programs(const spec::Machine& m) {
  return {ring_program(m, 1), mixed_memory_program(m, 19), consensus_program(m)};
}

// What a debugger writes to a tile that is at work: `write` says whether the tile took it.
void hold_and_write(const std::function<bool(DebugSpace, unsigned, uint32_t, uint32_t)>& write) {
  CHECK_FALSE(write(DebugSpace::kMemory, 0, kSent, 1));
  write(DebugSpace::kControl, spec::kAllContexts, spec::DebugControl::kHalt, 0);
  unsigned cycles = 0;
  while (!write(DebugSpace::kMemory, 0, kSent, 4711)) REQUIRE(++cycles < 100);
  write(DebugSpace::kControl, spec::kAllContexts, spec::DebugControl::kResume, 0);
}

const spec::Machine kMachine = spec::load_machine("mk2-4");
const char* const kOptions = "snapshot-every=100";

}  // namespace

TEST_CASE("the client of a recorded run sees what it sees of the plain chip") {
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  const bool parts = GENERATE(false, true);
  unsigned seed = 0;
  for (const ChipProgram& program : programs(kMachine)) {
    HostMemory plain_host(kMachine), host(kMachine);
    EventList expected(kMachine.tiles()), events(kMachine.tiles());
    const auto plain = chip::make_chip(backend, kMachine);
    plain->observe(&expected);
    OnePart one;
    RecordedRun run(chip::make_chip(backend, kMachine), kOptions, parts ? one.maker() : nullptr);
    if (parts)
      one.part->boundary = [](inspect::Run& r, const chip::Stop&) { r.go_to((r.oldest() + r.frontier()) / 2); };
    run.observe(&events);
    CHECK(drive(run, program, host, seed) == drive(*plain, program, plain_host, seed));
    CHECK(events.difference(expected) == "");
    CHECK(run.snapshots() > 3);
    ++seed;
  }
}

TEST_CASE("200 random places of the past are as they were") {
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  unsigned seed = 100, compared = 0;
  for (const ChipProgram& program : programs(kMachine)) {
    HostMemory host(kMachine), reference_host(kMachine);
    RecordedRun run(chip::make_chip(backend, kMachine), kOptions, nullptr);
    drive(run, program, host, seed);
    std::mt19937 random(seed);
    std::map<uint64_t, std::vector<uint32_t>> at;
    for (int i = 0; i < 67; ++i) at[run.oldest() + 1 + random() % (run.frontier() - run.oldest() - 1)];

    // The reference stands there the first time: told at every cycle, without a past.
    OnePart one;
    RecordedRun reference(chip::make_chip(backend, kMachine), "snapshots=false",
                          one.maker([](TestPart& part) { part.wanted = {false, 1, 0}; }));
    one.part->boundary = [&](inspect::Run& r, const chip::Stop&) {
      if (const auto found = at.find(r.position()); found != at.end() && found->second.empty()) {
        const auto scratch = r.scratch();
        found->second = state(r.chip());
      }
    };
    drive(reference, program, reference_host, seed);

    std::vector<uint64_t> order;
    for (const auto& [cycle, state] : at)
      if (!state.empty()) order.push_back(cycle);
    std::shuffle(order.begin(), order.end(), random);
    for (uint64_t cycle : order) {
      CAPTURE(seed, cycle);
      run.go_to(cycle);
      REQUIRE(run.position() == cycle);
      const auto scratch = run.scratch();
      REQUIRE(state(run.chip()) == at.at(cycle));
      ++compared;
    }
    ++seed;
  }
  CHECK(compared > 150);
}

TEST_CASE("a replay shows what the forward run showed, and hides it from everybody else") {
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  for (const ChipProgram& program : programs(kMachine)) {
    HostMemory host(kMachine);
    EventList forward(kMachine.tiles()), again(kMachine.tiles()), part_events(kMachine.tiles());
    OnePart one;
    RecordedRun run(chip::make_chip(backend, kMachine), kOptions, one.maker());
    // Watches from the first cycle after the load on.
    one.part->boundary = [&](inspect::Run&, const chip::Stop&) { one.part->watcher = &part_events; };
    drive(run, program, host, 5);
    const size_t accesses = host.cycles().size();
    const uint64_t end = run.frontier();
    run.go_to(run.oldest());
    run.replay(end, &again);
    CHECK(run.position() == end);
    CHECK(again.difference(part_events) == "");
    CHECK(again.size() > 100);
    CHECK(host.cycles().size() == accesses);
    CHECK(run.boundary_before(end).superstep == run.counters().supersteps);
    CHECK(run.boundary_before(run.oldest()).superstep == 0);
  }
}

TEST_CASE("the chip can be gone to in the middle of a load, and to the beginning of a read") {
  HostMemory host(kMachine);
  RecordedRun run(chip::make_chip(Backend::kModel, kMachine), kOptions, nullptr);
  run.attach(&host);
  load_and_start(run, ring_program(kMachine, 1));
  REQUIRE(run.run(kFar, 0).reason == StopReason::kHostSync);
  const uint64_t load = run.cycle();
  run.load(0, kResult, std::vector<uint32_t>{1, 2, 3, 4});
  const uint64_t read = run.cycle();
  CHECK(run.debug_read(0, DebugSpace::kMemory, 0, kResult + 12) == 4);
  CHECK(run.debug_read(0, DebugSpace::kMemory, 0, kResult + 8) == 3);
  REQUIRE(run.cycle() == read + 8);
  run.go_to(load + 2);
  CHECK(run.position() == load + 2);
  {
    const auto scratch = run.scratch();
    CHECK(run.chip().debug_read(0, DebugSpace::kMemory, 0, kResult + 4) == 2);
    CHECK(run.chip().debug_read(0, DebugSpace::kMemory, 0, kResult + 8) != 3);
  }
  run.go_to(read + 6);
  CHECK(run.position() == read + 4);
  run.go_to(read + 8);
  CHECK(run.debug_read(0, DebugSpace::kMemory, 0, kResult) == 1);
  CHECK_THROWS_WITH(run.go_to(run.oldest() - 1), Catch::Matchers::ContainsText("is not recorded"));
}

TEST_CASE("a change of the past makes a new future, until the host has seen the old one") {
  const auto backend = GENERATE(Backend::kModel, Backend::kRtl);
  HostMemory host(kMachine);
  OnePart one;
  RecordedRun run(chip::make_chip(backend, kMachine), kOptions, one.maker());
  run.attach(&host);
  load_and_start(run, ring_program(kMachine, 1));
  const uint64_t start = run.cycle();
  uint64_t changed = 0;
  unsigned changes = 0;
  one.part->boundary = [&](inspect::Run& r, const chip::Stop& stop) {
    if (stop.reason != StopReason::kHostSync || changes != 0) return;
    r.go_to(start + 1);
    one.part->file = true;
    CHECK_THROWS_WITH(r.change(0, DebugSpace::kMemory, 0, kSent, 1), Catch::Matchers::ContainsText("trace"));
    one.part->file = false;
    hold_and_write([&](DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
      return r.change(0, space, context, address, data);
    });
    changed = r.frontier();
    ++changes;
  };
  const chip::Stop stop = run.run(kFar, 0);
  CHECK(changes == 1);

  // As if somebody had written at that time.
  const auto plain = chip::make_chip(backend, kMachine);
  HostMemory plain_host(kMachine);
  plain->attach(&plain_host);
  load_and_start(*plain, ring_program(kMachine, 1));
  const auto before = plain->snapshot();
  plain->run(kFar, 0);
  CHECK(plain->memory_hash() != run.memory_hash());
  plain->restore(*before);
  plain->run(start + 1, 0);
  hold_and_write([&](DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
    plain->debug_write(0, space, context, address, data);
    return !plain->access_refused();
  });
  CHECK(plain->cycle() == changed);
  CHECK(told(plain->run(kFar, 0)) == told(stop));
  CHECK(plain->memory_hash() == run.memory_hash());
  run.go_to(start + 1);
  CHECK_THROWS_WITH(run.change(0, DebugSpace::kMemory, 0, kSent, 5), Catch::Matchers::ContainsText("already seen"));
}

TEST_CASE("what the journal outgrows is forgotten from the beginning") {
  HostMemory host(kMachine);
  RecordedRun run(chip::make_chip(Backend::kModel, kMachine), "snapshot-every=1;snapshot-memory=1", nullptr);
  run.attach(&host);
  load_and_start(run, consensus_program(kMachine));
  const uint64_t start = run.cycle();
  run.run(start + 500, 0);
  CHECK(run.oldest() == start);
  for (int i = 0; i < 2; ++i) run.load(0, kResult + 4096, std::vector<uint32_t>(80'000, 1));
  const uint64_t loaded = run.cycle();
  run.run(kFar, 0);
  CHECK(run.oldest() > start);
  const uint64_t place = std::max(run.oldest(), loaded - 5);
  run.go_to(place);
  CHECK(run.position() == place);
  CHECK_THROWS_WITH(run.go_to(start), Catch::Matchers::ContainsText("is not recorded"));
}

TEST_CASE("parts come and go while the run stands") {
  HostMemory host(kMachine);
  std::vector<std::string> made;
  std::vector<TestPart*> parts;
  RecordedRun run(chip::make_chip(Backend::kModel, kMachine), kOptions,
                  [&](PartKind kind, const inspect::Options& o) -> std::unique_ptr<Part> {
                    if (kind != PartKind::kTrace || o.trace.empty()) return nullptr;
                    made.push_back(o.trace);
                    auto part = std::make_unique<TestPart>();
                    parts.push_back(part.get());
                    return part;
                  });
  names::ProgramInfo info;
  info.title = "ring";
  run.set_program(info, false);
  run.attach(&host);
  load_and_start(run, ring_program(kMachine, 1));
  run.run(run.cycle() + 50, 0);
  CHECK(made.empty());
  run.inspect("trace=a;trace-tiles=1");
  REQUIRE(parts.size() == 1);
  CHECK(parts[0]->calls == std::vector<std::string>{"program ring"});
  unsigned boundaries = 0;
  parts[0]->boundary = [&](inspect::Run&, const chip::Stop&) { ++boundaries; };
  run.run(kFar, 0);
  CHECK(boundaries > 1);
  CHECK_THROWS_WITH(run.inspect("snapshots=false"), Catch::Matchers::ContainsText("snapshots"));
  CHECK_THROWS_WITH(run.inspect("trace-from=soon"), Catch::Matchers::ContainsText("trace-from"));
  run.inspect("trace=b");
  CHECK(made == std::vector<std::string>{"a", "b"});
  run.finish();
  run.inspect("trace=c");
  CHECK(made == std::vector<std::string>{"a", "b", "c"});
  CHECK(run.options_text().find("trace=c") != std::string::npos);
}

TEST_CASE("a failure is explained once by going back") {
  HostMemory host(kMachine);
  OnePart one;
  RecordedRun run(chip::make_chip(Backend::kModel, kMachine), kOptions, one.maker());
  CHECK(run.explain_failure() == "");
  run.attach(&host);
  load_and_start(run, ring_program(kMachine, 1));
  CHECK(run.run(kFar, 10).reason == StopReason::kBudget);
  const uint64_t end = run.cycle();
  const std::string text = run.explain_failure();
  CHECK(text == "because of cycle " + std::to_string(run.oldest()));
  CHECK(run.explain_failure() == text);
  CHECK(run.position() == end);
}
