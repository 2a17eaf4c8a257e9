// Functions of graphs, run on the model: arguments go in, results come out, and there is one copy of the body.
#include <catch2/catch.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poputil/GraphFunction.hpp>
#include <poputil/exceptions.hpp>
#include <sstream>

using namespace poplar;
using namespace poplar::program;
namespace fn = poputil::graphfn;

namespace {

struct OnModel {
  Device device;
  Graph graph;
  Sequence prog;

  OnModel() : device(make_device()), graph(device) {}

  static Device make_device() {
    Device device = IPUModel("mk2-4").createDevice();
    REQUIRE(device.attach());
    return device;
  }
  Tensor variable(const char* name, std::vector<float> values) {
    const Tensor t = graph.addVariable(FLOAT, {values.size()}, name);
    graph.setTileMapping(t, 1);
    graph.setInitialValue<float>(t, values);
    return t;
  }
  void shows(const Tensor& t, std::vector<float> expected) {
    const std::string handle = "read" + std::to_string(reads_.size());
    graph.createHostRead(handle, t);
    reads_.emplace_back(handle, expected);
  }
  void run() {
    Engine engine(graph, prog);
    engine.load(device);
    engine.run();
    for (const auto& read : reads_) {
      std::vector<float> values(read.second.size());
      engine.readTensor(read.first, values.data(), values.data() + values.size());
      CHECK(values == read.second);
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<float>>> reads_;
};

// y = reverse(x), z = {x[0], z[0]}
void body(std::vector<Tensor>& args, Sequence& seq) {
  seq.add(Copy(args[0].reverse(0), args[1]));
  seq.add(Copy(args[2].slice(0, 1), args[2].slice(1, 2)));
  seq.add(Copy(args[0].slice(0, 1), args[2].slice(0, 1)));
}

}  // namespace

TEST_CASE_METHOD(OnModel, "input, output and inout arguments") {
  const bool inlined = GENERATE(false, true);
  const Tensor x = variable("x", {1, 2, 3});
  const Tensor y = variable("y", {0, 0, 0});
  const Tensor z = variable("z", {8, 9});
  const Tensor x2 = variable("x2", {4, 5, 6});
  const Tensor y2 = variable("y2", {0, 0, 0});
  fn::VoidFunction made(graph, {fn::input(x, "x"), fn::output(y, "y"), fn::inout(z, "z")}, body, inlined, "f");
  fn::VoidFunction function(std::move(made));
  std::vector<Tensor> args = {x, y, z};
  function(args, prog);
  args = {x2, y2, z};
  function(args, prog);
  shows(x, {1, 2, 3});
  shows(y, {3, 2, 1});
  shows(y2, {6, 5, 4});
  shows(z, {4, 1});
  run();
  // One Call for each use, or the body twice.
  std::ostringstream text;
  dumpProgram(graph, prog, text);
  CHECK((text.str().find("call f") != std::string::npos) == !inlined);
}

TEST_CASE_METHOD(OnModel, "a created argument, and a function that gives a tensor") {
  const Tensor x = variable("x", {1, 2});
  const auto make = [this](std::vector<Tensor>& args, Sequence& seq) {
    const Tensor made = graph.addVariable(FLOAT, {2}, "made");
    graph.setTileMapping(made, 2);
    seq.add(Copy(args[0].reverse(0), made));
    return made;
  };
  fn::TensorFunction function(graph, {fn::input(x)}, make);
  std::vector<Tensor> args = {x};
  const Tensor first = function(args, prog, "first");
  CHECK(args.size() == 1);
  args = {first};
  const Tensor second = function(args, prog, "second");
  shows(first, {2, 1});
  shows(second, {1, 2});

  fn::VoidFunction creates(graph, {fn::input(x), fn::created("c")},
                           [&](std::vector<Tensor>& a, Sequence& seq) { a[1] = make(a, seq); });
  args = {x, Tensor()};
  creates(args, prog);
  REQUIRE(args[1].valid());
  shows(args[1], {2, 1});
  run();
}

TEST_CASE_METHOD(OnModel, "a function whose use is a program, with names") {
  const Tensor x = variable("x", {1, 2, 3});
  const Tensor y = variable("y", {0, 0, 0});
  std::string name;
  fn::ProgramFunction function(
      graph, {fn::input(x), fn::output(y)},
      [&](std::vector<Tensor>& args, const DebugNameAndId& inside) -> Program {
        name = inside.getPathName();
        return Copy(args[0].reverse(0), args[1]);
      },
      false, "outer/f");
  std::vector<Tensor> args = {x, y};
  prog.add(Repeat(2, function(args)));
  CHECK(name == "outer/f");
  shows(y, {3, 2, 1});
  run();
}

TEST_CASE_METHOD(OnModel, "misuse of a function is told") {
  const Tensor x = variable("x", {1, 2, 3});
  fn::VoidFunction function(graph, {fn::input(x), fn::input(x)}, [](std::vector<Tensor>&, Sequence&) {}, false, "f");
  std::vector<Tensor> args = {x};
  CHECK_THROWS_WITH(function(args, prog, "use"),
                    Catch::Matchers::ContainsText("'use'") && Catch::Matchers::ContainsText("1 arguments for 2"));
  CHECK_THROWS_WITH(fn::VoidFunction(
                        graph, {fn::created("c")}, [](std::vector<Tensor>&, Sequence&) {}, false, "g"),
                    Catch::Matchers::ContainsText("'g'") && Catch::Matchers::ContainsText("argument 0"));
}
