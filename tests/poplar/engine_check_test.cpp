// A Poplar program with checks: by TESSERA_CHECK and by flags of addCodelets, on what TESSERA_BACKEND says, mk2-4.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

namespace {

using namespace poplar;
using Catch::Matchers::ContainsText;

constexpr const char* kSource = R"(
#include <poplar/Vertex.hpp>
struct Pick : poplar::Vertex {
  poplar::Input<poplar::Vector<int>> in;
  poplar::Output<int> out;
  unsigned at;
  bool compute() { *out = in[at]; return true; }
};
struct Far : poplar::Vertex {
  poplar::Input<poplar::Vector<int>> in;
  poplar::Output<int> out;
  unsigned at;
  bool compute() { const int* p = in.begin(); *out = p[at]; return true; }
};
)";

struct Check {  // TESSERA_CHECK, for a while
  explicit Check(const char* value) { ::setenv("TESSERA_CHECK", value, 1); }
  ~Check() { ::unsetenv("TESSERA_CHECK"); }
};

Device attached() {
  Device device = std::move(DeviceManager::createDeviceManager().getDevices(TargetType::IPU, 1).front());
  device.attach();
  return device;
}

enum class Content { kConstant, kNone };

// Element `at` of eight.
int picked(const char* codelet, unsigned at, Content content, const char* flags = "") {
  Device device = attached();
  Graph graph(device.getTarget());
  std::stringstream source(kSource);
  graph.addCodelets(source, flags);
  const Tensor in = content == Content::kConstant ? graph.addConstant<int>(INT, {8}, {0, 1, 2, 3, 4, 5, 6, 7})
                                                  : graph.addVariable(INT, {8}, "in");
  const Tensor out = graph.addVariable(INT, {1}, "out");
  graph.setTileMapping(in, 1);
  graph.setTileMapping(out, 1);
  const ComputeSet set = graph.addComputeSet("pick");
  const VertexRef v = graph.addVertex(set, codelet, {{"in", in}, {"out", out[0]}});
  graph.setInitialValue(v["at"], at);
  graph.setTileMapping(v, 1);
  graph.createHostRead("out", out);
  Engine engine(graph, program::Execute(set));
  engine.load(device);
  engine.run();
  int result = 0;
  engine.readTensor("out", &result, &result + 1);
  return result;
}

const auto kConstant = Content::kConstant;

}  // namespace

TEST_CASE("TESSERA_CHECK compiles codelets with checks, and watches memory") {
  const Check check("1");
  CHECK(picked("Pick", 5, kConstant) == 5);
  CHECK(picked("Far", 5, kConstant) == 5);
  CHECK_THROWS_WITH(picked("Pick", 9, kConstant),
                    ContainsText("failed check: index 9 of input 'in'") && ContainsText("which has 8 elements") &&
                        ContainsText("vertex 0 of codelet 'Pick' in compute set 'pick'") &&
                        ContainsText("codelet text:7"));
  CHECK_THROWS_AS(picked("Pick", 9, kConstant), application_runtime_error);
  CHECK_THROWS_WITH(picked("Pick", 3, Content::kNone),
                    ContainsText("element 3 of input 'in' (in[3]), which nobody has written"));
  // A flag of one file counts more.
  CHECK_THROWS_WITH(picked("Pick", 3, Content::kNone, "--no-check"), ContainsText("which nobody has written"));
}

TEST_CASE("flags of addCodelets ask for checks of one file") {
  CHECK(picked("Pick", 5, kConstant, "--check -O2") == 5);
  CHECK_THROWS_WITH(picked("Pick", 9, kConstant, "--check"), ContainsText("failed check: index 9 of input 'in'"));
  CHECK_NOTHROW(picked("Pick", 9, kConstant));
  CHECK_NOTHROW(picked("Pick", 9, kConstant, "--no-check"));
}

TEST_CASE("TESSERA_CHECK is 0 or 1") {
  const Check check("yes");
  CHECK_THROWS_WITH(attached(), ContainsText("TESSERA_CHECK is 'yes'; it can be 0 or 1"));
  ::setenv("TESSERA_CHECK", "0", 1);
  CHECK_NOTHROW(picked("Pick", 9, kConstant));
}
