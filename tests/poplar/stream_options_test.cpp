// What options of streams and of the exchange with the host change, on what TESSERA_BACKEND says, mk2-4.
// docs/user/options.md names the cases.
#include <catch2/catch.hpp>
#include <memory>
#include <tessera/machine.hpp>

#include "option_effects.h"

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;
using tessera::test::attach, tessera::test::kTiles, tessera::test::OptionEffects;

namespace {

// A step of training in small: three streams bring data, two take results, and one more is asked for what the last
// result makes of it.
struct HostLoop : OptionEffects {
  static constexpr unsigned kTurns = 3;
  std::vector<Tensor> variables;
  Sequence turn;

  HostLoop() {
    for (const char* name : {"a", "b", "c", "x", "y", "z"}) {
      variables.push_back(graph.addVariable(INT, {2}, name));
      place(variables.back(), static_cast<unsigned>(variables.size() - 1) % kTiles);
    }
    const Tensor ab = concat(variables[0], variables[1]), xy = concat(variables[3], variables[4]);
    for (const unsigned in : {0u, 1u, 2u}) turn.add(Copy(from_host(in), variables[in]));
    turn.add(Copy(ab, xy));
    for (const unsigned out : {3u, 4u}) turn.add(Copy(variables[out], to_host(out)));
    turn.add(Copy(from_host(5), variables[5]));
    graph.createHostRead("z", variables[5]);
  }
  static std::string name(unsigned variable) { return std::string(1, "abcxyz"[variable]); }
  DataStream from_host(unsigned v) { return graph.addHostToDeviceFIFO(name(v), INT, 2); }
  DataStream to_host(unsigned v) { return graph.addDeviceToHostFIFO(name(v), INT, 2); }

  struct Run {
    std::string log;
    int z[2];
    std::uint64_t cycles;
  };
  Run run(const OptionFlags& options) {
    Engine engine(graph, Repeat(kTurns, turn), options);
    Run made{};
    int next = 0, sum = 0;
    for (const unsigned in : {0u, 1u, 2u})
      engine.connectStreamToCallback(name(in), [&, in](void* data) {
        made.log += name(in);
        static_cast<int*>(data)[0] = static_cast<int*>(data)[1] = ++next;
      });
    for (const unsigned out : {3u, 4u})
      engine.connectStreamToCallback(name(out), [&, out](void* data) {
        made.log += name(out) + std::to_string(static_cast<int*>(data)[1]);
        sum = 10 * sum + static_cast<int*>(data)[0];
      });
    engine.connectStreamToCallback("z", [&](void* data) {
      made.log += "z ";
      static_cast<int*>(data)[0] = sum;
      static_cast<int*>(data)[1] = -sum;
    });
    engine.load(device);
    const auto before = tessera::machineCounters(device);
    engine.run();
    const auto after = tessera::machineCounters(device);
    made.cycles = after.cycles - before.cycles;
    engine.readTensor("z", made.z, made.z + 2);
    return made;
  }
};

}  // namespace

TEST_CASE_METHOD(HostLoop, "tessera.mergeHostPhases makes one host phase of several") {
  const OptionFlags off = {{"tessera.mergeHostPhases", "false"}};
  const Run merged = run({}), apart = run(off);
  // Callbacks come in the program's order, and each sees what those before it have got.
  CHECK(merged.log == "abcx1y2z abcx4y5z abcx7y8z ");
  CHECK(merged.log == apart.log);
  CHECK(merged.z[0] == 124578);
  CHECK(merged.z[1] == -124578);
  CHECK(apart.z[0] == 124578);
  // Two host phases a turn instead of six: each takes a way to the host and back at least.
  CHECK(merged.cycles < apart.cycles / 2);
  const auto steps = [&](const OptionFlags& options) {
    Engine engine(graph, turn, options);
    return summary(engine, {{"showExecutionSteps", "true"}});
  };
  CHECK_THAT(steps({}), ContainsText("Copy(stream a, a) + Copy(stream b, b) + Copy(stream c, c)") &&
                            ContainsText("Copy(x, stream x) + Copy(y, stream y) + Copy(stream z, z)"));
  CHECK_THAT(steps(off), !ContainsText("+ Copy(stream b, b)"));
  const Executable executable = compileGraph(graph, {turn});
  CHECK_THROWS_WITH(Engine(executable, off), ContainsText("compileGraph"));
}

TEST_CASE_METHOD(HostLoop, "callbacks that only fetch come in the program's order on whatever thread") {
  const Run here = run({});
  for (const char* mode : {"singleThread", "dedicated", "collaborative"}) {
    const Run there = run({{"streamCallbacks.multiThreadMode", mode}});
    CHECK(there.log == here.log);
    CHECK(there.z[0] == here.z[0]);
    CHECK(there.cycles == here.cycles);
  }
}

namespace {

// Numbers its transfers, and knows those it gave ahead.
class Ahead : public StreamCallback {
 public:
  explicit Ahead(std::string& log) : log_(log) {}
  Result prefetch(void* buffer) override {
    log_ += "p";
    fill(buffer);
    return Result::Success;
  }
  void fetch(void* buffer) override {
    log_ += "f";
    fill(buffer);
  }
  void complete() override { log_ += "c"; }
  void invalidatePrefetched() override { log_ += "i"; }

 private:
  void fill(void* buffer) { *static_cast<int*>(buffer) = ++number_; }
  std::string& log_;
  int number_ = 0;
};

}  // namespace

TEST_CASE("streams are asked ahead as far as the options say") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor in = graph.addVariable(INT, {1}, "in"), out = graph.addVariable(INT, {3}, "out");
  graph.setTileMapping(in, 0);
  graph.setTileMapping(out, 1);
  const DataStream stream =
      graph.addHostToDeviceFIFO("in", INT, 1, ReplicatedStreamMode::REPLICATE, {{"bufferingDepth", "2"}});
  graph.createHostRead("out", out);
  Sequence program;
  for (unsigned i = 0; i < 3; ++i) {
    program.add(Copy(stream, in));
    program.add(Copy(in, out.slice(i, i + 1)));
  }
  const auto calls = [&](OptionFlags options) {
    std::string log;
    Engine engine(graph, program, options);
    engine.connectStreamToCallback("in", std::make_unique<Ahead>(log));
    engine.load(device);
    engine.run();
    std::vector<int> values(3);
    engine.readTensor("out", values.data(), values.data() + 3);
    CHECK(values == std::vector<int>{1, 2, 3});
    return log;
  };
  const OptionFlags on = {{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "none"}};
  const auto and_lookahead = [&](const char* most) {
    OptionFlags options = on;
    options.set("streamCallbacks.maxLookahead", most);
    return options;
  };
  CHECK(calls({}) == "pcpcpc");
  CHECK(calls({{"exchange.enablePrefetch", "false"}}) == "fcfcfc");
  CHECK(calls({{"exchange.streamBufferOverlap", "any"}}) == "fcfcfc");
  CHECK(calls({{"exchange.enablePrefetch", "true"}}) == "fcppcpcpi");
  CHECK(calls(on) == "fcppcpcpi");
  CHECK(calls(and_lookahead("1")) == "fcpcpcpi");
  CHECK(calls(and_lookahead("0")) == "fcfcfc");
}

TEST_CASE("streams of one host phase are asked ahead as they are each in its own") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor in = graph.addVariable(INT, {2}, "in"), sums = graph.addVariable(INT, {2}, "sums");
  graph.setTileMapping(in[0], 0);
  graph.setTileMapping(in[1], 3);
  graph.setTileMapping(sums, 1);
  const auto stream = [&](const char* name, const char* depth) {
    return graph.addHostToDeviceFIFO(name, INT, 1, ReplicatedStreamMode::REPLICATE, {{"bufferingDepth", depth}});
  };
  graph.createHostRead("sums", sums);
  const Repeat program(3, Sequence({Copy(stream("one", "1"), in.slice(0, 1)), Copy(stream("two", "2"), in.slice(1, 2)),
                                    Copy(in, sums)}));
  const auto calls = [&](OptionFlags options, const char* merge) {
    options.set("tessera.mergeHostPhases", merge);
    std::string log;
    Engine engine(graph, program, options);
    for (const char* name : {"one", "two"}) engine.connectStreamToCallback(name, std::make_unique<Ahead>(log));
    engine.load(device);
    engine.run();
    std::vector<int> values(2);
    engine.readTensor("sums", values.data(), values.data() + 2);
    CHECK(values == std::vector<int>{3, 3});
    return log;
  };
  const OptionFlags ahead = {{"exchange.enablePrefetch", "true"}, {"exchange.streamBufferOverlap", "none"}};
  for (const char* merge : {"true", "false"}) {
    CHECK(calls({}, merge) == "pcpcpcpcpcpc");
    CHECK(calls(ahead, merge) == "fcpfcppcpcpcpcpii");
  }
}

namespace {

// Gives 1 + the last result, which a callback of the other stream has left in `last`; says so only when it is there.
class Answer : public StreamCallback {
 public:
  Answer(std::vector<int>& results, std::string& log) : results_(results), log_(log) {}
  Result prefetch(void* buffer) override {
    log_ += results_.size() > given_ ? "p" : "n";
    if (results_.size() <= given_) return Result::NotAvailable;  // a real one would wait here
    fetch(buffer);
    return Result::Success;
  }
  void fetch(void* buffer) override {
    ++given_;
    *static_cast<int*>(buffer) = results_.empty() ? 1 : results_.back() + 1;
  }

 private:
  std::vector<int>& results_;
  std::string& log_;
  std::size_t given_ = 0;
};

}  // namespace

TEST_CASE("by default a prefetch comes after the results before it, so that it may wait for them") {
  const Device device = attach();
  Graph graph(device.getTarget());
  const Tensor t = graph.addVariable(INT, {}, "t");
  graph.setTileMapping(t, 0);
  const Repeat turns(4, Sequence({Copy(graph.addHostToDeviceFIFO("in", INT, 1), t),
                                  Copy(t, graph.addDeviceToHostFIFO("out", INT, 1))}));
  for (const char* merge : {"true", "false"}) {
    Engine engine(graph, turns, {{"tessera.mergeHostPhases", merge}});
    std::string log;
    std::vector<int> results = {0};  // what the first turn answers
    engine.connectStreamToCallback("in", std::make_unique<Answer>(results, log));
    engine.connectStreamToCallback("out", [&](void* data) { results.push_back(*static_cast<int*>(data)); });
    engine.load(device);
    engine.run();
    CHECK(log == "pppp");  // never asked before the result was there
    CHECK(results == std::vector<int>{0, 1, 2, 3, 4});
  }
}

TEST_CASE("stream options that a stream cannot have are refused by name") {
  Graph graph(Target::createIPUTarget(1, "mk2-4"));
  const auto mode = ReplicatedStreamMode::REPLICATE;
  CHECK_NOTHROW(graph.addHostToDeviceFIFO("a", INT, 4, mode, {{"splitLimit", "16"}, {"bufferingDepth", "3"}}));
  CHECK_NOTHROW(graph.addDeviceToHostFIFO("b", INT, 4, {{"splitLimit", "0"}, {"bufferingDepth", "1"}}));
  CHECK_THROWS_WITH(graph.addHostToDeviceFIFO("c", INT, 4, mode, {{"splitLimit", "15"}}),
                    ContainsText("stream 'c'") && ContainsText("splitLimit") && ContainsText("16 bytes"));
  CHECK_THROWS_WITH(graph.addDeviceToHostFIFO("c", INT, 4, {{"bufferingDepth", "2"}}),
                    ContainsText("stream 'c'") && ContainsText("bufferingDepth"));
  CHECK_THROWS_WITH(graph.addHostToDeviceFIFO("c", INT, 4, mode, {{"bufferingDepth", "0"}}),
                    ContainsText("one buffer at least; leave it out"));
  CHECK_THROWS_WITH(graph.addHostToDeviceFIFO("c", INT, 4, mode, {{"splitlimit", "0"}}), ContainsText("'splitLimit'"));
}
