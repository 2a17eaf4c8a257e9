// Performance estimators: what they see of a vertex, when they are asked, and that the compiler goes by them.
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <poplar/Engine.hpp>
#include <poplar/HalfFloat.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using Catch::Matchers::ContainsText;

namespace {

// "Table": entries (list of spans), keys (pointer to unsigned short), limit (state), weights (state vector), scale
// (half).
struct WithTable : GraphFixture {
  VertexRef table;

  WithTable() {
    using namespace tessera::graph;
    CodeletInfo info;
    info.name = "Table";
    info.fields = {sample::field("entries", FieldKind::kInput, FieldShape::kList),
                   sample::field("keys", FieldKind::kInput, FieldShape::kVector, ElementType::kUnsignedShort),
                   sample::field("limit", FieldKind::kState, FieldShape::kScalar, ElementType::kSignedChar),
                   sample::field("weights", FieldKind::kState, FieldShape::kVector, ElementType::kLongLong),
                   sample::field("scale", FieldKind::kState, FieldShape::kScalar, ElementType::kHalf)};
    info.fields[1].layout = VectorLayout::kOnePtr;
    plain().codelet_by_name.emplace("Table", static_cast<CodeletId>(plain().codelets.size()));
    plain().codelets.push_back({info, 0});
    table = graph.addVertex(cs, "Table");
  }

  // What the estimator says when asked for the vertex; `look` runs in it.
  void see(const std::function<void(const VertexIntrospector&, const Target&)>& look) {
    bool seen = false;
    graph.registerPerfEstimator("Table", [&](const VertexIntrospector& vertex, const Target& target) {
      look(vertex, target);
      seen = true;
      return 1;
    });
    graph.getPerfEstimate(table);
    CHECK(seen);
  }
};

// Vertices that scale 1 to 12 elements on one tile, as an executable's bytes.
struct Scaled {
  Graph graph{Target::createIPUTarget(1, 4, "mk2-4")};
  ComputeSet cs = graph.addComputeSet("cs");
  std::vector<VertexRef> vertices;

  Scaled() {
    graph.addCodelets(ENGINE_CODELETS);
    for (std::size_t n = 1; n <= 12; ++n) {
      const Tensor in = graph.addVariable(FLOAT, {n}, "in"), out = graph.addVariable(FLOAT, {n}, "out");
      graph.setTileMapping(in, 0);
      graph.setTileMapping(out, 0);
      vertices.push_back(graph.addVertex(cs, "Scale", {{"in", in}, {"out", out}, {"factor", 2}}));
      graph.setTileMapping(vertices.back(), 0);
    }
  }
  std::string bytes(const OptionFlags& options = {}) const {
    std::stringstream stream;
    compileGraph(graph, {program::Execute(cs)}, options).serialize(stream);
    return stream.str();
  }
};

}  // namespace

TEST_CASE_METHOD(WithTable, "an estimator sees sizes, layouts and values of fields, and the target") {
  const Tensor data = graph.addVariable(FLOAT, {9}, "data");
  graph.connect(table["entries"], std::vector<Tensor>{data.slice(0, 3), data.slice(0, 0), data.slice(3, 9)});
  graph.connect(table["keys"], graph.addConstant<unsigned>(UNSIGNED_SHORT, {3}, {7, 65535, 9}, "k").reverse(0));
  graph.setInitialValue(table["limit"], -5);
  graph.setInitialValue<std::int64_t>(table["weights"], {std::numeric_limits<std::int64_t>::min(), 3});
  graph.setInitialValue(table["scale"], 0.25f);
  see([&](const VertexIntrospector& vertex, const Target& target) {
    CHECK(target == graph.getTarget());
    const FieldData entries = vertex.getFieldInfo("entries"), keys = vertex.getFieldInfo("keys");
    CHECK(entries.name() == "entries");
    CHECK(entries.rank() == 2);
    CHECK(entries.size() == 3);
    CHECK(entries[0].size() == 3);
    CHECK(entries.getSizeAtIndex(1) == 0);
    CHECK(entries[2].size() == 6);
    CHECK(entries.getProfilerVectorLayout(0) == layout::Vector::Span);
    CHECK(entries.getProfilerVectorLayout(2) == layout::Vector::NotAVector);
    CHECK(entries.getProfilerVectorListLayout() == layout::VectorList::DeltaNElements);
    CHECK(keys.rank() == 1);
    CHECK(keys.size() == 3);
    CHECK(keys.getProfilerVectorLayout(0) == layout::Vector::OnePtr);
    CHECK(keys.getProfilerVectorListLayout() == layout::VectorList::NotAVector);
    CHECK(keys.getInitialValues<unsigned>(target) == std::vector<unsigned>{9, 65535, 7});
    CHECK(vertex.getFieldInfo("limit").rank() == 0);
    CHECK(vertex.getFieldInfo("limit").getInitialValue<int>(target) == -5);
    CHECK(vertex.getFieldInfo("limit").getInitialValue<bool>(target));
    CHECK(vertex.getFieldInfo("weights").getInitialValues<std::int64_t>(target) ==
          std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(), 3});
    CHECK(vertex.getFieldInfo("scale").getInitialValue<float>(target) == 0.25f);
    CHECK_THROWS_AS(vertex.getFieldInfo("nothing"), unknown_field);
    CHECK_THROWS_AS(entries.getSizeAtIndex(3), index_error);
    CHECK_THROWS_WITH(entries.getInitialValues<std::vector<float>>(target),
                      ContainsText("variable 'data', no constant"));
    CHECK_THROWS_WITH(keys.getInitialValue<int>(target), ContainsText("'keys'") && ContainsText("3 elements"));
    CHECK_THROWS_AS(keys.getSizeAtIndex(0), graph_connection_error);
  });
}

TEST_CASE_METHOD(WithTable, "a list of constants is read entry by entry") {
  const Tensor values = graph.addConstant<float>(FLOAT, {2, 2}, {1, 2, 3, 4}, "values");
  graph.connect(table["entries"], values.transpose());
  see([](const VertexIntrospector& vertex, const Target& target) {
    CHECK(vertex.getFieldInfo("entries").getInitialValues<std::vector<int>>(target) ==
          std::vector<std::vector<int>>{{1, 3}, {2, 4}});
  });
}

TEST_CASE_METHOD(WithTable, "an estimate that is set goes before the estimator, and the last estimator counts") {
  CHECK_THROWS_AS(graph.getPerfEstimate(table), missing_perf_estimate);
  graph.registerCycleEstimator("Table", [](const VertexIntrospector&, const Target&) { return std::uint64_t{10}; });
  CHECK(graph.getPerfEstimate(table).cycles == 10);
  graph.registerPerfEstimator("Table",
                              [](const VertexIntrospector&, const Target&) { return VertexPerfEstimate(20, 3); });
  CHECK(graph.getPerfEstimate(table).cycles == 20);
  CHECK(graph.getPerfEstimate(table).flops == 3);
  graph.setPerfEstimate(table, 5);
  CHECK(graph.getPerfEstimate(table).cycles == 5);
  graph.registerPerfEstimator("NotThereYet", [](const VertexIntrospector&, const Target&) { return 1; });
  CHECK_THROWS_WITH(graph.registerPerfEstimator("Table", nullptr), ContainsText("'Table'"));
}

TEST_CASE_METHOD(WithTable, "fields say what they can hold") {
  CHECK(graph.getMaxFieldDim("Table", "entries", 0) == 0xffffffffu);
  CHECK(graph.getMaxFieldDim("Table", "entries", 1) == 0xffffffffu);
  CHECK(graph.getMaxFieldDim("Table", "keys", 0) == std::numeric_limits<std::size_t>::max());
  CHECK_THROWS_WITH(graph.getMaxFieldDim("Table", "keys", 1), ContainsText("'keys' of vertex type 'Table'"));
  CHECK_THROWS_AS(graph.getMaxFieldDim("Table", "limit", 0), index_error);
  CHECK_THROWS_AS(graph.getMaxFieldDim("Chair", "limit", 0), unknown_vertex_type);
  CHECK(graph.getMaxVertexFieldValue("Table", "limit") == 127);
  CHECK(graph.getMaxVertexFieldValue("Table", "keys") == 65535);
  CHECK(graph.getMaxVertexFieldValue("Table", "scale") == 65504);
  CHECK(graph.getMaxVertexFieldValueAsInt64("Table", "weights") == std::numeric_limits<std::int64_t>::max());
  CHECK(graph.getMaxVertexFieldValueAsUInt64("Table", "limit") == 127);
  CHECK(graph.getMaxVertexFieldValueAs<std::int64_t>("Table", "weights") == std::numeric_limits<std::int64_t>::max());
  CHECK(graph.getMaxVertexFieldValueAs<std::uint64_t>("Table", "keys") == 65535);
  CHECK_THROWS_AS(graph.getMaxVertexFieldValueAs<std::uint64_t>("Table", "scale"), type_error);
  CHECK_THROWS_WITH(graph.getMaxVertexFieldValueAsInt64("Table", "scale"), ContainsText("'scale'"));
  CHECK_THROWS_AS(graph.getMaxVertexFieldValue("Table", "nothing"), unknown_field);
}

TEST_CASE("the compiler goes by estimators as by estimates that are set") {
  const std::vector<unsigned> cycles = {900, 1, 1, 1, 1, 700, 1, 1, 1, 800, 1, 1};
  Scaled plain, given, estimated;
  for (std::size_t i = 0; i < cycles.size(); ++i) given.graph.setPerfEstimate(given.vertices[i], cycles[i]);
  unsigned asked = 0;
  estimated.graph.registerPerfEstimator("Scale", [&](const VertexIntrospector& vertex, const Target&) {
    ++asked;
    return cycles.at(vertex.getFieldInfo("out").size() - 1);
  });
  CHECK(asked == 0);
  const std::string bytes = estimated.bytes();
  CHECK(asked == cycles.size());
  CHECK(bytes == given.bytes());
  CHECK(bytes != plain.bytes());
}

TEST_CASE("a vertex that is not wholly connected is told as such, and its estimator not asked") {
  Scaled one;
  one.graph.setTileMapping(one.graph.addVertex(one.cs, "Scale"), 0);
  one.graph.registerPerfEstimator("Scale", [](const VertexIntrospector& vertex, const Target&) {
    return static_cast<unsigned>(1000 / vertex.getFieldInfo("out").size());
  });
  CHECK_THROWS_AS(one.bytes(), graph_connection_error);
}
