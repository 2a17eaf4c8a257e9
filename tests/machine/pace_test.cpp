// Rounds of any length, on any number of threads, whoever of them is held up: the same results, cycles and traces.
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "tb/tier.h"
#include "tests/machine/fault_list_file.h"
#include "tests/machine/process_of_chips.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr uint32_t kTraced = 2;  // the chip
constexpr uint64_t kLatency = 160;

struct Run {
  Outcome outcome;
  std::vector<uint64_t> counters;
  std::string trace;
  bool operator==(const Run&) const = default;
};

Run run(const Traffic& traffic, const std::string& backend, const std::string& faults,
        const std::vector<std::string>& pace) {
  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string file = folder + "/t.trace";
  std::vector<std::string> arguments = pace;
  arguments.insert(arguments.end(), {"--inspect", "trace=" + file + ";trace-tiles=" + std::to_string(kTraced) + ":0-3" +
                                                      (faults.empty() ? "" : ";faults=" + faults)});
  Run run;
  {
    MachineProcess m("mk2-4x4", backend, arguments);
    run.outcome = in_process(m.client, traffic);
    for (uint32_t c = 0; c < traffic.programs.size(); ++c) {
      m.client.choose(c);
      const chip::Counters n = m.client.counters();
      run.counters.insert(run.counters.end(),
                          {n.cycles, n.supersteps, n.compute, n.sync, n.exchange, n.transfer, n.host});
    }
    m.client.finish();
  }
  std::ifstream in(file, std::ios::binary);
  run.trace.assign(std::istreambuf_iterator<char>(in), {});
  CHECK(run.trace.size() > 1000);
  std::filesystem::remove_all(folder);
  return run;
}

}  // namespace

TEST_CASE("neither rounds nor threads nor delays of the host change anything") {
  const bool all = in_tier(0, 1) == 1;
  const std::vector<uint64_t> quanta =
      all ? std::vector<uint64_t>{1, 2, 7, 40, 99, kLatency} : std::vector<uint64_t>{1, 53};
  const std::vector<unsigned> threads = all ? std::vector<unsigned>{1, 2, 4} : std::vector<unsigned>{4};
  const uint64_t seeds = in_tier(1, 20);
  std::mt19937 random(31);
  const Traffic traffic = random_traffic(spec::load_system("mk2-4x4"), 3, 30, random, 2);
  const FaultListFile list("link-random link=all seed=9 every=200\n");
  unsigned runs = 0, different = 0;
  for (const bool faults : {false, true}) {
    const std::string path = faults ? list.path() : "";
    const Run expected = run(traffic, "model", path, {"--threads", "1"});
    for (const uint64_t quantum : quanta)
      for (const unsigned number : threads)
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
          INFO("quantum " << quantum << " threads " << number << " seed " << seed << " faults " << faults);
          const Run got = run(traffic, "model", path,
                              {"--threads", std::to_string(number), "--quantum", std::to_string(quantum), "--hold-up",
                               std::to_string(100 * seed + number)});
          CHECK(got.outcome == expected.outcome);
          CHECK(got.counters == expected.counters);
          CHECK(got.trace == expected.trace);
          different += !(got == expected);
          ++runs;
        }
    const Run rtl = run(traffic, "rtl", path, {"--threads", "2", "--quantum", "53", "--hold-up", "5"});
    CHECK(rtl.outcome == expected.outcome);
    CHECK(rtl.counters == expected.counters);
    CHECK(rtl.trace == expected.trace);
    different += !(rtl == expected);
    ++runs;
  }
  std::printf("%u runs of other paces, %u different\n", runs, different);
}

TEST_CASE("a round is no longer than a link, and one chip has none") {
  const auto refuses = [](const std::string& machine, const std::string& quantum, const std::string& why) {
    card::Process process(card::find_machine("model"), machine, "model", {"--quantum", quantum});
    CHECK_THROWS_WITH(card::Client(process.take_socket()), Catch::Matchers::ContainsText(why));
  };
  refuses("mk2-4x4", "161", "a quantum of 161 cycles is longer than the 160 that a link of system mk2-4x4 takes");
  refuses("mk2-4", "10", "--quantum is for systems of several chips; mk2-4 has one");
}
