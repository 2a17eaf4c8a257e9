// A run of traffic in a process of its own, at any pace: stops, memories, counters and trace.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/machine/process_of_chips.h"

namespace tessera::test {

inline const std::string kSystem = "mk2-4x4", kTraced = "2:0-3";
constexpr uint64_t kLatency = 160;  // of its links

struct Run {
  Outcome outcome;
  std::vector<uint64_t> counters;
  std::string trace;
  bool operator==(const Run&) const = default;
};

// tiles: that are traced.
inline Run run(const std::string& system, const std::string& tiles, const Traffic& traffic, const std::string& backend,
               const std::string& faults, const std::vector<std::string>& pace) {
  std::string folder = std::filesystem::temp_directory_path() / "tessera-test-XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string file = folder + "/t.trace";
  std::vector<std::string> arguments = pace;
  arguments.insert(arguments.end(), {"--inspect", "trace=" + file + ";trace-tiles=" + tiles +
                                                      (faults.empty() ? "" : ";faults=" + faults)});
  Run run;
  {
    MachineProcess m(system, backend, arguments);
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

// Between the tiles of kSystem.
inline Traffic pace_traffic() {
  std::mt19937 random(31);
  return random_traffic(spec::load_system(kSystem), 3, 30, random, 2);
}
// Of its links.
constexpr const char* kManyFaults = "link-random link=all seed=9 every=200\n";

}  // namespace tessera::test
