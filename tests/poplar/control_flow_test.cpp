// Programs that steer: what they run, on what TESSERA_BACKEND and TESSERA_MACHINE say (4 tiles).
#include <catch2/catch.hpp>
#include <poplar/RandomSeed.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "scaling.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::kTiles;

// A counter on tile 1 that `step` increments, and its stream to the host.
struct Counter {
  Device device = attach();
  Graph graph{device.getTarget()};
  Tensor count;
  Sequence step;

  Counter() {
    graph.addCodelets(ENGINE_CODELETS);
    count = graph.addVariable(INT, {}, "count");
    const ComputeSet cs = graph.addComputeSet("cs");
    const VertexRef v = graph.addVertex(cs, "CountRuns", {{"out", count}});
    graph.setInitialValue(v["runs"], 0);
    graph.setTileMapping(v, 1);
    graph.setTileMapping(count, 1);
    const DataStream out = graph.addDeviceToHostFIFO("count", INT, 1);
    step = Sequence({Execute(cs), Copy(count, out)});
  }
};

TEST_CASE_METHOD(Counter, "a loop goes on until a callback throws") {
  Engine engine(graph, Loop(step, "forever"));
  std::vector<int> seen;
  engine.connectStreamToCallback("count", [&](void* data) {
    seen.push_back(*static_cast<int*>(data));
    if (seen.size() == 7) throw std::out_of_range("enough");
  });
  engine.load(device);
  CHECK_THROWS_AS(engine.run(), std::out_of_range);
  CHECK(seen == std::vector<int>{1, 2, 3, 4, 5, 6, 7});
  CHECK_THROWS_WITH(engine.run(), ContainsText("call Engine::load again"));
}

TEST_CASE_METHOD(Counter, "a loop goes on until it aborts, and what follows it does not run") {
  const Tensor enough = graph.addVariable(BOOL, {}, "enough"), yes = graph.addConstant(BOOL, {}, true);
  const Tensor late = graph.addVariable(INT, {}, "late");
  for (const Tensor& t : {enough, yes, late}) graph.setTileMapping(t, 2);
  const DataStream stop = graph.addHostToDeviceFIFO("stop", BOOL, 1);
  Engine engine(
      graph,
      Sequence(
          {Loop(Sequence({step, Copy(stop, enough), AbortOnCondition(enough, std::string("enough of it"))})), step}));
  std::vector<int> seen;
  engine.connectStreamToCallback("count", [&](void* data) { seen.push_back(*static_cast<int*>(data)); });
  engine.connectStreamToCallback("stop", [&](void* data) { *static_cast<bool*>(data) = seen.size() == 4; });
  engine.load(device);
  CHECK_THROWS_AS(engine.run(), application_runtime_error);
  CHECK(seen == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE_METHOD(Counter, "a loop that never meets the host ends by target.hostSyncTimeout") {
  const Tensor other = graph.addVariable(INT, {}, "other");
  graph.setTileMapping(other, 3);
  Engine engine(graph, Loop(Sequence({Copy(count, other)})), {{"target.hostSyncTimeout", "100us"}});
  engine.load(device);
  CHECK_THROWS_AS(engine.run(), application_runtime_error);
}

// Writes 10 for a control of 1 and 20 for 2.
struct Chosen {
  Device device = attach();
  Graph graph{device.getTarget()};
  Tensor control = graph.addVariable(INT, {}, "control"), result = graph.addVariable(INT, {}, "result");
  std::vector<std::pair<std::int32_t, Program>> cases;

  Chosen() {
    graph.setTileMapping(control, 0);
    graph.setTileMapping(result, 3);
    graph.createHostWrite("control", control);
    graph.createHostRead("result", result);
    for (const int value : {1, 2}) {
      const Tensor ten = graph.addConstant(INT, {}, 10 * value);
      graph.setTileMapping(ten, 1);
      cases.emplace_back(value, Copy(ten, result));
    }
    graph.setInitialValue(result, -1);
  }
  int run(Engine& engine, int value) {
    engine.load(device);
    engine.writeTensor("control", &value, &value + 1);
    engine.run();
    int got = 0;
    engine.readTensor("result", &got, &got + 1);
    return got;
  }
};

TEST_CASE_METHOD(Chosen, "a switch with bounds checking ends the run where no case is for the control") {
  Engine engine(graph, Switch::switchWithBoundsChecking(control, cases, "choice"));
  std::ostringstream printed;
  engine.setPrintTensorStream(printed);
  CHECK(run(engine, 1) == 10);
  CHECK(run(engine, 2) == 20);
  CHECK(printed.str().empty());
  CHECK_THROWS_AS(run(engine, 7), application_runtime_error);
  CHECK_THROWS_WITH(run(engine, -3), ContainsText("Switch 'choice' has no case for the value of variable 'control'"));
  CHECK_THAT(printed.str(), ContainsText(": 7\n") && ContainsText(": -3\n"));
}

TEST_CASE_METHOD(Chosen, "a switch with an unreachable default is filled case by case") {
  Switch choice = Switch::switchWithUnreachableDefault(control);
  for (const auto& one : cases) choice.add(one.first, one.second);
  Engine engine(graph, choice);
  CHECK(run(engine, 1) == 10);
  CHECK(run(engine, 2) == 20);
  CHECK(run(engine, 3) == -1);
}

TEST_CASE_METHOD(Chosen, "between replicas there is one: copies stay, promises hold, its number is 0") {
  const Tensor index = graph.addReplicationIndexConstant("index");
  CHECK(index.rank() == 0);
  CHECK(index.elementType() == UNSIGNED_INT);
  CHECK(index.containsConstant());
  graph.setTileMapping(index, 2);
  graph.createHostRead("index", index);
  Engine engine(graph, Sequence({AssumeEqualAcrossReplicas(control), CrossReplicaCopy(control, result, {{0, 0}})}));
  CHECK(run(engine, 42) == 42);
  unsigned number = 7;
  engine.readTensor("index", &number, &number + 1);
  CHECK(number == 0);
  for (const std::map<unsigned, unsigned>& map : {std::map<unsigned, unsigned>{}, {{0, 1}}, {{0, 0}, {1, 1}}})
    CHECK_THROWS_AS(CrossReplicaCopy(control, result, map), graph_replication_error);
  CHECK_THROWS_WITH(CrossReplicaCopy(control, result, {{1, 0}}), ContainsText("variable 'result'"));
  CHECK_THROWS_AS(AssumeEqualAcrossReplicas(Tensor()), poplar_error);
}

TEST_CASE("seeds of the generators are set, read and set again") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const unsigned workers = graph.getTarget().getNumWorkerContexts(), words = kTiles * workers * 4;
  const Tensor given = graph.addVariable(UNSIGNED_INT, {kTiles, workers, 4}, VariableMappingMethod::LINEAR, "given");
  graph.createHostWrite("given", given);
  Sequence prog;
  const Tensor before = getHwSeeds(graph, prog, "before");
  setHwSeeds(graph, given, prog);
  const Tensor after = getHwSeeds(graph, prog);
  setHwSeeds(graph, before, prog);
  const Tensor again = getHwSeeds(graph, prog);
  CHECK(before.shape() == std::vector<std::size_t>{kTiles, workers, 4});
  const auto read = [&](const char* name, const Tensor& t) { graph.createHostRead(name, t); };
  read("before", before);
  read("after", after);
  read("again", again);
  Engine engine(graph, prog);
  engine.load(device);
  std::vector<unsigned> values(words), seen(words);
  for (unsigned i = 0; i < words; ++i) values[i] = 200 * i + 1000;
  engine.writeTensor("given", values.data(), values.data() + words);
  engine.run();
  engine.readTensor("after", seen.data(), seen.data() + words);
  CHECK(seen == values);
  // As after reset (arithmetic.md): worker w of every tile as if it had written w to xprngseed.
  engine.readTensor("before", seen.data(), seen.data() + words);
  for (unsigned i = 0; i < words; i += 4) {
    const std::uint64_t worker = i / 4 % workers, s0 = (~worker & 0xffffffffu) << 32 | worker;
    const std::uint64_t s1 = s0 << 13 | s0 >> 51;
    CAPTURE(i);
    CHECK((std::uint64_t{seen[i + 1]} << 32 | seen[i]) == s0);
    CHECK((std::uint64_t{seen[i + 3]} << 32 | seen[i + 2]) == s1);
  }
  std::vector<unsigned> last(words);
  engine.readTensor("again", last.data(), last.data() + words);
  CHECK(last == seen);
  CHECK_THROWS_WITH(setHwSeeds(graph, given.flatten(), prog),
                    ContainsText("variable 'given'") && ContainsText("tiles"));
}

}  // namespace
