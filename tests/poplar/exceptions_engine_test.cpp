// For each exception that a run or an attachment can end in: how, that it is exactly that type, and that its message
// names what the program has named. On what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles).
#include "thrown.h"

#include <signal.h>

#include <cstdlib>
#include <poplar/exceptions.hpp>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::count, tessera::test::machines, tessera::test::Scaling;

TEST_CASE("application_runtime_error names vertex, compute set and tile") {
  const Device device = attach();
  Graph graph(device);
  graph.addCodelets(ENGINE_CODELETS);
  const Tensor turns = graph.addVariable(INT, {}, "turns");
  graph.setTileMapping(turns, 3);
  graph.setInitialValue(turns, 1 << 30);
  const ComputeSet cs = graph.addComputeSet("turning");
  graph.setTileMapping(graph.addVertex(cs, "SpinFor", {{"turns", turns}}), 3);
  Engine engine(graph, Execute(cs), {{"target.computeBudget", "10000"}});
  engine.load(device);
  CHECK_THAT(THROWN(application_runtime_error, engine.run()),
             ContainsText("SpinFor") && ContainsText("turning") && ContainsText("Tile 3"));
}

TEST_CASE("application_runtime_error of an abort has the program's words") {
  const Device device = attach();
  Graph graph(device);
  Engine engine(graph, Abort("because of it"));
  engine.load(device);
  CHECK_THAT(THROWN(application_runtime_error, engine.run()), ContainsText("because of it"));
}

TEST_CASE("stream_connection_error names the stream that a run misses") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  std::vector<float> values = count(1);
  scaling.engine.connectStream("to", values.data());
  CHECK_THAT(THROWN(stream_connection_error, scaling.engine.run(0)), ContainsText("'from'"));
}

TEST_CASE("recoverable_runtime_error says what happened to the machine, and what mends it") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  ::kill(*machines().begin(), SIGKILL);
  RecoveryAction action = RecoveryAction::FULL_RESET;
  const auto run = [&] {
    try {
      scaling.run(count(1));
    } catch (const recoverable_runtime_error& error) {
      action = error.getRecoveryAction();
      throw;
    }
  };
  CHECK_THAT(THROWN(recoverable_runtime_error, run()), ContainsText("signal 9"));
  CHECK(action == RecoveryAction::IPU_RESET);
}

TEST_CASE("system_runtime_error names the program of the machine that is not there") {
  ::setenv("TESSERA_MACHINE_BIN", "/nowhere/tessera-machine", 1);
  const std::string message = THROWN(system_runtime_error, DeviceManager().getDevice(0).attach());
  ::unsetenv("TESSERA_MACHINE_BIN");
  CHECK_THAT(message, ContainsText("/nowhere/tessera-machine"));
}

}  // namespace
