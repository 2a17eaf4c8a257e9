// How many times a program with streams waits for the host.
#include <catch2/catch.hpp>

#include "tests/compiler/stream_loop.h"

using namespace tessera;
using test::StreamLoop;

TEST_CASE("three streams to the device and two from it wait for the host twice a turn") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  const StreamLoop::Taken merged = StreamLoop::run(machine, {}),
                          apart = StreamLoop::run(machine, {.merge_host_phases = false});
  CHECK(merged.host_syncs == 2 * StreamLoop::kTurns + 1);
  CHECK(apart.host_syncs == (StreamLoop::kIn + StreamLoop::kOut) * StreamLoop::kTurns + 1);
  CHECK(2 * merged.host_cycles < apart.host_cycles);
  CHECK(merged.cycles < apart.cycles);
}
