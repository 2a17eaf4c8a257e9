// What the API builds, run on the fast model: views moved by copies, cycle counts, programs that end in errors.
#include <catch2/catch.hpp>
#include <numeric>
#include <poplar/CycleCount.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kTiles = 4;

struct OnModel {
  Device device;
  Graph graph;

  OnModel() : device(make_device()), graph(device) {}

  static Device make_device() {
    IPUModel model("mk2-4");
    model.tilesPerIPU = kTiles;
    Device device = model.createDevice();
    REQUIRE(device.attach());
    return device;
  }

  // Spread over the tiles, element by element.
  Tensor variable(const Type& type, std::vector<std::size_t> shape, const char* name) {
    Tensor t = graph.addVariable(type, shape, name);
    const Tensor flat = t.flatten();
    for (std::size_t i = 0; i < flat.numElements(); ++i) {
      graph.setTileMapping(flat[i], static_cast<unsigned>(i) % kTiles);
    }
    return t;
  }

  template <class T>
  std::vector<T> read(Engine& engine, const std::string& handle, std::size_t n) {
    std::vector<T> out(n);
    engine.readTensor(handle, out.data(), out.data() + n);
    return out;
  }
};

}  // namespace

TEST_CASE_METHOD(OnModel, "a copy through views moves each element to its place") {
  const Tensor from = variable(INT, {3, 4}, "from");
  const Tensor to = variable(INT, {4, 3}, "to");
  const Tensor twice = variable(INT, {2, 4}, "twice");
  graph.createHostWrite("from", from);
  graph.createHostRead("to", to);
  graph.createHostRead("twice", twice);
  graph.createHostRead("shuffled", to.dimShuffle({1, 0}).reverse(0));
  const Sequence prog{Copy(from.transpose(), to), Copy(from[1].expand({0}).broadcast(2, 0), twice)};
  Engine engine(graph, prog);
  engine.load(device);
  std::vector<int> values(12);
  std::iota(values.begin(), values.end(), 0);
  engine.writeTensor("from", values.data(), values.data() + 12);
  engine.run();
  CHECK(read<int>(engine, "to", 12) == std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(read<int>(engine, "twice", 8) == std::vector<int>{4, 5, 6, 7, 4, 5, 6, 7});
  CHECK(read<int>(engine, "shuffled", 12) == std::vector<int>{8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3});
}

TEST_CASE_METHOD(OnModel, "initial values and constants of every type arrive") {
  const Tensor bytes = variable(UNSIGNED_CHAR, {6}, "bytes");
  const Tensor halves = variable(HALF, {5}, "halves");
  const Tensor floats = variable(FLOAT, {3}, "floats");
  graph.setInitialValue<int>(bytes.reverse(0), {1, 2, 3, 4, 5, 6});
  graph.setInitialValue<float>(halves, {0.5f, 1, -2, 65504, 1e-7f});
  const Tensor constant = graph.addConstant<double>(FLOAT, {3}, {1.25, -3, 1e10}, "constant");
  graph.setTileMapping(constant, 2);
  graph.createHostRead("bytes", bytes);
  graph.createHostRead("halves", halves);
  graph.createHostRead("floats", floats);
  Engine engine(graph, Copy(constant, floats));
  engine.load(device);
  engine.run();
  CHECK(read<unsigned char>(engine, "bytes", 6) == std::vector<unsigned char>{6, 5, 4, 3, 2, 1});
  CHECK(read<float>(engine, "floats", 3) == std::vector<float>{1.25f, -3.0f, 1e10f});
  const std::vector<half> read_back = read<half>(engine, "halves", 5);
  CHECK(read_back[3].bits() == 0x7bff);
  CHECK(read_back[4].bits() == half(1e-7f).bits());
}

TEST_CASE_METHOD(OnModel, "cycle counts grow with the work between them") {
  std::stringstream source(R"(
#include <poplar/Vertex.hpp>
class Spin : public poplar::Vertex {
 public:
  poplar::InOut<unsigned> n;
  bool compute() {
    unsigned k = 0;
    for (unsigned i = 0; i < 100; ++i) {
      k += i ^ k;
      asm volatile("" ::"r"(k));
    }
    *n = k;
    return true;
  }
};
)");
  graph.addCodelets(source);
  const ComputeSet cs = graph.addComputeSet("spin");
  const VertexRef v = graph.addVertex(cs, "Spin", {{"n", variable(UNSIGNED_INT, {}, "n")}});
  graph.setTileMapping(v, 0);
  Sequence nothing;
  Sequence once{Execute(cs)};
  Sequence often{Repeat(10, Execute(cs))};
  graph.createHostRead("nothing", cycleCount(graph, nothing, 1));
  graph.createHostRead("once", cycleCount(graph, once, 1, "counted"));
  graph.createHostRead("often", cycleCount(graph, often, 1));
  Engine engine(graph, Sequence{nothing, once, often});
  engine.load(device);
  engine.run();
  const auto cycles = [&](const char* handle) {
    const std::vector<unsigned> words = read<unsigned>(engine, handle, 2);
    CHECK(words[1] == 0);
    return words[0];
  };
  const unsigned one = cycles("once") - cycles("nothing");
  const unsigned ten = cycles("often") - cycles("nothing");
  CHECK(cycles("nothing") > 0);
  CHECK(one > 100 * 6);  // a worker issues every sixth cycle
  CHECK(ten > 9 * one);
  CHECK(ten < 11 * one);
}

TEST_CASE_METHOD(OnModel, "a copy inside a tile moves as many bytes a cycle as the target says") {
  constexpr unsigned kWords = 12000;
  const Tensor from = graph.addVariable(INT, {kWords}, "from"), to = graph.addVariable(INT, {kWords}, "to");
  graph.setTileMapping(from, 0);
  graph.setTileMapping(to, 0);
  Sequence copy{Copy(from, to)};
  graph.createHostRead("cycles", cycleCount(graph, copy, 0));
  Engine engine(graph, copy, {{"tessera.viewCopies", "false"}});
  engine.load(device);
  engine.run();
  const double bytes_per_cycle = 4.0 * kWords / read<unsigned>(engine, "cycles", 2)[0];
  CHECK(bytes_per_cycle >= device.getTarget().getMemcpyBytesPerCycle());
  CHECK(bytes_per_cycle < device.getTarget().getMemcpyBytesPerCycle() + 1);
}

TEST_CASE_METHOD(OnModel, "faults of the whole graph come out of the engine's constructor as Poplar's exceptions") {
  const Tensor mapped = variable(FLOAT, {4}, "mapped");
  const Tensor unmapped = graph.addVariable(FLOAT, {4}, "unmapped");
  CHECK_THROWS_AS(Engine(graph, Copy(mapped, unmapped)), invalid_tile_mapping);
  CHECK_THROWS_AS(Engine(graph, Copy(mapped, mapped.slice(0, 3))), control_program_error);
  CHECK_THROWS_AS(Engine(graph, Copy(mapped, mapped.reinterpret(INT))), type_error);
  CHECK_THROWS_AS(Engine(graph, Sequence(), {{"no.such.option", "1"}}), invalid_option);
}
