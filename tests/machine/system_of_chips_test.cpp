// All chips of a system in one process: packets, syncs and host syncs give the memory, the cycles and the stops that
// the chips alone give, on RTL and model, on any number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tb/link/chips.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

// The chips alone, in the rounds of tb/link/chips.h.
Outcome alone(const spec::System& system, const Traffic& traffic) {
  Chips chips(system, chip::Backend::kModel);
  Outcome outcome;
  for (uint32_t c = 0; c < system.chips.size(); ++c) load_and_start(chips[c], traffic.programs[c]);
  for (;;) {
    const auto stops = chips.run(kForEver, 10'000'000);
    outcome.tell(stops);
    if (!all_at_host(stops)) break;
    const spec::Machine& machine = system.chips[0];
    uint64_t latest = 0;
    for (const chip::Stop& stop : stops) latest = std::max(latest, stop.cycle);
    for (uint32_t c = 0; c < system.chips.size(); ++c)
      chips[c].mark(latest + 2 * machine.pcie_latency + machine.host_turnaround, kMark);
  }
  for (uint32_t c = 0; c < system.chips.size(); ++c) outcome.hashes.push_back(chips[c].memory_hash());
  return outcome;
}

}  // namespace

TEST_CASE("a system in a process is its chips, whatever runs them") {
  const std::string name = GENERATE("mk2-4x2", "mk2-4x4", "mk2-16x4");
  const spec::System system = spec::load_system(name);
  std::mt19937 random(7);
  const Traffic traffic = random_traffic(system, 6, 40, random, 3);
  const Outcome expected = alone(system, traffic);
  REQUIRE(expected.told.size() == 3 * 2 * system.chips.size());

  for (const std::string backend : {"model", "rtl"})
    for (const std::string threads : {"1", "2", "5"}) {
      if (backend == "rtl" && (threads == "5" || name == "mk2-16x4")) continue;
      INFO(name << " " << backend << " " << threads);
      MachineProcess m(name, backend, {"--threads", threads});
      CHECK(m.client.identity().chips.size() == system.chips.size());
      CHECK(in_process(m.client, traffic) == expected);
      CHECK(wrong_words(m.client, traffic) == 0);
      m.client.choose(0);
      CHECK(m.client.peek(0, traffic.programs[0][0].places().result, 1).at(0) == kMark);
      if (threads != "2") continue;
      m.client.reset();
      CHECK(in_process(m.client, traffic) == expected);
    }
}

namespace {

// Every tile computes for about `cycles` cycles, in supersteps of a thousand, then all chips meet.
ChipProgram computing(const spec::Machine& machine, unsigned supersteps) {
  TileProgram p((Places(machine)));
  p.sync(3);
  p.sync(2);
  p.li(5, supersteps);
  p.delay(150);
  p.sync(2);
  p.add(TileProgram::Op::Addi, {.rd = 5, .rs1 = 5, .imm = -1});
  p.add(TileProgram::Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = -4 * 6});
  p.sync(3);
  p.trap(1);
  return ChipProgram(machine.tiles(), p);
}

}  // namespace

// Run by its tag alone: what several chips cost that compute, against one; the best of three runs each.
TEST_CASE("speed of chips that compute", "[.speed]") {
  for (const std::string backend : {"model", "rtl"}) {
    std::map<std::string, double> speed;  // tile-cycles a second
    for (int turn = 0; turn < 3; ++turn)
      for (const std::string name : {"mk2-16", "mk2-16x2", "mk2-16x4"}) {
        const spec::System system = spec::load_system(name);
        MachineProcess m(name, backend, {"--inspect", "snapshots=false"});
        Traffic traffic;
        traffic.programs.assign(system.chips.size(), computing(system.chips[0], backend == "model" ? 4000 : 100));
        load_and_start(m.client, traffic);
        const auto begin = std::chrono::steady_clock::now();
        const auto stops = m.client.run(kForEver, 0);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
        CHECK(stops[0].reason == StopReason::kException);
        speed[name] = std::max(speed[name], static_cast<double>(stops[0].cycle * system.tiles()) / time.count());
      }
    for (const auto& [name, value] : speed)
      std::printf("%s on %s: %.3g tile-cycles/s, %.3f of one chip's\n", name.c_str(), backend.c_str(), value,
                  value / speed["mk2-16"]);
  }
}
