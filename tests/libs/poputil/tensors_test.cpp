// Copies, reshapes and values as the device holds them.
#include <catch2/catch.hpp>
#include <poplar/Engine.hpp>
#include <poplar/IPUModel.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

using namespace poplar;
using Shape = std::vector<std::size_t>;

namespace {

struct OnModel {
  Device device;
  Graph graph;

  OnModel() : device(IPUModel("mk2-4").createDevice()), graph(device) { REQUIRE(device.attach()); }
};

}  // namespace

TEST_CASE_METHOD(OnModel, "a duplicate has the values and the tiles") {
  const TensorCloneMethod method =
      GENERATE(TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES, TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES,
               TensorCloneMethod::CREATE_NEW_ORDER);
  const Tensor base = graph.addVariable(INT, {2, 3}, "base");
  for (unsigned i = 0; i < 6; ++i) graph.setTileMapping(base.flatten()[i], i % 4);
  graph.setInitialValue<int>(base, std::vector<int>{1, 2, 3, 4, 5, 6});
  const Tensor t = concat(base.transpose(), base.slice(0, 1).transpose(), 1);  // a row twice
  program::Sequence prog;
  const Tensor copy = poputil::duplicate(graph, t, prog, "copy", method);
  CHECK(copy.shape() == t.shape());
  CHECK(graph.getTileMapping(copy) == graph.getTileMapping(t));
  CHECK(copy.containsAliases() == (method == TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES));
  graph.createHostRead("copy", copy);
  Engine engine(graph, prog);
  engine.load(device);
  engine.run();
  std::vector<int> values(9);
  engine.readTensor("copy", values.data(), values.data() + values.size());
  CHECK(values == std::vector<int>{1, 4, 1, 2, 5, 2, 3, 6, 3});
}

TEST_CASE_METHOD(OnModel, "N clones") {
  const Tensor t = graph.addVariable(INT, {2, 3}, "t");
  graph.setTileMapping(t, 2);
  const Tensor clones = poputil::cloneN(graph, t, 4);
  CHECK(clones.shape() == Shape{4, 2, 3});
  CHECK(!clones.intersectsWith(t));
  CHECK(graph.getTileMapping(clones[3]) == graph.getTileMapping(t));
}

TEST_CASE_METHOD(OnModel, "dimensions are split by factors and joined again") {
  const Tensor t = graph.addVariable(INT, {5, 4, 6, 2}, "t");
  const Tensor split = poputil::factorDims(t, {2, 3}, 1);
  CHECK(split.shape() == Shape{5, 2, 2, 2, 3, 2});
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned j = 0; j < 6; ++j) CHECK(split[1][i / 2][j / 3][i % 2][j % 3][0] == t[1][i][j][0]);
  }
  CHECK(poputil::unfactorDims(split, 2, 1) == t);
  CHECK_THROWS_WITH(poputil::factorDims(t, {3}), Catch::Matchers::ContainsText("3 does not divide dimension 0"));
  CHECK_THROWS_AS(poputil::factorDims(t, {1, 1}, 3), poputil::poplibs_error);
  CHECK_THROWS_AS(poputil::unfactorDims(t, 2, 1), poputil::poplibs_error);
}

TEST_CASE_METHOD(OnModel, "values as halves") {
  const Target& target = graph.getTarget();
  using poputil::castToDeviceHalfValue;
  CHECK(castToDeviceHalfValue(target, 1.5) == 1.5);
  CHECK(castToDeviceHalfValue(target, 1.0 + 1.0 / 4096) == 1.0);
  CHECK(castToDeviceHalfValue(target, 1e6) == 65504);
  CHECK(castToDeviceHalfValue(target, -1e6) == -65504);
  using poputil::checkAccuracyWhenCast;
  CHECK(checkAccuracyWhenCast(target, 1.0009765625, FLOAT, HALF, 1e-6));
  CHECK(!checkAccuracyWhenCast(target, 1.0001, FLOAT, HALF, 1e-6));
  CHECK(checkAccuracyWhenCast(target, 1.0001, FLOAT, HALF, 1e-3));
  CHECK(!checkAccuracyWhenCast(target, 70000, FLOAT, HALF, 1e-3));
  CHECK(checkAccuracyWhenCast(target, 1.0001, HALF, FLOAT, 1e-6));
  CHECK_THROWS_AS(checkAccuracyWhenCast(target, 1, INT, HALF, 1e-6), poputil::poplibs_error);
}
