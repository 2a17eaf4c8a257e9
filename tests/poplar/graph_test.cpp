// poplar::Graph: what it stores, and what it refuses at once.
#include <catch2/catch.hpp>
#include <poplar/Engine.hpp>
#include <sstream>
#include <thread>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using Mapping = Graph::TileToTensorMapping;

namespace {

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

Mapping on_tiles(std::initializer_list<std::pair<unsigned, std::vector<Interval>>> entries) {
  Mapping m(16);
  for (const auto& e : entries) m[e.first] = e.second;
  return m;
}

}  // namespace

TEST_CASE_METHOD(GraphFixture, "tile mappings come back in the order of the view that asks") {
  const Tensor t = graph.addVariable(FLOAT, {2, 4}, "t");
  graph.setTileMapping(t, 3);
  graph.setTileMapping(t.slice(1, 3, 1), 5);
  CHECK(graph.getTileMapping(t) == on_tiles({{3, {{0, 1}, {3, 5}, {7, 8}}}, {5, {{1, 3}, {5, 7}}}}));
  CHECK(graph.getTileMapping(t.transpose()) == on_tiles({{3, {{0, 2}, {6, 8}}}, {5, {{2, 6}}}}));
  Mapping mapping(2);
  mapping[1] = {{0, 2}};
  graph.setTileMapping(t.reverse(1)[0], mapping);
  CHECK(graph.getTileMapping(t[0]) == on_tiles({{3, {{0, 1}}}, {5, {{1, 2}}}, {1, {{2, 4}}}}));
}

TEST_CASE_METHOD(GraphFixture, "incomplete mappings") {
  const Tensor t = graph.addVariable(FLOAT, {8}, "half of it");
  graph.setTileMapping(t.slice(0, 3), 2);
  CHECK(message_of([&] { graph.getTileMapping(t); }).find("Element 3 of variable 'half of it'") == 0);
  CHECK_THROWS_AS(graph.getTileMapping(t), invalid_tile_mapping);
  CHECK(graph.getTileMapping(t, false) == on_tiles({{2, {{0, 3}}}}));
  bool complete = true;
  graph.getTileMapping(t, &complete);
  CHECK_FALSE(complete);
  CHECK_THROWS_AS(graph.setTileMapping(t, 16), invalid_tile_mapping);
  Mapping beyond(1);
  beyond[0] = {{0, 9}};
  CHECK_THROWS_AS(graph.setTileMapping(t, beyond), invalid_tile_mapping);
}

TEST_CASE_METHOD(GraphFixture, "linear mapping gives each tile an equal share") {
  const Tensor t = graph.addVariable(FLOAT, {40}, VariableMappingMethod::LINEAR, "t");
  const Mapping mapping = graph.getTileMapping(t);
  CHECK(mapping[0] == std::vector<Interval>{{0, 3}});
  CHECK(mapping[13] == std::vector<Interval>{{39, 40}});
}

TEST_CASE_METHOD(GraphFixture, "virtual graphs number their own tiles") {
  Graph upper = graph.createVirtualGraph(8, 16);
  Graph picked = upper.createVirtualGraph({1, 3});
  CHECK(upper.getTarget().getNumTiles() == 8);
  CHECK(picked.convertVirtualTileToPhysicalTile(1) == 11);
  const Tensor t = picked.addVariable(FLOAT, {4}, "t");
  picked.setTileMapping(t, 1);
  CHECK(graph.getTileMapping(t) == on_tiles({{11, {{0, 4}}}}));
  CHECK(picked.getTileMapping(t)[1] == std::vector<Interval>{{0, 4}});
  graph.setTileMapping(t.slice(0, 2), 0);
  CHECK_THROWS_AS(picked.getTileMapping(t), invalid_tile_mapping);
  CHECK(picked.getTileMapping(t, true, true)[1] == std::vector<Interval>{{2, 4}});
  CHECK_THROWS_AS(picked.setTileMapping(t, 2), invalid_tile_mapping);
  CHECK_THROWS_AS(graph.createVirtualGraph(17), invalid_tile_mapping);
  CHECK(picked.getTopLevelGraph().getTarget().getNumTiles() == 16);
}

TEST_CASE_METHOD(GraphFixture, "vertices and fields that do not exist") {
  CHECK_THROWS_AS(graph.addVertex(cs, "Nothing"), unknown_vertex_type);
  const VertexRef v = graph.addVertex(cs, "Sum");
  CHECK_THROWS_AS(v["nothing"], unknown_field);
  CHECK(message_of([&] { v["nothing"]; }).find("'Sum'") != std::string::npos);
  CHECK_THROWS_AS(graph.addVertex(ComputeSet(7), "Sum"), poplar_error);
  CHECK_THROWS_AS(graph.setTileMapping(v, 16), invalid_tile_mapping);
  CHECK(graph.hasCodelet("Join"));
  CHECK_FALSE(graph.hasCodelet("Nothing"));
}

TEST_CASE_METHOD(GraphFixture, "connections of the wrong kind") {
  const Tensor f = graph.addVariable(FLOAT, {4}, "f");
  const Tensor i = graph.addVariable(INT, {4}, "i");
  const VertexRef sum = graph.addVertex(cs, "Sum");
  CHECK_THROWS_AS(graph.connect(sum["in"], i), type_error);
  CHECK(message_of([&] { graph.connect(sum["in"], i); }).find("'i'") != std::string::npos);
  CHECK_THROWS_AS(graph.connect(sum["bias"], f[0]), graph_connection_error);
  CHECK_THROWS_AS(graph.connect(sum["in"][1], f), graph_connection_error);
  CHECK_THROWS_AS(graph.connect(sum["in"], {f, f}), graph_connection_error);
  CHECK_THROWS_AS(sum["in"][1][1], graph_connection_error);
  CHECK_THROWS_AS(graph.setInitialValue(sum["in"], 1.0f), graph_connection_error);
  const VertexRef join = graph.addVertex(cs, "Join");
  CHECK_THROWS_AS(graph.connect(join["parts"], f), graph_connection_error);
}

TEST_CASE_METHOD(GraphFixture, "lists are filled by rows, by tensors or one by one") {
  const Tensor m = graph.addVariable(FLOAT, {3, 4}, "m");
  const VertexRef a = graph.addVertex(cs, "Join", {{"parts", m}, {"out", m[0]}});
  const VertexRef b = graph.addVertex(cs, "Join");
  graph.connect(b["parts"], {m[0], m[1], m[2]});
  const VertexRef c = graph.addVertex(cs, "Join");
  graph.setFieldSize(c["parts"], 3);
  for (unsigned i = 0; i < 3; ++i) graph.connect(c["parts"][i], m[i]);
  for (const VertexRef& v : {a, b, c}) {
    const tessera::graph::Vertex& vertex = plain().vertices[v.getId()];
    for (unsigned i = 0; i < 3; ++i) {
      CHECK(vertex.connections[i].index == i);
      CHECK(vertex.connections[i].tensor.view.same_elements(view(m[i])));
    }
    CHECK(graph.getFieldSize(v["parts"]) == 3);
    CHECK(graph.getFieldSize(v["parts"][1]) == 4);
  }
  CHECK_THROWS_AS(graph.getFieldSize(graph.addVertex(cs, "Join")["parts"]), no_size_specified);
}

TEST_CASE_METHOD(GraphFixture, "a host scalar connected to an edge becomes a constant on the vertex's tile") {
  const Tensor out = graph.addVariable(FLOAT, {1}, "out");
  const VertexRef before = graph.addVertex(cs, "Sum", {{"in", 2}, {"out", out[0]}});
  graph.setTileMapping(before, 4);
  const auto& view = plain().vertices[before.getId()].connections[0].tensor.view;
  const tessera::graph::Variable& constant = plain().variables[view.first_variable()];
  CHECK(constant.constant);
  CHECK(constant.mapping.intervals() == std::vector<tessera::graph::TileInterval>{{0, 1, 4}});
  const float two = 2;
  CHECK(std::memcmp(constant.constant_bytes.data(), &two, 4) == 0);
}

TEST_CASE_METHOD(GraphFixture, "a vertex has the estimate that it was given, and none otherwise") {
  const VertexRef given = graph.addVertex(cs, "Sum"), other = graph.addVertex(cs, "Sum");
  graph.setPerfEstimate(given, 1000, 7);
  CHECK(graph.getPerfEstimate(given).cycles == 1000);
  CHECK(graph.getPerfEstimate(given).flops == 7);
  CHECK(plain().estimates.at(given.getId()).cycles == 1000);
  CHECK_THROWS_AS(graph.getPerfEstimate(other), missing_perf_estimate);
}

TEST_CASE_METHOD(GraphFixture, "values are converted to the element type") {
  const auto bytes = [&](const Tensor& t) { return plain().variables[view(t).first_variable()].constant_bytes; };
  CHECK(bytes(graph.addConstant(INT, {}, 3.7)) == std::vector<std::uint8_t>{3, 0, 0, 0});
  CHECK(bytes(graph.addConstant(SHORT, {}, -2)) == std::vector<std::uint8_t>{0xfe, 0xff});
  CHECK(bytes(graph.addConstant(BOOL, {}, 256)) == std::vector<std::uint8_t>{1});
  CHECK(bytes(graph.addConstant(HALF, {}, 1.0)) == std::vector<std::uint8_t>{0, 0x3c});
  CHECK(bytes(graph.addConstantHalf(HALF, {3}, 0x1234)) == std::vector<std::uint8_t>{0x34, 0x12});
  CHECK(bytes(graph.addConstant<unsigned>(UNSIGNED_CHAR, {3}, {1, 2, 258})) == std::vector<std::uint8_t>{1, 2, 2});
  CHECK(bytes(graph.addConstant(FLOAT, {}, 1u << 31)) == std::vector<std::uint8_t>{0, 0, 0, 0x4f});
  CHECK(bytes(graph.addConstant(UNSIGNED_INT, {}, -1)) == std::vector<std::uint8_t>{0xff, 0xff, 0xff, 0xff});
  CHECK(bytes(graph.addConstant(LONGLONG, {}, -1)) == std::vector<std::uint8_t>(8, 0xff));
  CHECK_THROWS_AS(graph.addConstant<float>(FLOAT, {3}, {1, 2}), tensor_creation_error);
}

TEST_CASE_METHOD(GraphFixture, "initial values go to the elements of the view") {
  const Tensor t = graph.addVariable(UNSIGNED_CHAR, {2, 2}, "t");
  graph.setInitialValue<int>(t.transpose(), {1, 2, 3, 4});
  const auto& initial = plain().variables[0].initial;
  REQUIRE(initial.size() == 4);
  CHECK(initial[1].begin == 2);
  CHECK(initial[1].bytes == std::vector<std::uint8_t>{2});
  graph.setInitialValue(t, 9);
  CHECK(initial[4].bytes == std::vector<std::uint8_t>{9, 9, 9, 9});
  CHECK_THROWS_AS(graph.setInitialValue<int>(t, {1, 2}), poplar_error);
  const VertexRef v = graph.addVertex(cs, "Sum");
  graph.setInitialValue(v["bias"], 1);
  graph.setInitialValue(v["bias"], 0.5f);
  const auto& values = plain().vertices[v.getId()].values;
  REQUIRE(values.size() == 1);
  CHECK(values[0].bytes == std::vector<std::uint8_t>{0, 0, 0, 0x3f});
}

TEST_CASE_METHOD(GraphFixture, "clones keep shape and mapping and share no element") {
  const Tensor t = graph.addVariable(FLOAT, {4, 6}, "t");
  graph.setTileMapping(t.slice(0, 2), 1);
  graph.setTileMapping(t.slice(2, 4), 2);
  const std::vector<Tensor> sources = {
      t, t.transpose(), t.slice(1, 5, 1), t.reverse(0), concat(t[3], t[0]), t.broadcast(2, 0)};
  for (const Tensor& source : sources) {
    for (const TensorCloneMethod method :
         {TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES, TensorCloneMethod::CREATE_NEW_ORDER,
          TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES,
          TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES}) {
      const Tensor copy = graph.clone(HALF, source, "copy", method);
      CHECK(copy.shape() == source.shape());
      CHECK(copy.elementType() == HALF);
      CHECK_FALSE(copy.intersectsWith(source));
      CHECK(graph.getTileMapping(copy) == graph.getTileMapping(source));
      const bool kept = method == TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES ||
                        method == TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES;
      const bool aliases = kept && source.containsAliases();
      CHECK(copy.containsAliases() == aliases);
    }
  }
  CHECK(graph.clone(t.transpose()).transpose().isContiguous());
  CHECK(graph.cloneN(t, 3).shape() == std::vector<std::size_t>{3, 4, 6});
}

TEST_CASE_METHOD(GraphFixture, "regions sorted by memory, and tensors put in the order of memory") {
  const Tensor t = graph.addVariable(FLOAT, {8}, "t");
  const Tensor shuffled = concat({t.slice(4, 8), t.slice(0, 2), t.slice(2, 4)});
  const std::vector<std::vector<Interval>> expected = {{{4, 8}, {0, 4}}};
  CHECK(graph.getSortedContiguousRegions(shuffled, {{0, 8}}) == expected);
  Tensor x = shuffled;
  Tensor y = t.reverse(0);
  Tensor* const others[] = {&y};
  graph.reorderToSimplify(&x, others);
  CHECK(x == t);
  CHECK(y == concat({t.slice(0, 4).reverse(0), t.slice(4, 8).reverse(0)}));
}

TEST_CASE_METHOD(GraphFixture, "handles and streams are named once") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "t");
  graph.createHostRead("r", t);
  CHECK_THROWS_AS(graph.createHostRead("r", t), poplar_error);
  CHECK_NOTHROW(graph.createHostWrite("r", t));
  CHECK_THROWS_AS(graph.createHostWrite("w", t.broadcast(2, 0)), poplar_error);
  const DataStream s = graph.addHostToDeviceFIFO("s", FLOAT, 4);
  CHECK(s.handle() == "s");
  CHECK(s.numElements() == 4);
  CHECK_THROWS_AS(graph.addDeviceToHostFIFO("s", FLOAT, 4), poplar_error);
  CHECK_THROWS_AS(graph.addDeviceToHostFIFO("o", FLOAT, 4, {{"no such option", "1"}}), invalid_option);
}

TEST_CASE_METHOD(GraphFixture, "a replication factor that does not divide the IPUs is refused") {
  CHECK_THROWS_WITH(Graph(graph.getTarget(), replication_factor(2)),
                    "Replication factor 2 does not divide the 1 IPU of the target");
}

TEST_CASE_METHOD(GraphFixture, "handles outlive the move of their graph") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "t");
  const VertexRef v = graph.addVertex(cs, "Sum");
  Graph moved = std::move(graph);
  CHECK(t.getDebugStr() == "t");
  moved.connect(v["in"], t);
  moved.setTileMapping(t, 1);
  CHECK(moved.getTileMapping(t)[1].size() == 1);
  graph = std::move(moved);
}

TEST_CASE_METHOD(GraphFixture, "pictures name vertices and variables") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "the input");
  graph.addVertex(cs, "Sum", {{"in", t}, {"out", graph.addVariable(FLOAT, {}, "the output")}});
  std::ostringstream vertices;
  graph.outputVertexGraph(vertices, {program::Execute(cs)});
  CHECK(vertices.str().find("variable0 -> vertex0 [label=\"in\"]") != std::string::npos);
  CHECK(vertices.str().find("the output") != std::string::npos);
  std::ostringstream sets;
  graph.outputComputeGraph(sets, {program::Execute(cs)});
  CHECK(sets.str().find("set0 -> variable1") != std::string::npos);
}

TEST_CASE_METHOD(GraphFixture, "several threads may read one graph once it is handed over") {
  const Tensor t = graph.addVariable(FLOAT, {4096}, "t");
  for (std::size_t i = t.numElements(); i > 0; --i) graph.setTileMapping(t[i - 1], static_cast<unsigned>(i % 16));
  const Graph& handed_over = graph;
  std::vector<std::thread> threads;
  std::vector<std::size_t> found(4);
  for (std::size_t& n : found) {
    threads.emplace_back([&] {
      const tessera::graph::Graph& plain_graph = detail::Access::graph(handed_over);
      n = plain_graph.variables[0].mapping.intervals().size();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(found == std::vector<std::size_t>(4, 4096));
}

TEST_CASE_METHOD(GraphFixture, "variables are found by their number") {
  const Tensor t = graph.addVariable(HALF, {3, 4}, "t");
  const Tensor constant = graph.addConstant(INT, {2}, 7, "seven");
  const VariableRef ref = t.getVarRegions().front().var;
  CHECK(graph.getVariable(ref) == t.flatten());
  CHECK(!graph.isConstant(ref));
  const VariableRef seven = constant.getVarRegions().front().var;
  CHECK(graph.isConstant(seven));
  CHECK(graph.getVariable(seven).elementType() == INT);
  CHECK(ref != seven);
  CHECK((ref < seven) == (ref.getId() < seven.getId()));
  CHECK(std::hash<VariableRef>()(ref) == std::hash<VariableRef>()(VariableRef(ref.getId())));
  CHECK_THROWS_WITH(graph.getVariable(VariableRef(99)),
                    Catch::Matchers::ContainsText("getVariable") && Catch::Matchers::ContainsText("no variable 99"));
  CHECK_THROWS_WITH(graph.isConstant(VariableRef(99)), Catch::Matchers::ContainsText("isConstant"));
}

TEST_CASE_METHOD(GraphFixture, "clones by region lie together where the source does") {
  const Tensor t = graph.addVariable(FLOAT, {2, 4}, "t");
  graph.setTileMapping(t.flatten().slice(0, 3), 5);
  graph.setTileMapping(t.flatten().slice(3, 6), 2);  // the last two are nowhere
  const auto by_region = TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION;
  const Tensor clones = graph.cloneN(INT, t, 3, "clones", TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES, by_region);
  CHECK(clones.shape() == std::vector<std::size_t>{3, 2, 4});
  CHECK(clones.elementType() == INT);
  CHECK(clones.isParallelWriteable());
  bool complete = true;
  const auto mapping = graph.getTileMapping(clones, &complete);
  CHECK_FALSE(complete);
  CHECK(mapping[5] == std::vector<Interval>{{0, 3}, {8, 11}, {16, 19}});
  CHECK(mapping[2] == std::vector<Interval>{{3, 6}, {11, 14}, {19, 22}});
  const auto runs = clones.getVarRegions();
  CHECK(runs[0].var == runs[3].var);  // elements 0 to 2 of the first two clones
  CHECK(runs[0].var != runs[1].var);
  CHECK((runs[0].interval == Interval(0, 3) && runs[3].interval == Interval(3, 6)));
}

TEST_CASE_METHOD(GraphFixture, "codelets of another target are refused") {
  std::stringstream source("#include <poplar/Vertex.hpp>\n");
  CHECK_THROWS_WITH(graph.addCodelets(source, "", CodeletFileType::CppSource, "ipu99"),
                    Catch::Matchers::ContainsText("target 'ipu99' is none of the graph's: ipu2"));
  CHECK_NOTHROW(graph.addCodelets(source, "", CodeletFileType::CppSource, "ipu2"));
}

TEST_CASE_METHOD(GraphFixture, "a graph is written out") {
  const Tensor t = graph.addVariable(FLOAT, {3, 2}, "t");
  graph.setTileMapping(t, 3);
  const VertexRef v = graph.addVertex(cs, "Scale", {{"data", t[1]}});
  graph.setTileMapping(v, 3);
  graph.addHostToDeviceFIFO("in", FLOAT, 6);
  graph.addRemoteBuffer("rows", HALF, 3, 5);
  graph.addHostFunction("f", {HostFunctionArgument(INT, 2)}, {});
  graph.createHostRead("out", t.transpose());
  std::ostringstream json, binary;
  graph.serialize(json, SerializationFormat::JSON);
  CHECK(
      json.str() ==
      R"({"tiles":16,"variables":[{"name":"t","type":"float","elements":6,"constant":false,"tiles":[[0,6,3]]}],)"
      R"("computeSets":[{"name":"cs","vertices":[0]}],"vertices":[{"type":"Scale","computeSet":0,"tile":3,)"
      R"("fields":[{"name":"data","tensor":{"type":"float","shape":[2],"elements":[[0,2,4]]}}]}],)"
      R"("streams":[{"handle":"in","type":"float","elements":6,"direction":"hostToDevice"}],"remoteBuffers":[{"handle":"rows","type":"half","elements":3,"repeats":5}],)"
      R"("hostFunctions":[{"handle":"f","inputs":[{"type":"int","elements":2}],"outputs":[]}],"hostWrites":[],)"
      R"("hostReads":[{"handle":"out","tensor":{"type":"float","shape":[2,3],)"
      R"("elements":[[0,0,1],[0,2,3],[0,4,5],[0,1,2],[0,3,4],[0,5,6]]}}]})"
      "\n");
  graph.serialize(binary, SerializationFormat::Binary);
  CHECK(binary.str().size() > 100);
  CHECK(binary.str().size() < json.str().size());
  std::ostringstream full;
  full.setstate(std::ios::badbit);
  CHECK_THROWS_AS(graph.serialize(full, SerializationFormat::JSON), poplar_error);
}
