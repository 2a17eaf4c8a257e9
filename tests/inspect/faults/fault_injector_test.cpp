// Faults in runs: what they change and when, that they take no time, and that RTL and model do the same after one.
#include "inspect/faults/fault_injector.h"

#include <catch2/catch.hpp>

#include <algorithm>

#include "random_faults.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/port/checkpoint.h"
#include "tb/tier.h"
#include "victim_program.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;
using chip::DebugSpace;
using chip::StopReason;
using inspect::FaultyChip;

namespace {

constexpr uint64_t kSeed = 7;
constexpr uint64_t kLimit = 60000, kBudget = 15000;

spec::Machine machine() { return spec::load_machine("mk2-4"); }

// Runs the victim to its end, or until the host refuses what the chip wants of it.
struct Outcome {
  chip::Stop stop;
  bool refused = false;
  bool operator==(const Outcome& other) const {
    return refused == other.refused && stop.reason == other.stop.reason && stop.cycle == other.stop.cycle;
  }
};
Outcome run(chip::Chip& chip, uint64_t cut = kLimit) {
  VictimHost host(chip.machine());
  chip.attach(&host);
  load_and_start(chip, victim_program(chip.machine()));
  Outcome outcome;
  try {
    do {
      outcome.stop = chip.run(std::min(kLimit, chip.cycle() + cut), kBudget);
      if (outcome.stop.reason == StopReason::kHostSync) chip.mark(outcome.stop.cycle + 100, 1);
    } while (outcome.stop.reason == StopReason::kHostSync ||
             (outcome.stop.reason == StopReason::kLimit && outcome.stop.cycle < kLimit));
  } catch (const HostRefuses&) {
    outcome = {{}, true};
  }
  return outcome;
}

uint32_t memory(chip::Chip& chip, unsigned tile, uint32_t address) {
  return chip.debug_read(tile, DebugSpace::kMemory, 0, address);
}

std::unique_ptr<FaultyChip> faulty(Backend backend, const std::string& lines) {
  return std::make_unique<FaultyChip>(chip::make_chip(backend, machine()), inspect::parse_faults(lines, machine()));
}

}  // namespace

TEST_CASE("a chip without faults runs as the chip it holds") {
  const auto m = machine();
  const auto plain = chip::make_chip(Backend::kModel, m);
  FaultyChip chip(chip::make_chip(Backend::kModel, m), {});
  const auto outcome = run(*plain);
  CHECK(outcome.stop.reason == StopReason::kException);  // the trap at its end
  CHECK(run(chip) == outcome);
  CHECK(chip.memory_hash() == plain->memory_hash());
  CHECK(chip.counters().evaluated == plain->counters().evaluated);
}

TEST_CASE("memory changes in the cycle that the fault names, on both backends, and no cycle passes") {
  const Backend backend = GENERATE(Backend::kModel, Backend::kRtl);
  const uint64_t cycle = victim_loading(machine()) + 100;
  const auto when = " cycle=" + std::to_string(cycle) + "\n";
  const auto chip =
      faulty(backend, "memory tile=2 address=0xb4008 bit=3,31" + when + "memory tile=1 address=0x5000c bit=0" + when);
  load_and_start(*chip, victim_program(machine()));
  chip->run(cycle, 0);
  CHECK(chip->happened()[0] == FaultyChip::kNotYet);
  chip->run(cycle + 1, 0);
  CHECK(chip->happened()[0] == cycle);
  CHECK(chip->cycle() == cycle + 1);
  CHECK(memory(*chip, 2, 0xb4008) == 0x80000008);
  CHECK(memory(*chip, 1, 0x5000c) == 1);
  CHECK(memory(*chip, 0, 0xb4008) == 0);
}

TEST_CASE("every word of memory can be flipped, the RTL's elements and rows among them") {
  const auto m = machine();
  const auto rtl = chip::make_chip(Backend::kRtl, m), model = chip::make_chip(Backend::kModel, m);
  std::mt19937 random(1);
  for (unsigned n = 0; n < 200; ++n) {
    const auto word = static_cast<uint32_t>(random() % (m.memory_bytes / 4));
    const chip::Flip flip{.tile = n % 4, .address = m.memory_base + 4 * word, .mask = 1 + n};
    rtl->flip(flip);
    model->flip(flip);
  }
  CHECK(rtl->memory_hash() == model->memory_hash());
}

TEST_CASE("registers and CSRs read as they were flipped, on both backends alike") {
  const auto m = machine();
  const auto rtl = chip::make_chip(Backend::kRtl, m), model = chip::make_chip(Backend::kModel, m);
  for (const auto& flip : every_register(m)) {
    rtl->flip(flip);
    model->flip(flip);
  }
  for (const auto& flip : every_register(m)) {
    INFO(text(inspect::Fault{.flip = flip}));
    const auto read = [&](chip::Chip& chip) {
      switch (flip.site) {
        case chip::FlipSite::kInteger:
          return uint64_t{chip.debug_read(flip.tile, DebugSpace::kInteger, flip.context, flip.address)};
        case chip::FlipSite::kCsr:
          return uint64_t{chip.debug_read(flip.tile, DebugSpace::kCsr, flip.context, flip.address)};
        default:
          return chip.debug_read(flip.tile, DebugSpace::kFloat, flip.context, 2 * flip.address) |
                 uint64_t{chip.debug_read(flip.tile, DebugSpace::kFloat, flip.context, 2 * flip.address + 1)} << 32;
      }
    };
    CHECK(read(*rtl) == read(*model));
    if (flip.site != chip::FlipSite::kCsr) CHECK(read(*rtl) == flip.mask);
  }
}

TEST_CASE("a superstep's fault comes with the superstep, and its cycles count from there") {
  const auto chip = faulty(Backend::kModel,
                           "memory tile=0 address=0xb4000 bit=0 superstep=2\n"
                           "memory tile=0 address=0xb4000 bit=1 superstep=2+40");
  struct Boundaries : chip::Observer {
    std::vector<uint64_t> cycles;
    void superstep(uint64_t, uint64_t cycle) override { cycles.push_back(cycle); }
  } boundaries;
  chip->observe(&boundaries);
  run(*chip);
  REQUIRE(boundaries.cycles.size() == kVictimSupersteps);
  CHECK(chip->happened()[0] == boundaries.cycles[1]);
  CHECK(chip->happened()[1] == boundaries.cycles[1] + 40);
  CHECK(memory(*chip, 0, 0xb4000) == 3);
}

TEST_CASE("going back before a fault and on again repeats it") {
  const Backend backend = GENERATE(Backend::kModel, Backend::kRtl);
  const auto chip = faulty(backend,
                           "register tile=1 context=2 name=x11 bit=6 superstep=1+700\n"
                           "exchange tile=3 bit=12 superstep=1\n"
                           "memory tile=0 address=0x80000 bit=20 superstep=2\n");
  VictimHost host(machine());
  chip->attach(&host);
  load_and_start(*chip, victim_program(machine()));
  chip->stop_at_superstep(1);
  REQUIRE(chip->run(kLimit, kBudget).reason == StopReason::kSuperstep);
  chip->run(chip->cycle() + 10, kBudget);
  const auto before = chip->snapshot();
  const auto first = chip->run(kLimit, kBudget);
  const auto happened = chip->happened();
  const auto memory = chip->memory_hash();
  CHECK(happened[0] != FaultyChip::kNotYet);
  CHECK(happened[2] != FaultyChip::kNotYet);

  chip->restore(*before);
  CHECK(chip->happened()[0] == FaultyChip::kNotYet);
  CHECK(chip->happened()[1] == happened[1]);  // already waiting for its word
  const auto again = chip->run(kLimit, kBudget);
  CHECK(again.cycle == first.cycle);
  CHECK(chip->happened() == happened);
  CHECK(chip->memory_hash() == memory);
}

TEST_CASE("a checkpoint goes on with the faults that lie after it") {
  const auto m = machine();
  const std::string lines =
      "memory tile=2 address=0xb4000 bit=1 superstep=1\nmemory tile=2 address=0xb4000 bit=2 superstep=3\n";
  const auto chip = faulty(Backend::kModel, lines), other = faulty(Backend::kRtl, lines);
  VictimHost host(m);
  chip->attach(&host);
  other->attach(&host);
  load_and_start(*chip, victim_program(m));
  chip->stop_at_superstep(2);
  REQUIRE(chip->run(kLimit, kBudget).reason == StopReason::kSuperstep);
  other->put(chip->checkpoint());
  chip->run(kLimit, kBudget);
  other->run(kLimit, kBudget);
  CHECK(memory(*chip, 2, 0xb4000) == 6);
  CHECK(other->happened()[0] == FaultyChip::kNotYet);
  CHECK(other->happened()[1] == chip->happened()[1]);
  CHECK(memory(*other, 2, 0xb4000) == 6);
}

TEST_CASE("RTL and model run the same with the same faults, and cutting the run changes nothing") {
  const auto m = machine();
  const auto victim = observe_victim(m);
  std::mt19937_64 random(kSeed);
  const uint64_t count = in_tier(140, 1400);
  unsigned happened = 0;
  for (unsigned n = 0; n < count; ++n) {
    const auto fault = random_fault(m, victim, kFaultSites[n % kFaultSites.size()], random);
    INFO(text(fault));
    auto rtl = std::make_unique<FaultyChip>(chip::make_chip(Backend::kRtl, m), std::vector{fault});
    auto model = std::make_unique<FaultyChip>(chip::make_chip(Backend::kModel, m), std::vector{fault});
    FaultyChip& left = *rtl;
    FaultyChip& right = *model;
    const auto pair = chip::make_lockstep_chip(std::move(rtl), std::move(model));
    Outcome outcome;
    REQUIRE_NOTHROW(outcome = run(*pair));
    happened += left.happened()[0] != FaultyChip::kNotYet;
    FaultyChip cut(chip::make_chip(Backend::kModel, m), {fault});
    CHECK(run(cut, 37) == outcome);
    if (outcome.refused || outcome.stop.reason == StopReason::kBudget || outcome.stop.reason == StopReason::kLimit)
      continue;
    CHECK(left.happened() == right.happened());
    CHECK_NOTHROW(pair->memory_hash());
    CHECK(cut.happened() == right.happened());
    CHECK(cut.memory_hash() == right.memory_hash());
  }
  CHECK(happened == count);
}

TEST_CASE("each fault is told once when it strikes, and at the end that it never did") {
  const auto m = machine();
  const uint64_t cycle = victim_loading(m) + 100;
  const std::string strikes = "memory tile=2 address=0xb4008 bit=3 cycle=" + std::to_string(cycle),
                    late = "memory tile=1 address=0xb4008 bit=0 superstep=5000",
                    word = "exchange tile=1 bit=0 cycle=" + std::to_string(cycle);
  std::vector<std::string> told;
  {
    FaultyChip chip(chip::make_chip(Backend::kModel, m),
                    inspect::parse_faults(strikes + "\n" + late + "\n" + word + "\n", m),
                    [&](const std::string& line) { told.push_back(line); });
    VictimHost host(m);
    chip.attach(&host);
    load_and_start(chip, victim_program(m));
    const auto before = chip.snapshot();
    chip.run(cycle + 10, 0);
    const std::vector<std::string> first = {
        "fault '" + word + "' waits for its word from cycle " + std::to_string(cycle),
        "fault '" + strikes + "' strikes in cycle " + std::to_string(cycle)};
    CHECK(told == first);
    chip.restore(*before);
    chip.run(cycle + 20, 0);
    CHECK(told == first);
  }
  REQUIRE(told.size() == 3);
  CHECK(told[2] ==
        "fault '" + late + "' never strikes: the run ends in cycle " + std::to_string(cycle + 20) + ", superstep 0");
}

TEST_CASE("a fault of one side strikes that chip of two in lockstep, and no chip alone") {
  const auto m = machine();
  const std::string line = "memory tile=2 address=0xb4008 bit=3 cycle=" + std::to_string(victim_loading(m) + 100);
  for (const std::string side : {"rtl", "model"}) {
    auto left = chip::make_chip(Backend::kModel, m), right = chip::make_chip(Backend::kModel, m);
    chip::Chip *first = left.get(), *second = right.get();
    FaultyChip pair(chip::make_lockstep_chip(std::move(left), std::move(right), {"rtl", "model"}),
                    inspect::parse_faults(line + " side=" + side, m));
    load_and_start(pair, victim_program(m));
    pair.run(victim_loading(m) + 101, 0);
    CHECK((first->memory_hash() != second->memory_hash()));
    CHECK(memory(*first, 2, 0xb4008) == (side == "rtl" ? 8 : 0));
    CHECK(memory(*second, 2, 0xb4008) == (side == "rtl" ? 0 : 8));
  }
  const auto alone = faulty(Backend::kModel, line + " side=rtl");
  load_and_start(*alone, victim_program(m));
  CHECK_THROWS_AS(run(*alone), std::logic_error);
}
