// Programs on several IPUs, run: copies between IPUs, host streams of all, replicas with what each has of its own.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

// Of the system mk2-4x4, attached.
Device device_of(unsigned ipus) {
  ::setenv("TESSERA_MACHINE", "mk2-4x4", 1);
  Device device = std::move(DeviceManager().getDevices(TargetType::IPU, ipus).at(0));
  REQUIRE(device.attach());
  return device;
}

Tensor on_tile(Graph& graph, const Type& type, std::size_t n, unsigned tile, const char* name) {
  const Tensor t = graph.addVariable(type, {n}, name);
  graph.setTileMapping(t, tile);
  return t;
}

TEST_CASE("a copy from the graph of one IPU to that of another arrives") {
  const Device device = device_of(2);
  Graph graph(device);
  Graph first = graph.createVirtualGraph(0, 4), second = graph.createVirtualGraph(4, 8);
  const Tensor in = on_tile(first, INT, 100, 1, "in"), middle = on_tile(second, INT, 100, 2, "middle"),
               out = on_tile(first, INT, 100, 3, "out");
  graph.createHostWrite("in", in);
  graph.createHostRead("middle", middle);
  graph.createHostRead("out", out);
  Engine engine(graph, Sequence({Copy(in, middle), Copy(middle.reverse(0), out)}));
  engine.load(device);
  std::vector<int> values(100), got(100), back(100);
  std::iota(values.begin(), values.end(), 7);
  engine.writeTensor("in", values.data(), values.data() + 100);
  engine.run();
  engine.readTensor("middle", got.data(), got.data() + 100);
  engine.readTensor("out", back.data(), back.data() + 100);
  CHECK(got == values);
  CHECK(back == std::vector<int>(values.rbegin(), values.rend()));
}

TEST_CASE("streams reach the tiles of all IPUs") {
  const Device device = device_of(2);
  Graph graph(device);
  const Tensor t = graph.addVariable(INT, {8}, VariableMappingMethod::LINEAR, "t");
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 8), out = graph.addDeviceToHostFIFO("out", INT, 8);
  Engine engine(graph, Repeat(3, Sequence({Copy(in, t), Copy(t, out)})));
  std::vector<int> from(24), to(24);
  std::iota(from.begin(), from.end(), 1);
  engine.connectStream("in", from.data(), from.data() + 24);
  engine.connectStream("out", to.data(), to.data() + 24);
  engine.load(device);
  engine.run();
  CHECK(to == from);
}

TEST_CASE("a loop of several IPUs ends when its predicate says so") {
  const Device device = device_of(2);
  Graph graph(device);
  const Tensor left = on_tile(graph, INT, 1, 1, "left"), spent = on_tile(graph, INT, 4, 6, "spent");
  const Tensor turns = graph.addConstant(INT, {4}, ArrayRef<int>({4, 3, 2, 1}), "turns");
  graph.setTileMapping(turns, 5);
  graph.createHostWrite("left", left);
  graph.createHostRead("spent", spent);
  // Three turns through a shifting tensor whose last element becomes zero.
  const Tensor zero = graph.addConstant(INT, {1}, 0, "zero");
  graph.setTileMapping(zero, 2);
  const Tensor queue = on_tile(graph, INT, 3, 4, "queue");
  graph.setInitialValue(queue, ArrayRef<int>({1, 1, 1}));
  const Tensor shifted = on_tile(graph, INT, 3, 1, "shifted");
  const Sequence body({Copy(concat(zero, queue.slice(0, 2)), shifted), Copy(shifted, queue)});
  Engine engine(graph,
                Sequence({RepeatWhileTrue(Copy(queue[2].reshape({1}), left), left[0], body), Copy(turns, spent)}));
  engine.load(device);
  int flag = 1;
  engine.writeTensor("left", &flag, &flag + 1);
  engine.run();
  std::vector<int> got(4);
  engine.readTensor("spent", got.data(), got.data() + 4);
  CHECK(got == std::vector<int>{4, 3, 2, 1});
}

TEST_CASE("each replica has its number, its values and its streams") {
  const unsigned replicas = GENERATE(2u, 4u);
  const Device device = device_of(replicas);
  Graph graph(device, replication_factor(replicas));
  const Tensor index = graph.addReplicationIndexConstant("index");
  graph.setTileMapping(index, 2);
  const Tensor t = on_tile(graph, INT, 2, 3, "t"), number = on_tile(graph, UNSIGNED_INT, 1, 1, "number"),
               shared = on_tile(graph, INT, 2, 0, "shared"), mine = on_tile(graph, INT, 1, 1, "mine");
  std::map<unsigned, unsigned> values;
  for (unsigned r = 0; r < replicas; ++r) values[r] = 50 + r;
  graph.setInitialValue(mine, values);
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 2), out = graph.addDeviceToHostFIFO("out", INT, 2);
  const DataStream all = graph.addHostToDeviceFIFO("all", INT, 2, ReplicatedStreamMode::BROADCAST);
  for (const auto& [name, tensor] :
       std::map<std::string, Tensor>{{"number", number}, {"shared", shared}, {"mine", mine}})
    graph.createHostRead(name, tensor);
  Engine engine(graph, Sequence({Copy(in, t), Copy(all, shared), Copy(index.reshape({1}), number), Copy(t, out)}));
  std::vector<int> from(2 * replicas), to(2 * replicas), both = {8, 9};
  std::iota(from.begin(), from.end(), 1);
  engine.connectStream("in", from.data(), from.data() + from.size());
  engine.connectStream("out", to.data(), to.data() + to.size());
  engine.connectStream("all", both.data());
  engine.load(device);
  engine.run();
  CHECK(to == from);
  std::vector<unsigned> numbers(replicas), counted(replicas);
  std::iota(counted.begin(), counted.end(), 0u);
  engine.readTensor("number", numbers.data(), numbers.data() + replicas);
  CHECK(numbers == counted);
  std::vector<int> got(2 * replicas), own(replicas);
  engine.readTensor("shared", got.data(), got.data() + got.size());
  engine.readTensor("mine", own.data());
  for (unsigned r = 0; r < replicas; ++r) {
    CHECK(got[2 * r + 1] == 9);
    CHECK(own[r] == 50 + static_cast<int>(r));
  }
  CHECK_THROWS_WITH(engine.readTensor("shared", got.data(), got.data() + 2),
                    ContainsText("8 bytes in each of " + std::to_string(replicas) + " replicas"));
}

TEST_CASE("each replica has callbacks, host functions and remote rows of its own") {
  const Device device = device_of(2);
  Graph graph(device, replication_factor(2));
  const Tensor t = on_tile(graph, INT, 1, 1, "t"), row = on_tile(graph, INT, 1, 2, "row"),
               answer = on_tile(graph, INT, 1, 3, "answer");
  const DataStream in = graph.addHostToDeviceFIFO("in", INT, 1);
  const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 1);
  const HostFunction function = graph.addHostFunction("twice", {{INT, 1}}, {{INT, 1}});
  graph.createHostRead("answer", answer);
  graph.createHostRead("row", row);
  Engine engine(graph, Sequence({Copy(in, t), Copy(buffer, row), Call(function, {t}, {answer}), Copy(t, buffer)}));
  struct Times : HostCallback {
    explicit Times(int factor) : factor(factor) {}
    void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
      int value;
      std::memcpy(&value, inputs[0], sizeof value);
      value *= factor;
      std::memcpy(outputs[0], &value, sizeof value);
    }
    int factor;
  };
  for (unsigned r = 0; r < 2; ++r) {
    engine.connectStreamToCallback("in", r, [r](void* to) {
      const int value = 10 + static_cast<int>(r);
      std::memcpy(to, &value, sizeof value);
    });
    const int old = 100 + static_cast<int>(r);
    engine.copyToRemoteBuffer(&old, "rows", 0, r);
  }
  engine.connectHostFunction("twice", 0, HostCallbackHandle(std::make_unique<Times>(2)));
  engine.load(device);
  CHECK_THROWS_WITH(engine.run(), ContainsText("host function 'twice'") && ContainsText("for replica 1"));
  engine.connectHostFunction("twice", 1, HostCallbackHandle(std::make_unique<Times>(3)));
  engine.run();
  std::vector<int> answers(2), rows(2);
  engine.readTensor("answer", answers.data());
  engine.readTensor("row", rows.data());
  CHECK(answers == std::vector<int>{20, 33});
  CHECK(rows == std::vector<int>{100, 101});
  int left = 0;
  engine.copyFromRemoteBuffer("rows", &left, 0, 1);
  CHECK(left == 11);
  CHECK_THROWS_WITH(engine.copyToRemoteBuffer(&left, "rows", 0, 2), ContainsText("has no replica 2"));
  CHECK_THROWS_AS(engine.connectHostFunction("twice", 2, HostCallbackHandle(std::make_unique<Times>(1))),
                  stream_connection_error);
}

TEST_CASE("replicas send to each other round a ring, and print one after the other") {
  const Device device = device_of(4);
  Graph graph(device, replication_factor(4));
  const Tensor mine = on_tile(graph, INT, 3, 1, "mine"), theirs = on_tile(graph, INT, 3, 2, "theirs");
  graph.createHostWrite("mine", mine);
  graph.createHostRead("theirs", theirs);
  Engine engine(
      graph, Sequence({CrossReplicaCopy(mine, theirs, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}), PrintTensor("got", theirs)}));
  std::ostringstream printed;
  engine.setPrintTensorStream(printed);
  engine.load(device);
  const std::vector<int> values = {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32};
  engine.writeTensor("mine", values.data(), values.data() + 12);
  engine.run();
  std::vector<int> got(12);
  engine.readTensor("theirs", got.data(), got.data() + 12);
  CHECK(got == std::vector<int>{30, 31, 32, 0, 1, 2, 10, 11, 12, 20, 21, 22});
  CHECK(printed.str() ==
        "got (replica 0): [30 31 32]\ngot (replica 1): [0 1 2]\ngot (replica 2): [10 11 12]\n"
        "got (replica 3): [20 21 22]\n");
}

TEST_CASE("two replicas of two IPUs keep their values apart") {
  const Device device = device_of(4);
  Graph graph(device, replication_factor(2));
  const Tensor a = on_tile(graph, INT, 5, 1, "a"), b = on_tile(graph, INT, 5, 6, "b"),
               c = on_tile(graph, INT, 5, 3, "c");
  graph.createHostWrite("a", a);
  graph.createHostRead("c", c);
  Engine engine(graph, Sequence({Copy(a, b), CrossReplicaCopy(b, c, {{0, 1}, {1, 0}})}));
  engine.load(device);
  const std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  engine.writeTensor("a", values.data(), values.data() + 10);
  engine.run();
  std::vector<int> got(10);
  engine.readTensor("c", got.data(), got.data() + 10);
  CHECK(got == std::vector<int>{6, 7, 8, 9, 10, 1, 2, 3, 4, 5});
}

TEST_CASE("fewer tiles than the machine has are the first of each IPU") {
  ::setenv("TESSERA_MACHINE", "mk2-4x2", 1);
  Device whole = std::move(DeviceManager().getDevices(TargetType::IPU, 2).at(0));
  REQUIRE(whole.attach());
  const Device device = whole.createVirtualDevice(3);
  Graph graph(device);
  CHECK(graph.getTarget().getNumTiles() == 6);
  const Tensor a = on_tile(graph, INT, 4, 2, "a"), b = on_tile(graph, INT, 4, 4, "b");  // tile 1 of IPU 1
  graph.createHostWrite("a", a);
  graph.createHostRead("b", b);
  Engine engine(graph, Copy(a, b));
  engine.load(device);
  const std::vector<int> values = {4, 5, 6, 7};
  std::vector<int> got(4);
  engine.writeTensor("a", values.data(), values.data() + 4);
  engine.run();
  engine.readTensor("b", got.data(), got.data() + 4);
  CHECK(got == values);
}

TEST_CASE("checks watch the vertices of all IPUs") {
  struct Check {
    Check() { ::setenv("TESSERA_CHECK", "1", 1); }
    ~Check() { ::unsetenv("TESSERA_CHECK"); }
  } const check;
  const Device device = device_of(2);
  Graph graph(device);
  std::stringstream source(R"(
#include <poplar/Vertex.hpp>
struct Far : poplar::Vertex {
  poplar::Input<poplar::Vector<int>> in;
  poplar::Output<int> out;
  unsigned at;
  bool compute() { *out = in[at]; return true; }
};
)");
  graph.addCodelets(source);
  const Tensor here = on_tile(graph, INT, 8, 1, "here"), there = on_tile(graph, INT, 8, 6, "there"),
               unwritten = on_tile(graph, INT, 8, 5, "unwritten"), out = on_tile(graph, INT, 2, 6, "out");
  graph.setTileMapping(out[1], 5);
  graph.createHostWrite("here", here);
  graph.createHostRead("out", out);
  const auto far = [&](const Tensor& in, const Tensor& to, unsigned tile) {
    const ComputeSet set = graph.addComputeSet("far");
    const VertexRef vertex = graph.addVertex(set, "Far", {{"in", in}, {"out", to}});
    graph.setInitialValue(vertex["at"], 5u);
    graph.setTileMapping(vertex, tile);
    return Execute(set);
  };
  // What came by links is written; what nobody wrote is not.
  const Execute good = far(there, out[0], 6), bad = far(unwritten, out[1], 5);
  Engine engine(graph, {Sequence({Copy(here, there), good}), bad});
  engine.load(device);
  std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8}, got(2);
  engine.writeTensor("here", values.data(), values.data() + 8);
  engine.run(0);
  engine.readTensor("out", got.data(), got.data() + 2);
  CHECK(got[0] == 6);
  CHECK_THROWS_WITH(engine.run(1), ContainsText("Chip 1: ") && ContainsText("chip 1 tile 1") &&
                                       ContainsText("failed check: load of 4 bytes") &&
                                       ContainsText("which nobody has written"));
}

TEST_CASE("a replica that aborts ends the run with its message") {
  const Device device = device_of(2);
  Graph graph(device, replication_factor(2));
  const Tensor flag = on_tile(graph, INT, 1, 1, "flag");
  graph.setInitialValue(flag, std::map<unsigned, unsigned>{{0, 0}, {1, 1}});
  Engine engine(graph, AbortOnCondition(flag[0], "replica one minds"));
  engine.load(device);
  CHECK_THROWS_WITH(engine.run(), "replica one minds");
}

TEST_CASE("a device is busy while its chips are attached otherwise, and engines fit their devices") {
  ::setenv("TESSERA_MACHINE", "mk2-4x4", 1);
  const DeviceManager manager;
  const Device pair = manager.getDevice(4), single = manager.getDevice(1), other = manager.getDevice(2);
  REQUIRE(pair.attach());
  CHECK_FALSE(single.attach());
  CHECK(other.attach());
  CHECK_FALSE(manager.getDevice(6).attach());
  Graph graph(pair);
  Engine engine(graph, Sequence());
  CHECK_THROWS_WITH(engine.load(other), ContainsText("compiled for 2 IPUs, the device has 1"));
  pair.detach();
  CHECK(single.attach());
}

TEST_CASE("an engine runs all replicas and no other number") {
  const Device device = device_of(2);
  const auto engine_of = [&](const char* number) {
    const Graph graph(device, replication_factor(2));
    return Engine(graph, Sequence(), {{"target.numberRuntimeReplica", number}});
  };
  CHECK_NOTHROW(engine_of("2"));
  CHECK_THROWS_WITH(engine_of("1"),
                    ContainsText("'target.numberRuntimeReplica' is '1': the program has 2 replicas, and "
                                 "an engine runs all of them"));
}

}  // namespace
