// RTL at another pace, and on several threads, does what the model does on one.
#include <catch2/catch.hpp>

#include "tests/machine/fault_list_file.h"
#include "tests/machine/pace_run.h"

using namespace tessera;
using namespace tessera::test;

TEST_CASE("chips of RTL in short rounds on two threads do what those of the model do on one") {
  const Traffic traffic = pace_traffic();
  const FaultListFile list(kManyFaults);
  for (const std::string& faults : {std::string(), list.path()}) {
    const Run expected = run(kSystem, kTraced, traffic, "model", faults, {"--threads", "1"});
    const Run rtl =
        run(kSystem, kTraced, traffic, "rtl", faults, {"--threads", "2", "--quantum", "53", "--hold-up", "5"});
    CHECK(rtl.outcome == expected.outcome);
    CHECK(rtl.counters == expected.counters);
    CHECK(rtl.trace == expected.trace);
  }
}

TEST_CASE("one chip of RTL on any number of threads does what the model does on one") {
  const auto machine = spec::load_machine("mk2-16");
  const Traffic traffic{.programs = {ring_program(machine, 1)}, .written = {}};
  const Run expected = run("mk2-16", "0-15", traffic, "model", "", {"--threads", "1"});
  for (const char* threads : {"0", "2", "3", "7"}) {
    INFO("threads " << threads);
    CHECK(run("mk2-16", "0-15", traffic, "rtl", "", {"--threads", threads}) == expected);
  }
}
