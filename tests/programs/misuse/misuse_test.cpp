// Bad input ends in the exception type that Poplar uses, with a message that names the user's object, and the next run
// works. The backend is the environment's TESSERA_BACKEND.
#include <catch2/catch.hpp>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

namespace {

Device attach() {
  auto manager = DeviceManager::createDeviceManager();
  for (auto& device : manager.getDevices(TargetType::IPU, 1))
    if (device.attach()) return std::move(device);
  throw std::runtime_error("no IPU is free");
}

struct Bench {
  Device device = attach();
  Graph graph{device.getTarget()};
  Bench() { graph.addCodelets(MISUSE_CODELETS); }

  Tensor variable(const char* name, size_t elements, const Type& type = FLOAT) {
    Tensor t = graph.addVariable(type, {elements}, name);
    graph.setTileMapping(t, 1);
    return t;
  }
  VertexRef vertex(ComputeSet set, const char* type, const char* field, const Tensor& t) {
    VertexRef v = graph.addVertex(set, type);
    graph.connect(v[field], t);
    graph.setTileMapping(v, 1);
    return v;
  }
};

// A program that does something, on the device given: it must work after every failure.
void expect_next_run_works(Device& device) {
  Graph graph(device.getTarget());
  graph.addCodelets(MISUSE_CODELETS);
  Tensor t = graph.addVariable(FLOAT, {3}, "fine");
  graph.setTileMapping(t, 2);
  graph.setInitialValue(t, ArrayRef<float>(std::vector<float>{1, 2, 3}));
  ComputeSet set = graph.addComputeSet("fine");
  VertexRef v = graph.addVertex(set, "AddOne", {{"data", t}});
  graph.setTileMapping(v, 2);
  graph.createHostRead("out", t);
  Engine engine(graph, Execute(set));
  engine.load(device);
  engine.run();
  std::vector<float> out(3);
  engine.readTensor("out", out.data(), out.data() + 3);
  CHECK(out == std::vector<float>{2, 3, 4});
}

template <class Exception, class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  FAIL("no exception of this type");
  return {};
}

}  // namespace

TEST_CASE("an unmapped tensor is named") {
  Bench b;
  Tensor lost = b.graph.addVariable(FLOAT, {4}, "lost");
  Tensor found = b.variable("found", 4);
  const auto message = message_of<invalid_tile_mapping>([&] { Engine engine(b.graph, Copy(found, lost)); });
  CHECK_THAT(message, ContainsText("lost"));
  expect_next_run_works(b.device);
}

TEST_CASE("an unmapped vertex is named") {
  Bench b;
  ComputeSet set = b.graph.addComputeSet("work");
  b.graph.addVertex(set, "AddOne", {{"data", b.variable("data", 4)}});
  const auto message = message_of<invalid_tile_mapping>([&] { Engine engine(b.graph, Execute(set)); });
  CHECK_THAT(message, ContainsText("AddOne") && ContainsText("work"));
  expect_next_run_works(b.device);
}

TEST_CASE("two vertices that write one element are refused with the tensor's and the compute set's name") {
  Bench b;
  Tensor data = b.variable("shared", 4);
  ComputeSet set = b.graph.addComputeSet("race");
  b.vertex(set, "AddOne", "data", data.slice(0, 3));
  b.vertex(set, "AddOne", "data", data.slice(2, 4));
  const auto message = message_of<poplar_error>([&] { Engine engine(b.graph, Execute(set)); });
  CHECK_THAT(message, ContainsText("shared") && ContainsText("race"));
  expect_next_run_works(b.device);
}

TEST_CASE("a tile over its memory is named with what it holds") {
  Bench b;
  Tensor large = b.variable("large", 200000);
  ComputeSet set = b.graph.addComputeSet("work");
  b.vertex(set, "AddOne", "data", large);
  const auto message = message_of<graph_memory_allocation_error>([&] { Engine engine(b.graph, Execute(set)); });
  CHECK_THAT(message, ContainsText("Out of memory") && ContainsText("tile 1") && ContainsText("638976"));
  expect_next_run_works(b.device);
}

TEST_CASE("a wrong field type and unknown names are refused at once") {
  Bench b;
  ComputeSet set = b.graph.addComputeSet("work");
  VertexRef v = b.graph.addVertex(set, "AddOne");
  Tensor integers = b.variable("integers", 4, INT);
  CHECK_THAT(message_of<type_error>([&] { b.graph.connect(v["data"], integers); }),
             ContainsText("data") && ContainsText("AddOne"));
  CHECK_THAT(message_of<unknown_vertex_type>([&] { b.graph.addVertex(set, "AddTwo"); }), ContainsText("AddTwo"));
  CHECK_THAT(message_of<unknown_field>([&] { b.graph.connect(v["datum"], b.variable("x", 1)); }),
             ContainsText("datum"));
  expect_next_run_works(b.device);
}

TEST_CASE("a codelet that does not compile shows the compiler's own message") {
  Bench b;
  std::stringstream source(
      "#include <poplar/Vertex.hpp>\nclass V : public poplar::Vertex { bool compute() { return oops; } };\n");
  const auto message = message_of<graph_program_compilation_error>([&] { b.graph.addCodelets(source); });
  CHECK_THAT(message, ContainsText("use of undeclared identifier 'oops'"));
  expect_next_run_works(b.device);
}

TEST_CASE("a stream that nobody connected is named") {
  Bench b;
  Tensor data = b.variable("data", 4);
  DataStream in = b.graph.addHostToDeviceFIFO("forgotten", FLOAT, 4);
  Engine engine(b.graph, Copy(in, data));
  engine.load(b.device);
  CHECK_THAT(message_of<stream_connection_error>([&] { engine.run(); }), ContainsText("forgotten"));
  expect_next_run_works(b.device);
}

TEST_CASE("a codelet that loops for ever ends by the cycle budget") {
  Bench b;
  Tensor counter = b.variable("counter", 1, INT);
  ComputeSet set = b.graph.addComputeSet("spin");
  b.vertex(set, "LoopForEver", "counter", counter[0]);
  Engine engine(b.graph, Execute(set), {{"target.computeBudget", "20000"}});
  engine.load(b.device);
  const auto message = message_of<application_runtime_error>([&] { engine.run(); });
  CHECK_THAT(message, ContainsText("LoopForEver") && ContainsText("Tile 1") && ContainsText("spin"));
  CHECK_THAT(message, ContainsText("codelets.cpp:17"));  // the loop
  expect_next_run_works(b.device);
}

TEST_CASE("a codelet that loads from a bad address names vertex, tile, context, address and superstep") {
  Bench b;
  Tensor out = b.variable("out", 1, INT);
  ComputeSet set = b.graph.addComputeSet("fetch");
  b.vertex(set, "LoadFromNowhere", "out", out[0]);
  Engine engine(b.graph, Execute(set));
  engine.load(b.device);
  const auto message = message_of<application_runtime_error>([&] { engine.run(); });
  CHECK_THAT(message, ContainsText("LoadFromNowhere") && ContainsText("Tile 1") && ContainsText("0x1000") &&
                          ContainsText("superstep"));
  CHECK_THAT(message, ContainsText("worker") || ContainsText("context"));
  CHECK_THAT(message, ContainsText("LoadFromNowhere::compute() at ") && ContainsText("codelets.cpp:26"));
  expect_next_run_works(b.device);
}
