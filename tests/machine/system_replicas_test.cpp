// Chips shared out among replicas: zone 7 is that of a replica's chips, and the host meets each replica by itself where
// it is to; the same on RTL and model, in rounds of any length, on any number of threads.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "tb/link/chips.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;
using chip::StopReason;

namespace {

// The chips alone, in the rounds of tb/link/chips.h; the host meets all of them together.
Outcome alone(const spec::System& system, const Traffic& traffic, uint32_t replica) {
  Chips chips(system, chip::Backend::kModel);
  chips.share_out(replica);
  Outcome outcome;
  for (uint32_t c = 0; c < system.chips.size(); ++c) load_and_start(chips[c], traffic.programs[c]);
  for (;;) {
    const auto stops = chips.run(kForEver, 10'000'000);
    outcome.tell(stops);
    if (!all_at_host(stops)) break;
    uint64_t latest = 0;
    for (const chip::Stop& stop : stops) latest = std::max(latest, stop.cycle);
    const spec::Machine& machine = system.chips[0];
    for (uint32_t c = 0; c < system.chips.size(); ++c)
      chips[c].mark(latest + 2 * machine.pcie_latency + machine.host_turnaround, kMark);
  }
  for (uint32_t c = 0; c < system.chips.size(); ++c) outcome.hashes.push_back(chips[c].memory_hash());
  return outcome;
}

// Which replica meets the host in which cycle, in the order in which it is answered; at last how every chip has ended.
Outcome by_replica(card::Client& client, const Traffic& traffic, uint32_t chips, bool reads) {
  Outcome outcome;
  client.replicas(chips, true);
  client.reset();
  load_and_start(client, traffic);
  const auto replicas = static_cast<uint32_t>(traffic.programs.size()) / chips;
  std::vector<bool> waits(replicas);
  for (;;) {
    const auto stops = client.run(kForEver, 0);
    std::vector<std::pair<uint64_t, uint32_t>> asking;
    for (uint32_t r = 0; r < replicas; ++r) {
      const auto own = std::vector(stops.begin() + r * chips, stops.begin() + (r + 1) * chips);
      if (!all_at_host(own)) continue;
      asking.emplace_back(std::ranges::max(own, {}, &chip::Stop::cycle).cycle, r);
    }
    if (asking.empty()) {
      outcome.tell(stops);
      break;
    }
    std::ranges::sort(asking);
    for (const auto& [cycle, r] : asking) {
      outcome.told.insert(outcome.told.end(), {r, cycle});
      client.choose(r * chips);
      if (reads) outcome.told.push_back(client.peek(0, traffic.programs[0][0].places().received, 1).at(0));
      for (uint32_t c = 0; c < chips; ++c) {
        client.choose(r * chips + c);
        client.write(spec::kRegMark, kMark);
      }
    }
  }
  outcome.hashes = hashes(client);
  return outcome;
}

}  // namespace

TEST_CASE("chips of replicas that meet by themselves are in a process what they are alone") {
  const auto [name, replica] = GENERATE(std::pair{"mk2-4x4", 2u}, std::pair{"mk2-4x8", 2u}, std::pair{"mk2-4x8", 4u});
  const spec::System system = spec::load_system(name);
  std::mt19937 random(3);
  const Traffic traffic = random_traffic(system, 6, 40, random, 3, 0, replica);
  const Outcome expected = alone(system, traffic, replica);
  REQUIRE(expected.told.size() == 3 * 2 * system.chips.size());
  for (const std::string backend : {"model", "rtl"}) {
    INFO(name << " " << replica << " " << backend);
    MachineProcess m(name, backend, {"--threads", "2"});
    m.client.replicas(replica, false);
    m.client.reset();
    CHECK(in_process(m.client, traffic) == expected);
    CHECK(wrong_words(m.client, traffic) == 0);
  }
}

TEST_CASE("a host that meets replicas by themselves does so in the same cycles, whatever the pace") {
  const auto [name, replica] = GENERATE(std::pair{"mk2-4x4", 2u}, std::pair{"mk2-4x8", 2u});
  const bool reads = GENERATE(false, true);
  const spec::System system = spec::load_system(name);
  std::mt19937 random(5);
  const Traffic traffic = random_traffic(system, 6, 40, random, 5, 0, replica);
  MachineProcess first(name, "model", {"--threads", "1"});
  const Outcome expected = by_replica(first.client, traffic, replica, reads);
  CHECK(wrong_words(first.client, traffic) == 0);
  // Every replica at four host syncs, and the end of every chip.
  CHECK(expected.told.size() == 4 * (reads ? 3 : 2) * system.chips.size() / replica + 2 * system.chips.size());
  for (const std::vector<std::string>& pace : {std::vector<std::string>{"--threads", "2", "--quantum", "1"},
                                               {"--threads", "2", "--hold-up", "9"},
                                               {"--threads", "1", "--quantum", "37"}}) {
    INFO(name << " " << pace[1] << " " << pace[3]);
    MachineProcess m(name, "model", pace);
    CHECK(by_replica(m.client, traffic, replica, reads) == expected);
  }
  MachineProcess rtl(name, "rtl", {"--threads", "2", "--quantum", "53"});
  CHECK(by_replica(rtl.client, traffic, replica, reads) == expected);
}

TEST_CASE("replicas that the system does not have are refused, and nothing changes") {
  MachineProcess m("mk2-4x4", "model");
  CHECK_THROWS_WITH(m.client.replicas(3, false),
                    Catch::Matchers::ContainsText("system mk2-4x4 has 4 chips, which are no replicas of 3"));
  std::mt19937 random(1);
  const Traffic traffic = random_traffic(spec::load_system("mk2-4x4"), 3, 20, random);
  const Outcome before = in_process(m.client, traffic);
  m.client.reset();
  CHECK(in_process(m.client, traffic) == before);
}
