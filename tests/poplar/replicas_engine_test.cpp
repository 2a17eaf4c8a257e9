// Replicas that go their own ways: loops with trip counts of their own, streams, calls and prints inside them, on
// replicas of one IPU and of several; the model and RTL agree in all that the host sees, and in every cycle.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <tessera/machine.hpp>

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

struct Case {
  const char* system;
  unsigned ipus, replicas;
};

Device device_of(const Case& on, const char* backend = "model") {
  ::setenv("TESSERA_MACHINE", on.system, 1);
  ::setenv("TESSERA_BACKEND", backend, 1);
  Device device = std::move(DeviceManager().getDevices(TargetType::IPU, on.ipus).at(0));
  REQUIRE(device.attach());
  return device;
}

const OptionFlags kIndependent = {{"target.syncReplicasIndependently", "true"}};

// Adds up what a stream brings, in each replica as often as the replica has been told, on the last tile; the count is
// on tile 1, of the first IPU.
struct Adding {
  Graph graph;
  unsigned last;
  Tensor left, more, x, sum, longest;
  DataStream in, out;

  Adding(const Device& device, unsigned replicas)
      : graph(device, replication_factor(replicas)), last(graph.getTarget().getNumTiles() - 1) {
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
struct Count : poplar::Vertex {
  poplar::InOut<int> left;
  poplar::Output<int> more;
  bool compute() { *more = *left > 0; *left -= 1; return true; }
};
struct Add : poplar::Vertex {
  poplar::Input<int> x;
  poplar::InOut<int> sum;
  // The work takes longer the more there is of it.
  bool compute() {
    for (volatile int i = 0; i < *x; i = i + 1) {}
    *sum += *x;
    return true;
  }
};
)");
    graph.addCodelets(source);
    left = variable(1, "left");
    more = variable(2, "more");
    x = variable(last, "x");
    sum = variable(last, "sum");
    in = graph.addHostToDeviceFIFO("in", INT, 1);
    out = graph.addDeviceToHostFIFO("out", INT, 1);
    graph.createHostWrite("left", left);
    graph.createHostRead("sum", sum);
  }
  Tensor variable(unsigned tile, const char* name) {
    const Tensor t = graph.addVariable(INT, {1}, name);
    graph.setTileMapping(t, tile);
    return t;
  }
  Execute vertex(const char* codelet, unsigned tile, ArrayRef<ConnectionDesc> fields) {
    const ComputeSet set = graph.addComputeSet(codelet);
    graph.setTileMapping(graph.addVertex(set, codelet, fields), tile);
    return Execute(set);
  }
  Execute count() { return vertex("Count", 1, {{"left", left[0]}, {"more", more[0]}}); }
  Execute add() { return vertex("Add", last, {{"x", x[0]}, {"sum", sum[0]}}); }
  Program loop(const Sequence& body) { return RepeatWhileTrue(count(), more[0], body); }
};

std::vector<int> turns_of(unsigned replicas) {
  std::vector<int> turns;
  for (unsigned r = 0; r < replicas; ++r) turns.push_back(static_cast<int>(5 * r % 7 + 1));
  return turns;
}

struct Seen {
  std::vector<int> sums;
  std::vector<std::pair<unsigned, int>> calls;  // of callbacks: replica, value
  std::uint64_t cycles = 0, hash = 0;
  bool operator==(const Seen&) const = default;
};

Seen run_adding(const Case& on, const char* backend) {
  const Device device = device_of(on, backend);
  Adding a(device, on.replicas);
  Engine engine(a.graph, a.loop(Sequence({Copy(a.in, a.x), a.add(), Copy(a.sum, a.out)})), kIndependent);
  Seen seen;
  for (unsigned r = 0; r < on.replicas; ++r) {
    engine.connectStreamToCallback("in", r, [&seen, r, n = 0](void* to) mutable {
      const int value = 100 * static_cast<int>(r) + ++n;
      std::memcpy(to, &value, sizeof value);
      seen.calls.emplace_back(r, value);
    });
    engine.connectStreamToCallback("out", r, [&seen, r](void* from) {
      int value;
      std::memcpy(&value, from, sizeof value);
      seen.calls.emplace_back(r, -value);
    });
  }
  engine.load(device);
  const std::vector<int> turns = turns_of(on.replicas);
  for (int run = 0; run < 2; ++run) {
    engine.writeTensor("left", turns.data(), turns.data() + turns.size());
    engine.run();
  }
  seen.sums.resize(on.replicas);
  engine.readTensor("sum", seen.sums.data(), seen.sums.data() + seen.sums.size());
  seen.cycles = tessera::machineCounters(device).cycles;
  seen.hash = tessera::memoryHash(device);
  return seen;
}

TEST_CASE("replicas that meet the host by themselves do not wait for each other") {
  const Case on = GENERATE(Case{"mk2-4x4", 2, 2}, Case{"mk2-4x4", 4, 4}, Case{"mk2-4x4", 4, 2}, Case{"mk2-4x8", 8, 4});
  const Seen model = run_adding(on, "model");
  const std::vector<int> turns = turns_of(on.replicas);
  for (unsigned r = 0; r < on.replicas; ++r) {
    INFO("replica " << r);
    const int n = 2 * turns[r];
    CHECK(model.sums[r] == n * 100 * static_cast<int>(r) + n * (n + 1) / 2);
    CHECK(std::ranges::count_if(model.calls, [&](const auto& call) { return call.first == r; }) == 2 * n);
  }
  // The replica with the shortest work is done with all turns before the one with the longest.
  const auto last_of = [&](unsigned replica) {
    const auto& calls = model.calls;
    return std::find_if(calls.rbegin(), calls.rend(), [&](const auto& call) { return call.first == replica; }).base();
  };
  CHECK(last_of(0) < last_of(on.replicas - 1));
  CHECK(run_adding(on, "model") == model);
  CHECK(run_adding(on, "rtl") == model);
}

TEST_CASE("a replica's place in a connected buffer is its own, and a broadcast is the same to all") {
  const Case on = GENERATE(Case{"mk2-4x4", 2, 2}, Case{"mk2-4x4", 4, 2});
  const Device device = device_of(on);
  Adding a(device, on.replicas);
  const Tensor y = a.variable(0, "y");
  const DataStream all = a.graph.addHostToDeviceFIFO("all", INT, 1, ReplicatedStreamMode::BROADCAST);
  Engine engine(a.graph, a.loop(Sequence({Copy(a.in, a.x), a.add(), Copy(all, a.x), a.add(), Copy(a.sum, a.out)})),
                kIndependent);
  std::vector<int> in(8), out(8), every = {100, 200, 300, 400}, turns = {4, 2}, sums(2);
  std::iota(in.begin(), in.end(), 1);
  engine.connectStream("in", in.data(), in.data() + in.size());
  engine.connectStream("out", out.data(), out.data() + out.size());
  engine.connectStream("all", every.data(), every.data() + every.size());
  engine.load(device);
  engine.writeTensor("left", turns.data(), turns.data() + 2);
  engine.run();
  engine.readTensor("sum", sums.data(), sums.data() + 2);
  CHECK(sums == std::vector<int>{1 + 3 + 5 + 7 + 1000, 2 + 4 + 300});
  CHECK(out == std::vector<int>{101, 102, 304, 306, 609, 0, 1016, 0});
}

TEST_CASE("host functions, remote rows and printf of a replica may stand behind a predicate of its own") {
  const Case on = GENERATE(Case{"mk2-4x2", 2, 2}, Case{"mk2-4x4", 4, 2});
  std::vector<std::string> outcomes;
  for (const char* backend : {"model", "rtl"}) {
    const Device device = device_of(on, backend);
    Adding a(device, 2);
    std::stringstream source(R"(
#include <poplar/Vertex.hpp>
#include <cstdio>
struct Say : poplar::Vertex {
  poplar::Input<int> x;
  bool compute() { printf("x is %d\n", *x); return true; }
};
)");
    a.graph.addCodelets(source);
    const RemoteBuffer rows = a.graph.addRemoteBuffer("rows", INT, 1, 1);
    const HostFunction function = a.graph.addHostFunction("next", {{INT, 1}}, {{INT, 1}});
    Engine engine(a.graph,
                  a.loop(Sequence({Call(function, {a.sum}, {a.x}), a.add(), a.vertex("Say", a.last, {{"x", a.sum[0]}}),
                                   Copy(a.sum, rows)})),
                  {{"target.syncReplicasIndependently", "true"}, {"target.gatewayMode", "false"}});
    struct Next : HostCallback {
      explicit Next(std::string& calls, unsigned replica) : calls(calls), replica(replica) {}
      void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
        int value;
        std::memcpy(&value, inputs[0], sizeof value);
        calls += std::to_string(replica) + ":" + std::to_string(value) + " ";
        value = 20 * static_cast<int>(replica) + 1;
        std::memcpy(outputs[0], &value, sizeof value);
      }
      std::string& calls;
      unsigned replica;
    };
    std::string told;
    for (unsigned r = 0; r < 2; ++r)
      engine.connectHostFunction("next", r, HostCallbackHandle(std::make_unique<Next>(told, r)));
    std::ostringstream printed;
    engine.setPrintStream(printed);
    engine.load(device);
    const std::vector<int> turns = {3, 2};
    engine.writeTensor("left", turns.data(), turns.data() + 2);
    engine.run();
    std::vector<int> sums(2), left(2);
    engine.readTensor("sum", sums.data(), sums.data() + 2);
    for (unsigned r = 0; r < 2; ++r) engine.copyFromRemoteBuffer("rows", &left[r], 0, r);
    CHECK(sums == std::vector<int>{3, 42});
    CHECK(left == sums);
    for (const char* line : {"x is 1\n", "x is 2\n", "x is 3\n", "x is 21\n", "x is 42\n"})
      CHECK_THAT(printed.str(), Catch::Matchers::ContainsText(line));
    outcomes.push_back(told + printed.str() + std::to_string(tessera::machineCounters(device).cycles));
  }
  CHECK(outcomes[0] == outcomes[1]);
}

TEST_CASE("together or by themselves, replicas come to the same results in cycles of their own") {
  const Case on = {"mk2-4x2", 2, 2};
  std::vector<std::uint64_t> cycles;
  for (const char* independent : {"false", "true"}) {
    const Device device = device_of(on);
    Adding a(device, on.replicas);
    Engine engine(a.graph, Repeat(4, Sequence({Copy(a.in, a.x), a.add(), Copy(a.sum, a.out)})),
                  {{"target.syncReplicasIndependently", independent}});
    // Turns that are long in one replica are short in the other.
    std::vector<int> in = {900, 1, 1, 900, 900, 1, 1, 900}, out(8);
    engine.connectStream("in", in.data(), in.data() + in.size());
    engine.connectStream("out", out.data(), out.data() + out.size());
    engine.load(device);
    engine.run();
    CHECK(out == std::vector<int>{900, 1, 901, 901, 1801, 902, 1802, 1802});
    cycles.push_back(tessera::machineCounters(device).cycles);
  }
  CHECK(cycles[1] < cycles[0]);
}

TEST_CASE("what goes wrong in a replica that is alone is told") {
  const Case on = {"mk2-4x2", 2, 2};
  const Device device = device_of(on);
  const std::vector<int> turns = {1, 3};
  SECTION("an abort ends the run with its message") {
    Adding a(device, 2);
    Engine engine(a.graph, a.loop(Sequence({Copy(a.in, a.x), AbortOnCondition(a.x[0], "no more")})), kIndependent);
    std::vector<int> in = {0, 0, 0, 0, 0, 1}, seen;
    engine.connectStream("in", in.data(), in.data() + in.size());
    engine.load(device);
    engine.writeTensor("left", turns.data(), turns.data() + 2);
    CHECK_THROWS_WITH(engine.run(), "no more");
  }
  SECTION("a callback's exception passes through, and the program can be loaded again") {
    Adding a(device, 2);
    Engine engine(a.graph, a.loop(Sequence({Copy(a.in, a.x), a.add()})), kIndependent);
    int calls = 0;
    engine.connectStreamToCallback("in", 0, [](void* to) { std::memset(to, 0, sizeof(int)); });
    engine.connectStreamToCallback("in", 1, [&](void* to) {
      std::memset(to, 0, sizeof(int));
      if (++calls == 2) throw std::runtime_error("out of data");
    });
    engine.load(device);
    engine.writeTensor("left", turns.data(), turns.data() + 2);
    CHECK_THROWS_WITH(engine.run(), "out of data");
    engine.load(device);
    engine.writeTensor("left", turns.data(), turns.data() + 2);
    engine.run();
    CHECK(calls == 5);
  }
  SECTION("a replica that computes for ever is late, and the other is not") {
    Adding a(device, 2);
    Engine engine(a.graph, a.loop(Sequence({Copy(a.in, a.x), a.add()})),
                  {{"target.syncReplicasIndependently", "true"},
                   {"target.computeBudget", "0"},
                   {"target.hostSyncTimeout", "100us"}});
    std::vector<int> in = {1, 1, 1, 1'000'000'000, 1, 1};
    engine.connectStream("in", in.data(), in.data() + in.size());
    engine.load(device);
    engine.writeTensor("left", turns.data(), turns.data() + 2);
    CHECK_THROWS_WITH(engine.run(), ContainsText("Chip 1: No host sync for"));
  }
}

TEST_CASE("what all replicas must meet for is refused behind a predicate, and so is what the system cannot do") {
  const auto refusal = [](const Case& on, const OptionFlags& options, const auto& body) {
    const Device device = device_of(on);
    Adding a(device, on.replicas);
    try {
      Engine engine(a.graph, a.loop(body(a)), options);
      return std::string("made");
    } catch (const poplar_error& error) {
      return std::string(error.what());
    }
  };
  const auto streams = [](Adding& a) { return Sequence({Copy(a.in, a.x)}); };
  const auto crosses = [](Adding& a) { return Sequence({CrossReplicaCopy(a.x, a.sum, {{0, 1}, {1, 0}})}); };
  for (const Case& on : {Case{"mk2-4x2", 2, 2}, Case{"mk2-4x4", 4, 2}}) {
    CHECK_THAT(refusal(on, {}, streams),
               ContainsText("RepeatWhileTrue branches to Copy(stream in, x), for which all replicas must meet"));
    CHECK(refusal(on, kIndependent, streams) == "made");
    CHECK_THAT(refusal(on, kIndependent, crosses),
               ContainsText("RepeatWhileTrue branches to CrossReplicaCopy(x, sum), for which all replicas must meet"));
  }
}

}  // namespace
