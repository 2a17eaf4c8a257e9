// Rounds of any length, on any number of threads, whoever of them is held up: the same results, cycles and traces.
#include <catch2/catch.hpp>
#include <cstdio>

#include "tb/tier.h"
#include "tests/machine/fault_list_file.h"
#include "tests/machine/pace_run.h"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("neither rounds nor threads nor delays of the host change anything") {
  const bool all = in_tier(0, 1) == 1;
  const std::vector<uint64_t> quanta =
      all ? std::vector<uint64_t>{1, 2, 7, 40, 99, kLatency} : std::vector<uint64_t>{1, 53};
  const std::vector<unsigned> threads = all ? std::vector<unsigned>{1, 2, 4} : std::vector<unsigned>{4};
  const uint64_t seeds = in_tier(1, 20);
  const Traffic traffic = pace_traffic();
  const FaultListFile list(kManyFaults);
  unsigned runs = 0, different = 0;
  for (const bool faults : {false, true}) {
    const std::string path = faults ? list.path() : "";
    const Run expected = run(kSystem, kTraced, traffic, "model", path, {"--threads", "1"});
    for (const uint64_t quantum : quanta)
      for (const unsigned number : threads)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
          INFO("quantum " << quantum << " threads " << number << " seed " << seed << " faults " << faults);
          const Run got = run(kSystem, kTraced, traffic, "model", path,
                              {"--threads", std::to_string(number), "--quantum", std::to_string(quantum), "--hold-up",
                               std::to_string(100 * seed + number)});
          CHECK(got.outcome == expected.outcome);
          CHECK(got.counters == expected.counters);
          CHECK(got.trace == expected.trace);
          different += !(got == expected);
          ++runs;
        }
  }
  std::printf("%u runs of other paces, %u different\n", runs, different);
}

TEST_CASE("the threads of one chip change nothing either") {
  const auto machine = spec::load_machine("mk2-16");
  unsigned runs = 0;
  for (const ChipProgram& program : {ring_program(machine, 1), consensus_program(machine)}) {
    const Traffic traffic{.programs = {program}, .written = {}};
    const auto on = [&](const std::string& threads) {
      return run("mk2-16", "0-15", traffic, "model", "", {"--threads", threads});
    };
    const Run expected = on("1");
    CHECK(expected.outcome.hashes.size() == 1);
    for (const char* threads : {"0", "2", "3", "7"}) {
      INFO("threads " << threads);
      CHECK(on(threads) == expected);
      ++runs;
    }
  }
  std::printf("%u runs on other threads\n", runs);
}

TEST_CASE("a round is no longer than a link, and one chip has none") {
  const auto refuses = [](const std::string& machine, const std::string& quantum, const std::string& why) {
    card::Process process(card::find_machine("model"), machine, "model", {"--quantum", quantum});
    CHECK_THROWS_WITH(card::Client(process.take_socket()), Catch::Matchers::ContainsText(why));
  };
  refuses("mk2-4x4", "161", "a quantum of 161 cycles is longer than the 160 that a link of system mk2-4x4 takes");
  refuses("mk2-4", "10", "--quantum is for systems of several chips; mk2-4 has one");
}
