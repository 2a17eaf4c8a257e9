// Lanes of links fail in runs (docs/reference/faults.md, Links): what programs write is what they write without faults,
// later; the same on RTL and model and however the chips are run. A dead link ends the run with one error.
#include <catch2/catch.hpp>
#include <cstdio>
#include <numeric>
#include <random>
#include <regex>

#include "tb/tier.h"
#include "tests/machine/fault_list_file.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;
using Catch::Matchers::ContainsText;

namespace {

struct Counts {
  uint64_t faults = 0, wrong = 0, missing = 0, doubled = 0, again = 0;
};

// Of all links, since the reset.
Counts counts(card::Client& client) {
  const std::string told = client.inspect("");
  const std::regex line(
      "link [0-9]+ \\(.*\\): ([0-9]+) faults? to cycle [0-9]+: ([0-9]+) flits? with a wrong checksum, ([0-9]+) behind "
      "a "
      "missing one, ([0-9]+) doubled, ([0-9]+) sent again");
  Counts sum;
  for (std::sregex_iterator at(told.begin(), told.end(), line), end; at != end; ++at) {
    uint64_t* const to[] = {&sum.faults, &sum.wrong, &sum.missing, &sum.doubled, &sum.again};
    for (size_t i = 0; i < std::size(to); ++i) *to[i] += std::stoull((*at)[i + 1]);
  }
  return sum;
}

uint64_t end_of(const Outcome& outcome) { return outcome.told.back(); }

Traffic traffic_of(const std::string& name, unsigned seed, unsigned phases = 2) {
  std::mt19937 random(seed);
  return random_traffic(spec::load_system(name), 6, 40, random, phases);
}

Outcome without_faults(const std::string& name, const Traffic& traffic) {
  MachineProcess m(name, "model");
  return in_process(m.client, traffic);
}

}  // namespace

TEST_CASE("a link with its layer and no faults is a mere latency, to the cycle") {
  const std::string name = GENERATE("mk2-4x2", "mk2-4x4");
  const std::string backend = GENERATE("model", "rtl");
  const Traffic traffic = traffic_of(name, 21);
  const FaultListFile list("link-timeout link=all cycles=1000\n");
  MachineProcess m(name, backend, list.arguments());
  CHECK(in_process(m.client, traffic) == without_faults(name, traffic));
  CHECK(m.client.inspect("").empty());
}

TEST_CASE("faults of links delay a run and change nothing else, whatever runs it") {
  const std::string name = GENERATE("mk2-4x2", "mk2-4x4");
  const Traffic traffic = traffic_of(name, 22);
  const Outcome clean = without_faults(name, traffic);
  const FaultListFile list(
      "link-random link=all seed=5 every=150 for=200\nlink-down link=0 from=1 cycle=400 for=700\n");
  std::vector<Outcome> outcomes;
  for (const std::vector<std::string>& pace : std::vector<std::vector<std::string>>{
           {"--threads", "1"}, {"--threads", "3"}, {"--threads", "2", "--quantum", "7", "--hold-up", "3"}}) {
    MachineProcess m(name, "model", list.arguments(pace));
    outcomes.push_back(in_process(m.client, traffic));
    const Counts told = counts(m.client);
    CHECK(told.faults > 100);
    CHECK(told.wrong > 10);
    CHECK(told.missing > 10);
    CHECK(told.doubled > 10);
    CHECK(told.again > 100);
    CHECK(wrong_words(m.client, traffic) == 0);
    m.client.reset();
    CHECK(in_process(m.client, traffic) == outcomes.front());
  }
  MachineProcess rtl(name, "rtl", list.arguments());
  outcomes.push_back(in_process(rtl.client, traffic));
  for (const Outcome& outcome : outcomes) {
    CHECK(outcome == outcomes.front());
    CHECK(outcome.hashes == clean.hashes);
    CHECK(end_of(outcome) > end_of(clean));
  }
}

// Nearly every flit of the traffic is near a fault.
TEST_CASE("many faults of links in runs: nothing lost, results equal") {
  const uint64_t least = in_tier(4'000, 100'000);
  uint64_t different = 0, runs = 0, delay = 0;
  Counts sum;
  MachineProcess clean("mk2-4x4", "model");
  for (unsigned seed = 1; sum.faults < least; ++seed) {
    std::mt19937 random(100 + seed);
    const Traffic traffic = random_traffic(spec::load_system("mk2-4x4"), 20, 64, random);
    load_and_start(clean.client, traffic);
    const uint64_t begin = clean.client.counters().cycles;
    Outcome expected;
    run_to_end(clean.client, expected);
    expected.hashes = hashes(clean.client);
    clean.client.reset();
    const FaultListFile list("link-random link=all every=60 for=40 cycle=" + std::to_string(begin) +
                             "-99999999 seed=" + std::to_string(seed));
    MachineProcess faulty("mk2-4x4", "model", list.arguments());
    const Outcome got = in_process(faulty.client, traffic);
    different += got.hashes != expected.hashes;
    delay += end_of(got) - end_of(expected);
    const Counts told = counts(faulty.client);
    sum.faults += told.faults;
    sum.again += told.again;
    ++runs;
  }
  CHECK(different == 0);
  CHECK(delay > 1000 * runs);
  CHECK(sum.again > sum.faults / 2);
  std::printf("%llu faults of links in %llu runs, %llu with other results, %llu cycles later, %llu flits sent again\n",
              static_cast<unsigned long long>(sum.faults), static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(different), static_cast<unsigned long long>(delay),
              static_cast<unsigned long long>(sum.again));
}

TEST_CASE("a dead link is one error that names it, and the machine goes on") {
  const std::string backend = GENERATE("model", "rtl");
  const Traffic traffic = traffic_of("mk2-4x2", 23);
  const Outcome clean = without_faults("mk2-4x2", traffic);
  // Beyond the end of the traffic, and in its middle.
  const std::string late = std::to_string(end_of(clean) + 1000);
  const FaultListFile lives("link-down link=all from=0 cycle=" + late +
                            " for=ever\nlink-timeout link=all cycles=5000\n");
  const FaultListFile dies("link-down link=1 from=0 cycle=600 for=ever\nlink-timeout link=1 cycles=5000\n");
  MachineProcess living("mk2-4x2", backend, lives.arguments());
  CHECK(in_process(living.client, traffic) == clean);
  for (const std::string quantum : {"1", "160"}) {
    if (backend == "rtl" && quantum == "1") continue;
    MachineProcess m("mk2-4x2", backend, dies.arguments({"--quantum", quantum}));
    for (int turn = 0; turn < 2; ++turn) {
      load_and_start(m.client, traffic);
      Outcome outcome;
      CHECK_THROWS_WITH(
          run_to_end(m.client, outcome),
          "link 1 (chip 0 port 1, chip 1 port 1) is dead: its channel 0 has brought nothing sound to chip "
          "1 since cycle 759, for longer than its time-out of 5000 cycles");
      m.client.reset();
    }
    // A run that is over before the link dies.
    Traffic none;
    const spec::Machine machine = spec::load_machine("mk2-4");
    TileProgram p((Places(machine)));
    p.trap(1);
    none.programs.assign(2, ChipProgram(machine.tiles(), p));
    Outcome outcome;
    load_and_start(m.client, none);
    run_to_end(m.client, outcome);
    CHECK(outcome.told.at(0) == static_cast<uint64_t>(chip::StopReason::kException));
  }
}

TEST_CASE("runs cut by limits, and tiles read in their middle, lose nothing while links fail") {
  const std::string backend = GENERATE("model", "rtl");
  const std::string quantum = GENERATE("0", "1", "60");
  if (backend == "rtl" && quantum == "1") return;
  const Traffic traffic = traffic_of("mk2-4x4", 25, 1);
  const Outcome clean = without_faults("mk2-4x4", traffic);
  const FaultListFile list("link-random link=all seed=8 every=80\n");
  MachineProcess whole("mk2-4x4", backend, list.arguments()),
      cut("mk2-4x4", backend, list.arguments({"--quantum", quantum})),
      read("mk2-4x4", backend, list.arguments({"--quantum", quantum}));
  const Outcome expected = in_process(whole.client, traffic);
  std::mt19937 random(5);
  for (MachineProcess* m : {&cut, &read}) {
    load_and_start(m->client, traffic);
    Outcome outcome;
    std::vector<chip::Stop> stops;
    unsigned refused = 0;
    do {
      uint64_t latest = 0;
      for (uint32_t c = 0; c < 4; ++c) {
        m->client.choose(c);
        latest = std::max(latest, m->client.counters().cycles);
      }
      stops = m->client.run(latest + 1 + random() % 700, 0);
      if (m != &read) continue;
      m->client.choose(static_cast<uint32_t>(random() % 4));
      for (uint32_t t = 0; t < 4; ++t) refused += !m->client.settled(t);
    } while (!std::ranges::all_of(stops, [](const auto& s) { return s.reason == chip::StopReason::kException; }));
    outcome.tell(stops);
    outcome.hashes = hashes(m->client);
    CHECK(outcome.hashes == clean.hashes);
    if (m == &cut) CHECK(outcome == expected);
    if (m == &read) CHECK(refused > 3);
  }
}

TEST_CASE("faults of tiles strike the chip that they name, beside those of links") {
  const std::string name = "mk2-4x2";
  const Traffic traffic = traffic_of(name, 24);
  const Outcome clean = without_faults(name, traffic);
  const Places places(spec::load_machine("mk2-4"));
  // A word that no packet writes; in the middle of the run, and while the chip waits for its group.
  const FaultListFile list("memory tile=1:2 address=" + std::to_string(places.result + 64) + " bit=4 cycle=" +
                           std::to_string(clean.told.at(1) + 100) + "\nlink-drop link=0 from=1 cycle=20000\n");
  std::vector<Outcome> outcomes;
  for (const std::string backend : {"model", "rtl"})
    for (const std::string quantum : {"1", "160"}) {
      if (backend == "rtl" && quantum == "1") continue;
      MachineProcess m(name, backend, list.arguments({"--quantum", quantum}));
      outcomes.push_back(in_process(m.client, traffic));
      m.client.choose(1);
      CHECK(m.client.peek(2, places.result + 64, 1).at(0) == 16);
    }
  for (const Outcome& outcome : outcomes) {
    CHECK(outcome == outcomes.front());
    CHECK(outcome.hashes.at(0) == clean.hashes.at(0));
    CHECK(outcome.hashes.at(1) != clean.hashes.at(1));
  }
}

TEST_CASE("faults of links that cannot be are refused in one line") {
  const auto refuses = [](const std::string& machine, const std::string& line, const std::string& why) {
    const FaultListFile list("# links\n" + line + "\n");
    card::Process process(card::find_machine("model"), machine, "model", list.arguments());
    CHECK_THROWS_WITH(card::Client(process.take_socket()), list.path() + ":2: " + why);
  };
  refuses("mk2-4", "link-drop link=0 cycle=5", "there is no link 0: system mk2-4 has none");
  refuses("mk2-4x2", "link-drop link=3 cycle=5", "there is no link 3: system mk2-4x2 has 3, from 0 on");
  refuses("mk2-4x2", "link-drop link=a cycle=5", "link 'a' is no number");
  refuses("mk2-4x4", "link-drop link=0 from=3 cycle=5", "from=3: link 0 does not leave that chip");
  refuses("mk2-4x2", "link-drop link=0 channel=9 cycle=5", "there is no channel 9: link 0 has 1, from 0 on");
  refuses("mk2-4x2", "link-drop link=0", "cycle= is missing");
  refuses("mk2-4x2", "link-drop link=0 cycle=5 bit=3", "this site has no bit=");
  refuses("mk2-4x2", "link-flip link=0 cycle=5 bit=119", "there is no bit 119: a flit has 119");
  refuses("mk2-4x2", "link-down link=0 cycle=5 for=0", "for=0 is none: it is at least 1");
  refuses("mk2-4x2", "link-timeout link=all cycles=0", "cycles=0 is none: it is at least 1");
  refuses("mk2-4x2", "link-random link=0 seed=1 every=10 kinds=flip,melt",
          "kinds: 'melt' is none: flip, drop, double or down");
  refuses("mk2-4x2", "memory tile=2:0 address=0x80000 bit=1 cycle=5",
          "there is no chip 2: the system has 2, from 0 on");
  refuses("mk2-4x2", "memory tile=1:4 address=0x80000 bit=1 cycle=5", "fault: there is no tile 4 in mk2-4");
  refuses("mk2-4x2", "link-cut link=0 cycle=5",
          "'link-cut' is no site of links: link-flip, link-drop, link-double, link-down, link-random or link-timeout");
}
