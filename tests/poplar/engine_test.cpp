// Engines on devices, as a program uses them: one after another, at once, attached again, with the machine killed under
// them. Runs on what TESSERA_BACKEND and TESSERA_MACHINE say, a machine of four tiles.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <poplar/CSRFunctions.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <set>
#include <sstream>
#include <tessera/machine.hpp>
#include <thread>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using tessera::test::attach, tessera::test::count, tessera::test::kElements, tessera::test::machines,
    tessera::test::scaled, tessera::test::Scaling;

std::string machine_of(const Device& device) { return std::string(device.getTarget().getTargetSystemString()); }

TEST_CASE("a program runs again and again with what the streams bring") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 3);
  scaling.engine.load(device);
  for (float first : {0.0f, 5.0f, -2.5f}) CHECK(scaling.run(count(first)) == scaled(first, 3));
}

TEST_CASE("engines follow one another on one device, and take it from each other") {
  const Device device = attach();
  Scaling twice(device.getTarget(), 2), thrice(device.getTarget(), 3);
  twice.engine.load(device);
  CHECK(twice.run(count(1)) == scaled(1, 2));
  thrice.engine.load(device);
  CHECK(thrice.run(count(1)) == scaled(1, 3));
  CHECK_THROWS_WITH(twice.run(count(1)), Catch::Matchers::ContainsText("not on the device any more"));
  twice.engine.load(device);
  CHECK(twice.run(count(1)) == scaled(1, 2));
  CHECK(machines().size() == 1);
}

TEST_CASE("devices run at once, each from a thread of its own, with the same cycles") {
  // Checks are made after the threads have ended: the test's runner is not safe for several.
  std::vector<std::uint64_t> cycles(3);
  std::vector<std::vector<std::vector<float>>> results(3);
  std::vector<std::string> errors(3);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < cycles.size(); ++i)
    threads.emplace_back([i, &cycles, &results, &errors] {
      try {
        const Device device = attach();
        Scaling scaling(device.getTarget(), 2);
        scaling.engine.load(device);
        for (int k = 0; k < 3; ++k) results[i].push_back(scaling.run(count(1)));
        cycles[i] = tessera::machineCounters(device).cycles;
      } catch (const std::exception& error) {
        errors[i] = error.what();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (unsigned i = 0; i < cycles.size(); ++i) {
    INFO("device " << i);
    CHECK(errors[i] == "");
    CHECK(results[i] == std::vector<std::vector<float>>(3, scaled(1, 2)));
  }
  CHECK(cycles[0] == cycles[1]);
  CHECK(cycles[0] == cycles[2]);
  CHECK(cycles[0] > 0);
}

TEST_CASE("a manager's device is busy while attached, and free again when detached or gone") {
  const auto manager = DeviceManager::createDeviceManager();
  Device first = manager.getDevice(0), again = manager.getDevice(0);
  CHECK(first.attach());
  CHECK_FALSE(again.attach());
  first.detach();
  CHECK(machines().empty());
  CHECK(again.attach());
  again = Device();
  CHECK(manager.getDevice(0).attach());
}

TEST_CASE("a device that is attached again runs the engine after a load") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
  device.detach();
  CHECK_THROWS_AS(scaling.run(count(1)), poplar_error);
  CHECK_THROWS_WITH(scaling.engine.load(device), Catch::Matchers::ContainsText("not attached"));
  REQUIRE(device.attach());
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
}

TEST_CASE("an engine lives on when device and graph are gone, and can be moved") {
  std::unique_ptr<Engine> kept;
  {
    const Device device = attach();
    Scaling scaling(device.getTarget(), 2);
    scaling.engine.load(device);
    kept = std::make_unique<Engine>(std::move(scaling.engine));
  }
  std::vector<float> in = count(1), out(kElements);
  kept->connectStream("to", in.data());
  kept->connectStream("from", out.data());
  kept->run(0);
  CHECK(out == scaled(1, 2));
  kept.reset();
  CHECK(machines().empty());
}

TEST_CASE("a machine killed between and during runs is a clear error, and a fresh load works") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  const pid_t idle = *machines().begin();
  ::kill(idle, SIGKILL);
  CHECK_THROWS_AS(scaling.run(count(1)), system_runtime_error);
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));

  Graph graph(device.getTarget());
  graph.addCodelets(ENGINE_CODELETS);
  Tensor turns = graph.addVariable(INT, {1}, "turns");
  graph.setTileMapping(turns, 0);
  graph.setInitialValue(turns, ArrayRef<int>({2000000000}));
  ComputeSet set = graph.addComputeSet("spin");
  VertexRef v = graph.addVertex(set, "SpinFor", {{"turns", turns[0]}});
  graph.setTileMapping(v, 0);
  Engine engine(graph, Execute(set), {{"target.computeBudget", "0"}});
  engine.load(device);
  const pid_t pid = *machines().begin();
  std::thread killer([pid] {
    ::usleep(100000);
    ::kill(pid, SIGKILL);
  });
  try {
    engine.run();
    FAIL("the machine was killed");
  } catch (const recoverable_runtime_error& error) {
    CHECK_THAT(error.what(), Catch::Matchers::ContainsText("signal 9 (Killed)") &&
                                 Catch::Matchers::ContainsText(std::to_string(pid)));
  }
  killer.join();
  CHECK_THROWS_WITH(engine.run(), Catch::Matchers::ContainsText("load"));
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
}

TEST_CASE("a program killed in the middle of a run leaves no machine behind") {
  int report[2];
  REQUIRE(::pipe(report) == 0);
  const pid_t program = ::fork();
  if (program == 0) {
    const Device device = attach();
    Scaling scaling(device.getTarget(), 2);
    scaling.engine.load(device);
    const pid_t pid = *machines().begin();
    if (::write(report[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    for (;;) scaling.run(count(1));
  }
  pid_t machine = 0;
  REQUIRE(::read(report[0], &machine, sizeof machine) == sizeof machine);
  ::usleep(50000);
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  bool gone = false;
  for (int i = 0; i < 5000 && !gone; ++i) {
    gone = ::kill(machine, 0) != 0;
    ::usleep(1000);
  }
  CHECK(gone);
  ::close(report[0]);
  ::close(report[1]);
}

TEST_CASE("handles are read and written whole, in the order of the view") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  std::vector<float> values = count(7), back(kElements);
  CHECK_THROWS_WITH(scaling.engine.writeTensor("out-write", values.data(), values.data() + kElements),
                    Catch::Matchers::ContainsText("load"));
  scaling.engine.load(device);
  scaling.engine.writeTensor("out-write", values.data(), values.data() + kElements);
  scaling.engine.readTensor("out-read", back.data(), back.data() + kElements);
  CHECK(back == values);
  CHECK_THROWS_WITH(scaling.engine.readTensor("out-read", back.data(), back.data() + 3),
                    Catch::Matchers::ContainsText("40 bytes") && Catch::Matchers::ContainsText("12"));
  CHECK_THROWS_WITH(scaling.engine.readTensor("nothing", back.data(), back.data() + kElements),
                    Catch::Matchers::ContainsText("'nothing'") && Catch::Matchers::ContainsText("'out-read'"));
}

TEST_CASE("only the streams of the program that runs must be connected") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  CHECK(scaling.engine.listStreams() == std::vector<std::string>{"from", "to"});
  std::vector<float> values = count(1);
  scaling.engine.connectStream("to", values.data());
  CHECK_NOTHROW(scaling.engine.run(1));
  CHECK_THROWS_AS(scaling.engine.run(0), stream_connection_error);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
  CHECK_THROWS_WITH(scaling.engine.run(2), Catch::Matchers::ContainsText("no program 2"));
}

TEST_CASE("a stream whose copies never run is connected as any other") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor t = graph.addVariable(INT, {3}, "t");
  graph.setTileMapping(t, 0);
  const DataStream to = graph.addHostToDeviceFIFO("to", INT, 3);
  Engine engine(graph, Repeat(0, Copy(to, t)));
  engine.load(device);
  std::vector<int> values(3);
  CHECK_THROWS_AS(engine.connectStream("to", values.data(), values.data() + 2), stream_connection_error);
  engine.connectStream("to", values.data(), values.data() + 3);
  CHECK_NOTHROW(engine.run());
}

TEST_CASE("what a callback throws comes out of run, and a fresh load works") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  std::vector<float> out(kElements);
  scaling.engine.connectStream("from", out.data());
  scaling.engine.connectStreamToCallback("to", [](void*) { throw std::domain_error("mine"); });
  CHECK_THROWS_AS(scaling.engine.run(0), std::domain_error);
  CHECK_THROWS_WITH(scaling.engine.run(0), Catch::Matchers::ContainsText("last run ended with an error"));
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
}

TEST_CASE("a callback may use the engine's machine but not run it") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  std::vector<float> out(kElements);
  std::uint64_t cycles = 0;
  std::string message;
  scaling.engine.connectStream("from", out.data());
  scaling.engine.connectStreamToCallback("to", [&](void* data) {
    const std::vector<float> values = count(1);
    std::copy(values.begin(), values.end(), static_cast<float*>(data));
    cycles = tessera::machineCounters(device).cycles;
    try {
      scaling.engine.run(0);
    } catch (const poplar_error& error) {
      message = error.what();
    }
  });
  scaling.engine.run(0);
  CHECK(out == scaled(1, 2));
  CHECK(cycles > 0);
  CHECK_THAT(message, Catch::Matchers::ContainsText("is running"));
}

TEST_CASE("vertex state and variables last from run to run; a load puts back initial values") {
  const Device device = attach();
  Graph graph(device.getTarget());
  graph.addCodelets(ENGINE_CODELETS);
  Tensor out = graph.addVariable(INT, {1}, "out");
  graph.setTileMapping(out, 3);
  ComputeSet set = graph.addComputeSet("count");
  VertexRef v = graph.addVertex(set, "CountRuns", {{"out", out[0]}});
  graph.setInitialValue(v["runs"], 10);
  graph.setTileMapping(v, 3);
  graph.createHostRead("out", out);
  Engine engine(graph, Repeat(2, Execute(set)));
  for (int load = 0; load < 2; ++load) {
    engine.load(device);
    for (int expected : {12, 14}) {
      int value = 0;
      engine.run();
      engine.readTensor("out", &value, &value + 1);
      CHECK(value == expected);
    }
  }
}

TEST_CASE("float exceptions are raised only when asked for") {
  const Device device = attach();
  Graph graph(device.getTarget());
  graph.addCodelets(ENGINE_CODELETS);
  Tensor value = graph.addVariable(FLOAT, {1}, "value");
  graph.setTileMapping(value, 2);
  graph.setInitialValue(value, ArrayRef<float>({1.0f}));
  ComputeSet set = graph.addComputeSet("divide");
  VertexRef v = graph.addVertex(set, "DivideByZero", {{"value", value[0]}});
  graph.setTileMapping(v, 2);
  Engine quiet(graph, Execute(set)), strict(graph, Execute(set), {{"debug.floatPointOpException", "true"}});
  quiet.load(device);
  CHECK_NOTHROW(quiet.run());
  strict.load(device);
  CHECK_THROWS_WITH(strict.run(),
                    Catch::Matchers::ContainsText("Tile 2") && Catch::Matchers::ContainsText("float exception") &&
                        Catch::Matchers::ContainsText("DivideByZero") && Catch::Matchers::ContainsText("divide"));
}

TEST_CASE("a program changes float control, and puts it back") {
  const Device device = attach();
  Graph graph(device.getTarget());
  graph.addCodelets(OPTION_CODELETS);
  std::stringstream source(R"(
#include <poplar/Vertex.hpp>
class Invert : public poplar::Vertex {
 public:
  poplar::InOut<float> value;
  void compute() {
    volatile float zero = 0;
    *value = 1.0f / zero;
  }
};
)");
  graph.addCodelets(source);
  const Tensor value = graph.addVariable(FLOAT, {1}, "value"), halves = graph.addVariable(HALF, {4}, "halves");
  graph.setTileMapping(value, 2);
  graph.setTileMapping(halves, 1);
  const ComputeSet divide = graph.addComputeSet("divide"), square = graph.addComputeSet("square");
  graph.setTileMapping(graph.addVertex(divide, "Invert", {{"value", value[0]}}), 2);
  graph.setTileMapping(graph.addVertex(square, "Square", {{"values", halves}}), 1);
  const Tensor large = graph.addConstant(HALF, {4}, 300.0f, "large");
  graph.setTileMapping(large, 1);
  const FloatingPointBehaviour none(false, false, false, false, false), nan(false, false, false, false, true),
      division(false, true, false, false, false);
  graph.createHostRead("halves", halves);
  Sequence saturates, nans, strict, restored;
  setFloatingPointBehaviour(graph, saturates, none);
  setFloatingPointBehaviour(graph, nans, nan);
  setFloatingPointBehaviour(graph, strict, division);
  const Tensor before = getAndModifyFloatingPointBehaviour(graph, restored, none, division);
  setFloatingPointBehaviour(graph, restored, before);
  for (Sequence* sequence : {&saturates, &nans, &strict, &restored}) {
    sequence->add(Copy(large, halves));
    sequence->add(Execute(square));
    sequence->add(Execute(divide));
  }
  Engine engine(graph, {saturates, nans, strict, restored});
  engine.load(device);
  const auto half_of = [&](unsigned program) {
    engine.run(program);
    std::vector<half> values(4);
    engine.readTensor("halves", values.data(), values.data() + values.size());
    return static_cast<float>(values[3]);
  };
  CHECK(half_of(0) == 65504.0f);
  CHECK(std::isnan(half_of(1)));
  CHECK(std::isnan(half_of(3)));  // what was there before
  CHECK_THROWS_WITH(engine.run(2), Catch::Matchers::ContainsText("float exception"));
  CHECK_THROWS_WITH(setFloatingPointBehaviour(graph, strict, value), Catch::Matchers::ContainsText("'value'"));
}

TEST_CASE("stochastic rounding is switched by a program") {
  const Device device = attach();
  Graph graph(device.getTarget());
  graph.addCodelets(OPTION_CODELETS);
  constexpr unsigned kValues = 256;
  const Tensor in = graph.addVariable(FLOAT, {kValues}, "in"), out = graph.addVariable(HALF, {kValues}, "out");
  graph.setTileMapping(in, 3);
  graph.setTileMapping(out, 3);
  graph.setInitialValue(in, 1.0f + 1.0f / 4096);  // a quarter of a half's last place above 1
  const ComputeSet cs = graph.addComputeSet("cs");
  graph.setTileMapping(graph.addVertex(cs, "ToHalf", {{"in", in}, {"out", out}}), 3);
  graph.createHostRead("out", out);
  Sequence on, off;
  setStochasticRounding(graph, on, true);
  setStochasticRounding(graph, off, false);
  on.add(Execute(cs));
  off.add(Execute(cs));
  Engine engine(graph, {on, off});
  engine.load(device);
  const auto above_one = [&](unsigned program) {
    engine.run(program);
    std::vector<half> values(kValues);
    engine.readTensor("out", values.data(), values.data() + values.size());
    return std::count_if(values.begin(), values.end(), [](half h) { return static_cast<float>(h) > 1.0f; });
  };
  const auto up = above_one(0);
  CHECK(up > kValues / 8);
  CHECK(up < kValues * 3 / 8);
  CHECK(above_one(1) == 0);
}

TEST_CASE("the same program gives the same cycles and memory at every superstep, load after load") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  tessera::recordSupersteps(device, true);
  std::vector<tessera::Superstep> first, second;
  for (auto* steps : {&first, &second}) {
    scaling.engine.load(device);
    scaling.run(count(1));
    *steps = tessera::takeSupersteps(device);
  }
  REQUIRE(first.size() == second.size());
  REQUIRE_FALSE(first.empty());
  for (size_t i = 0; i < first.size(); ++i) {
    CHECK(first[i].cycle == second[i].cycle);
    CHECK(first[i].hash == second[i].hash);
  }
  const auto counters = tessera::machineCounters(device);
  CHECK(counters.compute + counters.sync + counters.exchange + counters.transfer + counters.host == counters.cycles);
}

TEST_CASE("a device that was reset wants the program loaded again") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  device.reset();
  CHECK(tessera::machineCounters(device).cycles == 0);
  CHECK_THROWS_AS(scaling.run(count(1)), poplar_error);
  scaling.engine.load(device);
  CHECK(scaling.run(count(1)) == scaled(1, 2));
}

TEST_CASE("progress of a compilation goes from nothing to all") {
  Graph graph(attach().getTarget());
  Tensor t = graph.addVariable(FLOAT, {4}, "t"), u = graph.addVariable(FLOAT, {4}, "u");
  graph.setTileMapping(t, 0);
  graph.setTileMapping(u, 1);
  std::vector<std::pair<int, int>> seen;
  const Executable executable =
      compileGraph(graph, {Copy(t, u)}, {}, [&](int done, int all) { seen.emplace_back(done, all); });
  REQUIRE(seen.size() > 2);
  CHECK(seen.front().first == 0);
  CHECK(seen.back().first == seen.back().second);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
}

TEST_CASE("one executable serves several engines, with options of their own") {
  const Device device = attach();
  const Executable executable = Scaling::build(device.getTarget(), 5);
  Engine first(executable), second(executable, {{"target.computeBudget", "1"}});
  std::vector<float> in = count(1), out(kElements);
  for (Engine* engine : {&first, &second}) {
    engine->connectStream("to", in.data());
    engine->connectStream("from", out.data());
  }
  first.load(device);
  first.run(0);
  CHECK(out == scaled(1, 5));
  CHECK_THROWS_AS((second.load(device), second.run(0)), application_runtime_error);
  CHECK_THROWS_AS(Engine(executable, {{"no.such", "1"}}), invalid_option);
}

TEST_CASE("the summary tells memory and cycles") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  scaling.engine.load(device);
  scaling.run(count(1));
  std::ostringstream text;
  scaling.engine.printProfileSummary(text, {{"showPerTileMemoryUsage", "true"}});
  CHECK_THAT(text.str(), Catch::Matchers::ContainsText("Memory Usage:") &&
                             Catch::Matchers::ContainsText("Machine: " + machine_of(device) + ", 4 tiles") &&
                             Catch::Matchers::ContainsText("Tile 3") && Catch::Matchers::ContainsText("supersteps"));
}

TEST_CASE("memory and cycles as values") {
  const Device device = attach();
  Scaling scaling(device.getTarget(), 2);
  const ProfileValue before = scaling.engine.getProfile();
  CHECK(before["executionProfile"].size() == 0);
  scaling.engine.load(device);
  scaling.run(count(1));
  const ProfileValue graph = scaling.engine.getGraphProfile(), execution = scaling.engine.getExecutionProfile();
  CHECK(graph == before["graphProfile"]);
  CHECK(graph["target"]["machine"].asString() == machine_of(device));
  CHECK(graph["target"]["tiles"].asUint() == tessera::test::kTiles);
  const ProfileValue& tiles = graph["memory"]["byTile"];
  for (unsigned tile = 0; tile < tessera::test::kTiles; ++tile) {
    CHECK(tiles["total"][tile].asUint() > tiles["variables"][tile].asUint());
    CHECK(tiles["total"][tile].asUint() < tiles["available"][tile].asUint());
  }
  CHECK(tiles["variables"].sum() >= 4 * kElements);
  const tessera::MachineCounters counters = tessera::machineCounters(device);
  CHECK(execution["cycles"]["total"].asUint() == counters.cycles);
  CHECK(execution["supersteps"].asUint() > 0);
  double parts = 0;
  for (const char* part : {"compute", "sync", "exchange", "transfer", "host"})
    parts += execution["cycles"][part].asDouble();
  CHECK(parts == execution["cycles"]["total"].asDouble());
}

TEST_CASE("words to and from the host are transferred, and nobody computes or waits then") {
  constexpr unsigned kFloats = 4000;
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor x = graph.addVariable(FLOAT, {kFloats}, "x");
  graph.setTileMapping(x, 1);
  const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, kFloats);
  const DataStream out = graph.addDeviceToHostFIFO("out", FLOAT, kFloats);
  Engine engine(graph, Sequence{Copy(in, x), Copy(x, out)});
  std::vector<float> values(kFloats), back(kFloats);
  std::iota(values.begin(), values.end(), 0.5f);
  engine.connectStream("in", values.data());
  engine.connectStream("out", back.data());
  engine.load(device);
  const tessera::MachineCounters before = tessera::machineCounters(device);
  engine.run();
  const tessera::MachineCounters after = tessera::machineCounters(device);
  CHECK(back == values);
  CHECK(after.transfer - before.transfer >= 2 * kFloats);
  CHECK(after.host - before.host < 2 * kFloats);
  CHECK(after.compute - before.compute < 1000);
}

TEST_CASE("TESSERA_QUIET is 0 or 1") {
  const std::string before = std::getenv("TESSERA_QUIET") != nullptr ? std::getenv("TESSERA_QUIET") : "";
  ::setenv("TESSERA_QUIET", "yes", 1);
  CHECK_THROWS_WITH(attach(), Catch::Matchers::ContainsText("TESSERA_QUIET is 'yes'; it can be 0 or 1"));
  ::setenv("TESSERA_QUIET", before.c_str(), 1);
  CHECK_NOTHROW(attach());
}

TEST_CASE("TESSERA_DUMP leaves a text after each pass") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("engine-dump-" + std::to_string(::getpid()));
  const Target target = Target::createIPUTarget(1, "mk2-4");
  ::setenv("TESSERA_DUMP", folder.c_str(), 1);
  Scaling::build(target, 2);
  CHECK(fs::file_size(folder / "02-lower_programs.txt") > 0);
  CHECK(fs::file_size(folder / "14-build_image.txt") > 0);
  fs::remove_all(folder);
  std::ofstream(folder.string()) << "no folder";
  CHECK_THROWS_WITH(Scaling::build(target, 2), Catch::Matchers::ContainsText("TESSERA_DUMP is '" + folder.string()));
  fs::remove(folder);
  ::unsetenv("TESSERA_DUMP");
}

TEST_CASE("a program for another machine is refused before it is loaded") {
  const Device device = attach();
  Scaling scaling(Target::createIPUTarget(1, "mk2-16"), 2);
  CHECK_THROWS_WITH(scaling.engine.load(device),
                    Catch::Matchers::ContainsText("mk2-16") && Catch::Matchers::ContainsText(machine_of(device)));
}

TEST_CASE("an empty engine or executable says so, and becomes one") {
  Engine engine;
  CHECK_THROWS_WITH(engine.run(), Catch::Matchers::ContainsText("empty Engine"));
  CHECK_THROWS_WITH(engine.listStreams(), Catch::Matchers::ContainsText("empty Engine"));
  Executable executable;
  std::ostringstream out;
  CHECK_THROWS_WITH(executable.serialize(out), Catch::Matchers::ContainsText("empty Executable"));
  CHECK_THROWS_WITH(Engine(executable), Catch::Matchers::ContainsText("empty Executable"));
  const Device device = attach();
  executable = Scaling::build(device.getTarget(), 2);
  engine = Engine(executable);
  engine.load(device);
  std::vector<float> in = count(1), result(kElements);
  engine.connectStream("to", in.data());
  engine.connectStream("from", result.data());
  engine.run(0);
  CHECK(result == scaled(1, 2));
  const Engine taken = std::move(engine);
  CHECK_THROWS_WITH(engine.load(device), Catch::Matchers::ContainsText("moved from"));
}

TEST_CASE("a stream is connected by itself as by its handle") {
  const Device device = attach();
  Graph graph(device);
  const Tensor t = graph.addVariable(FLOAT, {2}, "t");
  graph.setTileMapping(t, 1);
  const DataStream in = graph.addHostToDeviceFIFO("in", FLOAT, 2), out = graph.addDeviceToHostFIFO("out", FLOAT, 2);
  Engine engine(graph, Sequence{Copy(in, t), Copy(t, out)});
  engine.load(device);
  std::vector<float> from = {1, 2, 3, 4}, to(2);
  engine.connectStream(in, from.data(), from.data() + from.size());
  engine.connectStream(out, ArrayRef<float>(to));
  engine.run();
  CHECK(to == std::vector<float>{1, 2});
  engine.run();
  CHECK(to == std::vector<float>{3, 4});
  engine.connectStream(in, from.data());
  engine.connectStreamToCallback(out, [&](void* data) { to[1] = static_cast<float*>(data)[0] * 10; });
  engine.run();
  CHECK(to == std::vector<float>{3, 10});
  engine.connectStreamToCallback(out, 0, [&](void*) { to[0] = -1; });
  engine.run();
  CHECK(to[0] == -1);
  CHECK_THROWS_AS(engine.connectStreamToCallback(out, 1, [](void*) {}), stream_connection_error);
}

}  // namespace
