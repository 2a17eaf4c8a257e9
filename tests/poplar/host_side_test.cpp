// Remote buffers and functions of the host, on what TESSERA_BACKEND says.
#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Executable.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <span>
#include <sstream>

#include "sw/poplar/remote_memory.h"

namespace {

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

constexpr const char* kCodelets = R"(
#include <poplar/Vertex.hpp>
class Next : public poplar::Vertex {
 public:
  poplar::InOut<int> x;
  bool compute() { *x = *x + 1; return true; }
};
class Double : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<int>> x;
  bool compute() { for (auto& v : x) v *= 2; return true; }
};
)";

Device attached() {
  Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1).front());
  REQUIRE(device.attach());
  return device;
}

struct Host {
  Device device = attached();
  Graph graph{device.getTarget()};

  Host() {
    std::stringstream source(kCodelets);
    graph.addCodelets(source);
  }
  // Its elements in turns on the tiles, `grain` at a time.
  Tensor tensor(Type type, std::vector<std::size_t> shape, const std::string& name, std::size_t grain = 3) {
    Tensor t = graph.addVariable(type, shape, name);
    const Tensor flat = t.flatten();
    for (std::size_t i = 0; i < flat.numElements(); i += grain)
      graph.setTileMapping(flat.slice(i, std::min(i + grain, flat.numElements())), i / grain % 4);
    return t;
  }
  Tensor numbers(Type type, std::vector<int> values) {
    Tensor t = graph.addConstant<int>(type, {values.size()}, values);
    graph.setTileMapping(t, 1);
    return t;
  }
  Program on_tile(const std::string& codelet, const Tensor& x, unsigned tile) {
    const ComputeSet set = graph.addComputeSet(codelet);
    const VertexRef vertex = graph.addVertex(set, codelet, {{"x", x}});
    graph.setTileMapping(vertex, tile);
    return Execute(set);
  }
};

std::vector<int> count(int from, int n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), from);
  return values;
}

TEST_CASE("rows of a remote buffer go where the offsets say") {
  Host h;
  const RemoteBuffer buffer = h.graph.addRemoteBuffer("rows", INT, 10, 5);
  CHECK(buffer.handle() == "rows");
  CHECK((buffer.numElements() == 10 && buffer.getRepeats() == 5 && buffer.elementType() == INT));
  const Tensor one = h.tensor(INT, {10}, "one"), two = h.tensor(INT, {2, 10}, "two");
  Sequence prog;
  prog.add(Copy(buffer, two, h.numbers(UNSIGNED_INT, {3, 1}), "gather"));
  prog.add(Copy(two, buffer, h.numbers(INT, {0, 4})));
  prog.add(Copy(buffer, one));  // row 0
  h.graph.createHostRead("one", one);
  Engine engine(h.graph, prog);
  engine.load(h.device);
  for (int row = 0; row < 5; ++row) engine.copyToRemoteBuffer(count(100 * row, 10).data(), "rows", row);
  engine.run();
  std::vector<int> got(10);
  engine.readTensor("one", got.data(), got.data() + 10);
  CHECK(got == count(300, 10));
  const int sources[] = {3, 1, 2, 3, 1};
  for (int row = 0; row < 5; ++row) {
    engine.copyFromRemoteBuffer("rows", got.data(), row);
    CHECK(got == count(100 * sources[row], 10));
  }
  engine.load(h.device);  // the buffer is the engine's
  engine.copyFromRemoteBuffer<int>("rows", ArrayRef<int>(got), 4);
  CHECK(got == count(100, 10));
}

TEST_CASE("a loop goes through the rows, each read, changed and written back") {
  Host h;
  const RemoteBuffer buffer = h.graph.addRemoteBuffer("rows", INT, 7, 6, true, true);
  CHECK((buffer.isRearrangeOnHost() && buffer.isOptimisedForMemory()));
  const Tensor row = h.tensor(INT, {7}, "row", 7), index = h.tensor(INT, {}, "index");
  h.graph.setInitialValue(index, 0);
  const Sequence body(Copy(buffer, row, index), h.on_tile("Double", row, 0), Copy(row, buffer, index),
                      h.on_tile("Next", index, 0));
  Engine engine(h.graph, Repeat(5, body));
  engine.load(h.device);
  for (int i = 0; i < 6; ++i) engine.copyToRemoteBuffer(count(10 * i, 7).data(), "rows", i);
  engine.run();
  for (int i = 0; i < 6; ++i) {
    std::vector<int> got(7), expected = count(10 * i, 7);
    if (i < 5)
      for (int& v : expected) v *= 2;
    engine.copyFromRemoteBuffer("rows", got.data(), i);
    CHECK(got == expected);
  }
}

TEST_CASE("elements below a word keep their neighbours") {
  Host h;
  const RemoteBuffer buffer = h.graph.addRemoteBuffer("bytes", UNSIGNED_CHAR, 9, 2);
  const Tensor all = h.tensor(UNSIGNED_CHAR, {13}, "all", 5);
  h.graph.createHostWrite("all", all);
  h.graph.createHostRead("all", all);
  Engine engine(h.graph, Sequence{Copy(buffer, all.slice(2, 11), h.numbers(INT, {1})),
                                  Copy(all.slice(4, 13), buffer, h.numbers(INT, {0}))});
  engine.load(h.device);
  std::vector<unsigned char> values(13, 7), row = {1, 2, 3, 4, 5, 6, 7, 8, 9}, back(13), first(9);
  engine.writeTensor("all", values.data(), values.data() + 13);
  engine.copyToRemoteBuffer<unsigned char>(ArrayRef<unsigned char>(row), "bytes", 1);
  engine.run();
  engine.readTensor("all", back.data(), back.data() + 13);
  CHECK(back == std::vector<unsigned char>{7, 7, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 7});
  engine.copyFromRemoteBuffer("bytes", first.data(), 0);
  CHECK(first == std::vector<unsigned char>{3, 4, 5, 6, 7, 8, 9, 7, 7});
}

TEST_CASE("a row that a remote buffer does not have ends the run, and the next works") {
  Host h;
  const RemoteBuffer buffer = h.graph.addRemoteBuffer("rows", INT, 2, 3);
  const Tensor row = h.tensor(INT, {2}, "row");
  Engine engine(h.graph, {Copy(buffer, row, h.numbers(INT, {3})), Copy(row, buffer, h.numbers(INT, {-1})),
                          Copy(buffer, row, h.numbers(INT, {2}))});
  engine.load(h.device);
  const std::string none = "remote buffer 'rows' has no row ";
  CHECK_THROWS_WITH(engine.run(0), ContainsText(none + "3; it has 3"));
  engine.load(h.device);
  CHECK_THROWS_AS(engine.run(1), application_runtime_error);
  engine.load(h.device);
  CHECK_NOTHROW(engine.run(2));
  int two[2] = {};
  CHECK_THROWS_WITH(engine.copyToRemoteBuffer(two, "rows", 3), ContainsText("copyToRemoteBuffer: " + none + "3"));
  CHECK_THROWS_WITH(engine.copyFromRemoteBuffer("row", two, 0), ContainsText("there is no remote buffer 'row'"));
  CHECK_THROWS_WITH(engine.copyFromRemoteBuffer("rows", two, 0, 1), ContainsText("'rows' has no replica 1"));
  CHECK_THROWS_WITH(engine.copyToRemoteBuffer<int>(ArrayRef<int>(two, 1), "rows", 0),
                    ContainsText("'rows' has 8 bytes, the array 4"));
}

TEST_CASE("the rows of a run that failed are not those of the next") {
  namespace image = tessera::image;
  tessera::runtime::RemoteMemory memory({{"rows", 4, 2}});
  const int one = 1, values[2] = {10, 20};
  for (int row = 0; row < 2; ++row) std::memcpy(memory.row("rows", row, "test").data(), &values[row], 4);
  image::Stream numbers{.handle = "rows", .use = image::StreamUse::kRemoteRows}, data = numbers;
  data.use = image::StreamUse::kRemoteRead;
  for (image::Stream* stream : {&numbers, &data}) stream->elements = 1, stream->bytes = 4, stream->pieces = {{0, 0, 4}};
  int window = one;
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(&window, 1));
  memory.take_rows(numbers, bytes);
  memory.fill(data, bytes);
  CHECK(window == 20);
  window = one;
  memory.take_rows(numbers, bytes);  // and its data are never asked for
  memory.begin_run();
  memory.fill(data, bytes);
  CHECK(window == 10);
}

TEST_CASE("misuse of remote buffers is told with their names") {
  Host h;
  const RemoteBuffer buffer = h.graph.addRemoteBuffer("rows", INT, 4, 2);
  const Tensor row = h.tensor(INT, {4}, "row"), many = h.tensor(INT, {12}, "many"), real = h.tensor(FLOAT, {4}, "real");
  CHECK_THROWS_WITH(h.graph.addRemoteBuffer("rows", INT, 1), ContainsText("already a remote buffer 'rows'"));
  CHECK_THROWS_WITH(h.graph.addRemoteBuffer("none", INT, 0), ContainsText("'none' has no elements"));
  CHECK_THROWS_WITH(h.graph.addRemoteBuffer("huge", INT, 1ull << 40, 1ull << 40), ContainsText("more than 2^40 bytes"));
  const auto compiled = [&](const Program& program) { Engine(h.graph, program); };
  CHECK_THROWS_WITH(compiled(Copy(buffer, many)), ContainsText("1 rows of 4 elements, but variable 'many' has 12"));
  CHECK_THROWS_AS(compiled(Copy(real, buffer)), type_error);
  CHECK_THROWS_WITH(compiled(Copy(row, buffer, real[0])), ContainsText("is neither int nor unsigned int"));
  CHECK_THROWS_WITH(Copy(RemoteBuffer(), row), ContainsText("default-constructed RemoteBuffer"));
  Host other;
  CHECK_THROWS_WITH(Copy(buffer, other.tensor(INT, {4}, "foreign")), ContainsText("is of another graph"));
}

TEST_CASE("a function of the host gets the inputs and gives the outputs, call after call") {
  Host h;
  const Tensor a = h.tensor(INT, {5}, "a"), b = h.tensor(UNSIGNED_CHAR, {6}, "b", 5), c = h.tensor(FLOAT, {2}, "c", 1);
  const HostFunction function =
      h.graph.addHostFunction("mix", {HostFunctionArgument(INT, 5), HostFunctionArgument(UNSIGNED_CHAR, 6)},
                              {HostFunctionArgument(FLOAT, 2), HostFunctionArgument(INT, 5)});
  h.graph.setInitialValue(a, ArrayRef<int>(count(1, 5)));
  h.graph.setInitialValue(b, ArrayRef<unsigned char>(std::vector<unsigned char>{9, 8, 7, 6, 5, 4}));
  h.graph.createHostRead("a", a);
  h.graph.createHostRead("c", c);
  Engine engine(h.graph, Repeat(3, Call(function, {a, b}, {c, a})));
  CHECK_THROWS_WITH(engine.connectHostFunction("mixed", 0, [](ArrayRef<const void*>, ArrayRef<void*>) {}),
                    ContainsText("there is no host function 'mixed'"));
  CHECK_THROWS_AS(engine.connectHostFunction("mix", 1, [](ArrayRef<const void*>, ArrayRef<void*>) {}),
                  stream_connection_error);
  engine.load(h.device);
  CHECK_THROWS_WITH(engine.run(), ContainsText("host function 'mix', which program 0 calls, is not connected"));
  int calls = 0;
  engine.connectHostFunction("mix", 0, [&](ArrayRef<const void*> in, ArrayRef<void*> out) {
    REQUIRE((in.size() == 2 && out.size() == 2));
    const int* x = static_cast<const int*>(in[0]);
    const unsigned char* y = static_cast<const unsigned char*>(in[1]);
    CHECK(x[4] == 5 + 10 * calls);
    CHECK(y[5] == 4);
    for (int i = 0; i < 5; ++i) static_cast<int*>(out[1])[i] = x[i] + 10;
    static_cast<float*>(out[0])[0] = static_cast<float>(y[0]) + 0.5f;
    static_cast<float*>(out[0])[1] = static_cast<float>(++calls);
  });
  engine.run();
  std::vector<int> as(5);
  std::vector<float> cs(2);
  engine.readTensor("a", as.data(), as.data() + 5);
  engine.readTensor("c", cs.data(), cs.data() + 2);
  CHECK(as == count(31, 5));
  CHECK(cs == std::vector<float>{9.5f, 3});
}

TEST_CASE("a call without arguments is a call; what it throws ends the run") {
  Host h;
  const HostFunction tick = h.graph.addHostFunction("tick", {}, {});
  Engine engine(h.graph, Repeat(4, Call(tick, {}, {})));
  int ticks = 0;
  struct Tick : HostCallback {
    int* ticks;
    explicit Tick(int* t) : ticks(t) {}
    void operator()(ArrayRef<const void*>, ArrayRef<void*>) override {
      if (++*ticks == 6) throw std::runtime_error("enough");
    }
  };
  engine.connectHostFunction("tick", 0, std::unique_ptr<HostCallback>(new Tick(&ticks)));
  engine.load(h.device);
  engine.run();
  CHECK(ticks == 4);
  CHECK_THROWS_WITH(engine.run(), ContainsText("enough"));
  engine.load(h.device);
  engine.run();
  CHECK(ticks == 10);
}

TEST_CASE("misuse of host functions is told with their names") {
  Host h;
  const HostFunction f = h.graph.addHostFunction("f", {HostFunctionArgument(INT, 4)}, {HostFunctionArgument(INT, 4)});
  const Tensor x = h.tensor(INT, {4}, "x"), y = h.tensor(FLOAT, {4}, "y");
  const auto compiled = [&](const Program& program) { Engine(h.graph, program); };
  CHECK_THROWS_WITH(h.graph.addHostFunction("f", {}, {}), ContainsText("already a host function 'f'"));
  CHECK_THROWS_WITH(compiled(Call(f, {}, {x})), ContainsText("host function 'f' with 0 inputs; it has 1"));
  CHECK_THROWS_AS(compiled(Call(f, {y}, {x})), type_error);
  CHECK_THROWS_WITH(compiled(Call(f, {x}, {x.slice(0, 3)})), ContainsText("with 3 elements"));
  CHECK_THROWS_WITH(compiled(Call(f, {x}, {h.numbers(INT, {1, 2, 3, 4})})), ContainsText("Call writes"));
  CHECK_THROWS_WITH(Call(HostFunction(), {}, {}), ContainsText("default-constructed HostFunction"));
}

TEST_CASE("an executable brings its remote buffers and host functions") {
  Host h;
  const RemoteBuffer buffer = h.graph.addRemoteBuffer("rows", INT, 4, 2);
  const HostFunction f = h.graph.addHostFunction("f", {HostFunctionArgument(INT, 4)}, {});
  const Tensor x = h.tensor(INT, {4}, "x");
  std::stringstream file;
  compileGraph(h.graph, {Sequence(Copy(buffer, x), Call(f, {x}, {}))}).serialize(file);
  Engine engine(Executable::deserialize(file));
  std::vector<int> seen;
  engine.connectHostFunction("f", 0, [&](ArrayRef<const void*> in, ArrayRef<void*>) {
    seen.assign(static_cast<const int*>(in[0]), static_cast<const int*>(in[0]) + 4);
  });
  engine.load(h.device);
  engine.copyToRemoteBuffer(count(5, 4).data(), "rows", 0);
  engine.run();
  CHECK(seen == count(5, 4));
}

}  // namespace
