// Handles of what is in a graph, what they say, and what graphs say of their parts.
#include <catch2/catch.hpp>
#include <poplar/Engine.hpp>
#include <poplar/GraphElements.hpp>
#include <poplar/exceptions.hpp>
#include <sstream>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

TEST_CASE_METHOD(GraphFixture, "vertices and their fields are told apart") {
  const VertexRef first = graph.addVertex(cs, "Join"), second = graph.addVertex(cs, "Join");
  CHECK(graph.getNumVertices() == 2);
  CHECK((first.getId() == 0 && second.getId() == 1));
  CHECK(first == VertexRef(first));
  CHECK(first != second);
  CHECK(first < second);
  CHECK(VertexRef() != first);
  const FieldRef parts = first["parts"], third = parts[2];
  CHECK(parts.getFieldName() == "parts");
  CHECK_FALSE(parts.isIndexed());
  CHECK(third.isIndexed());
  CHECK(third.getIndex() == 2);
  CHECK(third.getFieldName() == "parts");
}

TEST_CASE_METHOD(GraphFixture, "compute sets and functions are known by their numbers") {
  const ComputeSet other = graph.addComputeSet("other");
  CHECK(other != cs);
  CHECK(other == ComputeSet(other.getId()));
  CHECK(ComputeSet().getId() == 0);
  const Function f = graph.addFunction(Sequence()), g = graph.addFunction(Sequence());
  CHECK(f != g);
  CHECK(g == Function(g.getId()));
  CHECK((f.getId() == 0 && g.getId() == 1));
  const HostFunction h = graph.addHostFunction("h", {HostFunctionArgument(INT, 3)}, {}),
                     k = graph.addHostFunction("k", {}, {});
  CHECK(h.handle() == "h");
  CHECK(h != k);
  CHECK(h == HostFunction(h));
}

TEST_CASE_METHOD(GraphFixture, "a function buffer is of one function") {
  const Function f = graph.addFunction(Sequence()), g = graph.addFunction(Sequence());
  const FunctionBuffer of_g = graph.addFunctionBuffer(g, FunctionBufferMappingType::REMOTE);
  const FunctionBuffer of_f = graph.addFunctionBuffer(f, FunctionBufferMappingType::REMOTE);
  CHECK((of_g.getId() == 0 && of_f.getId() == 1));
  CHECK(of_f != of_g);
  CHECK(of_f == FunctionBuffer(of_f.getId()));
  CHECK_NOTHROW(Sequence({Copy(of_f, f), Copy(g, of_g)}));
  CHECK_THROWS_AS(Copy(of_f, g), control_program_error);
  CHECK_THROWS_WITH(Copy(f, of_g), ContainsText("function 0") && ContainsText("for function 1"));
  CHECK_THROWS_WITH(graph.addFunctionBuffer(Function(7), FunctionBufferMappingType::REMOTE),
                    ContainsText("no function 7"));
  CHECK_THROWS_WITH(Copy(FunctionBuffer(), f), ContainsText("no graph has made"));
  Graph other(graph.getTarget());
  CHECK_THROWS_WITH(other.addFunctionBuffer(f, FunctionBufferMappingType::REMOTE), ContainsText("another graph"));
}

TEST_CASE_METHOD(GraphFixture, "streams say what they carry, and where") {
  const DataStream in = graph.addHostToDeviceFIFO("in", HALF, 6, ReplicatedStreamMode::BROADCAST);
  const DataStream out = graph.addDeviceToHostFIFO("out", INT, 4);
  CHECK(in.handle() == "in");
  CHECK(in.numElements() == 6);
  CHECK(in.elementType() == HALF);
  CHECK(in.type() == DataStreamType::HostToDeviceFIFO);
  CHECK(in.replicatedMode() == ReplicatedStreamMode::BROADCAST);
  CHECK(in.replicationFactor() == 1);
  CHECK(out.type() == DataStreamType::DeviceToHostFIFO);
  CHECK(out.replicatedMode() == ReplicatedStreamMode::REPLICATE);
  CHECK(in != out);
  CHECK(in == DataStream(in));
  CHECK(DataStream().numElements() == 0);
  std::ostringstream os;
  os << in;
  CHECK_THAT(os.str(),
             ContainsText("\"in\"") && ContainsText("half") && ContainsText("6") && ContainsText("HostToDeviceFIFO"));
}

TEST_CASE_METHOD(GraphFixture, "a remote buffer is its rows, and a stream in each direction") {
  const RemoteBuffer buffer = graph.addRemoteBuffer("rows", INT, 4, 3), other = graph.addRemoteBuffer("more", INT, 4);
  CHECK(buffer.handle() == "rows");
  CHECK(buffer.numElements() == 4);
  CHECK(buffer.getRepeats() == 3);
  CHECK(buffer.elementType() == INT);
  CHECK_FALSE(buffer.isRearrangeOnHost());
  CHECK_FALSE(buffer.isOptimisedForMemory());
  CHECK(buffer != other);
  CHECK(buffer == RemoteBuffer(buffer));
  CHECK(RemoteBuffer().getRepeats() == 1);
  const DataStream out = buffer.getIpuToHostStream(), in = buffer.getHostToIpuStream();
  CHECK(out.type() == DataStreamType::DeviceToHostBuffer);
  CHECK(in.type() == DataStreamType::HostToDeviceBuffer);
  CHECK((out.handle() == "rows" && in.handle() == "rows"));
  CHECK((out.numElements() == 4 && in.elementType() == INT));
  CHECK(toString(out.type()) == "DeviceToHostBuffer");
  CHECK(toString(in.type()) == "HostToDeviceBuffer");
  const Tensor t = graph.addVariable(INT, {4}, "t");
  CHECK_THROWS_WITH(Copy(out, t), ContainsText("'rows'") && ContainsText("from device to host"));
  CHECK_THROWS_AS(Copy(t, in), control_program_error);
}

TEST_CASE_METHOD(GraphFixture, "what a field is connected to is a tensor, tensors or a scalar") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "t");
  const ConnectionDesc one("in", t), many("parts", std::vector<Tensor>{t, t}), scalar("bias", 2.5f);
  CHECK(one.field() == "in");
  CHECK(one.kind() == ConnectionDesc::Kind::Tensor);
  CHECK(one.tensors().at(0) == t);
  CHECK(many.kind() == ConnectionDesc::Kind::TensorList);
  CHECK(many.tensors().size() == 2);
  CHECK(scalar.kind() == ConnectionDesc::Kind::Scalar);
  CHECK(scalar.traits().isFloat);
  CHECK(*static_cast<const float*>(scalar.scalar()) == 2.5f);
}

TEST_CASE_METHOD(GraphFixture, "variables' elements are told by variable and interval") {
  const Tensor t = graph.addVariable(FLOAT, {4}, "t"), u = graph.addVariable(FLOAT, {4}, "u");
  const VariableInterval a = t.slice(1, 3).getVarRegions().at(0), b = u.getVarRegions().at(0);
  CHECK(a.interval == Interval(1, 3));
  CHECK(a.var != b.var);
  CHECK(a == VariableInterval(a.var, Interval(1, 3)));
  CHECK(a != b);
  CHECK(a < b);  // by variable, then by interval
  CHECK_FALSE(b < a);
  CHECK(a < VariableInterval(a.var, Interval(2, 3)));
  CHECK((a.var <= b.var) == !(a.var > b.var));
  CHECK(a.var >= a.var);
  CHECK(a.var == VariableRef(a.var.getId()));
  CHECK(a.var.hash() == std::hash<VariableRef>()(a.var));
  std::ostringstream os;
  os << a << ' ' << b.var;
  CHECK(os.str() == "var 0 [1,3) 1");
}

TEST_CASE_METHOD(GraphFixture, "a tensor names its variables, and its elements as text") {
  const Tensor t = graph.addVariable(FLOAT, {2, 2}, "first"), u = graph.addVariable(FLOAT, {2}, "second");
  CHECK_THAT(concat(t.flatten(), u).getVarStr(), ContainsText("'first'"));
  CHECK(t.getDebugStr() == "first");
  CHECK(t[0].getVarRegions().size() == 1);
  CHECK(t.rank() == 2);
  CHECK(t.dim(1) == 2);
  CHECK(t.numElements() == 4);
  CHECK(t.valid());
  std::ostringstream caught;
  std::streambuf* const before = std::cout.rdbuf(caught.rdbuf());
  t.dump();
  t.transpose().dumpRegions();
  std::cout.rdbuf(before);
  CHECK_THAT(caught.str(), ContainsText("float{2,2} variable 'first'\n"));
  CHECK_THAT(caught.str(), ContainsText("v0[0,1)") && ContainsText("v0[2,3)"));
}

TEST_CASE_METHOD(GraphFixture, "a graph of one replica says so, and numbers its tiles as the device does") {
  CHECK(graph.getReplicationFactor() == 1);
  const replication_factor one(1);
  CHECK(one.value == 1);
  CHECK(static_cast<unsigned>(one) == 1);
  CHECK_NOTHROW(Graph(graph.getTarget(), one));
  const Graph upper = graph.createVirtualGraph(8, 16);
  CHECK(upper.convertTileToTopLevelGraphTile(3) == 11);
  CHECK(upper.convertTopLevelGraphTileToTile(11) == 3);
  const Tensor t = graph.addVariable(INT, {4}, "t");
  graph.setTileMapping(t, 5);
  CHECK(graph.getVariableTileMapping(t.slice(1, 2))[5] == std::vector<Interval>{{0, 4}});
  const Graph::TileToTensorMapping mapping = graph.getTileMapping(t);
  CHECK(mapping.size() == graph.getTarget().getNumTiles());
}

TEST_CASE_METHOD(GraphFixture, "older names of estimates do what the newer ones do") {
  const VertexRef v = graph.addVertex(cs, "Sum");
  graph.setCycleEstimate(v, 77);
  CHECK(graph.getPerfEstimate(v).cycles == 77);
  graph.setPerfEstimate(v, VertexPerfEstimate(8, 9));
  CHECK(graph.getPerfEstimate(v).flops == 9);
  CHECK(VertexPerfEstimate().cycles == 0);
  const PerfEstimateFunc newer = [](const VertexIntrospector&, const Target&) { return VertexPerfEstimate(1); };
  const CycleEstimateFunc older = newer;
  graph.registerCycleEstimator("Join", older);
  CHECK(graph.getPerfEstimate(graph.addVertex(cs, "Join")).cycles == 1);
}

TEST_CASE_METHOD(GraphFixture, "a vertex that drives the exchange is refused") {
  CHECK_THROWS_AS(graph.addExternalExchangeVertex(cs, "Sum", 1, true, false), graph_object_creation_error);
  CHECK(graph.getNumVertices() == 0);
}

TEST_CASE_METHOD(GraphFixture, "metadata goes with variables, constants and clones in every form") {
  const Tensor metadata = createConstantMetadataTensor(graph, QuarterMetadata::Format::F143, 0);
  const Tensor linear = graph.addVariable(QUARTER, metadata, {32}, VariableMappingMethod::LINEAR, "linear");
  CHECK(linear.getMetadata() == metadata);
  CHECK(graph.getTileMapping(linear)[15].size() == 1);
  const float values[2] = {1, -1.5f};
  const Tensor constant = graph.addConstant(QUARTER, metadata, {2}, values, "constant");
  CHECK(constant.getMetadata() == metadata);
  CHECK(plain().variables[view(constant).first_variable()].constant_bytes == std::vector<std::uint8_t>{0x40, 0xc4});
  const Tensor clones = graph.cloneN(metadata, linear, 3),
               typed = graph.cloneN(QUARTER, metadata, graph.addVariable(INT, {2}), 2);
  CHECK(clones.shape() == std::vector<std::size_t>{3, 32});
  CHECK(clones.getMetadata() == metadata);
  CHECK(typed.getMetadata() == metadata);
  CHECK(graph
            .cloneN(metadata, linear, 2, "by region", TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES,
                    TensorCloneDuplicationMethod::DUPLICATE_BY_TILE_CONTIGUOUS_REGION)
            .getMetadata() == metadata);
  CHECK_THROWS_AS(graph.cloneN(INT, metadata, linear, 2), tensor_metadata_error);
}

TEST_CASE_METHOD(GraphFixture, "halves are given as their bits, to constants, variables and fields") {
  const Tensor t = graph.addVariable(HALF, {3}, "t");
  graph.setInitialValueHalf(t, 0x3c00);
  graph.setInitialValueHalf(t, ArrayRef<std::uint16_t>({0x3c00, 0x4000, 0x4200}));
  const auto& initial = plain().variables[0].initial;
  CHECK(initial.at(0).bytes == std::vector<std::uint8_t>{0, 0x3c, 0, 0x3c, 0, 0x3c});
  CHECK(initial.at(1).bytes == std::vector<std::uint8_t>{0, 0x3c, 0, 0x40, 0, 0x42});
  const std::uint16_t bits[2] = {0x3c00, 0x4000};
  const Tensor constant = graph.addConstantHalf(HALF, {2}, bits, "c");
  CHECK(plain().variables[view(constant).first_variable()].constant_bytes ==
        std::vector<std::uint8_t>{0, 0x3c, 0, 0x40});
  const VertexRef v = graph.addVertex(cs, "Sum");
  graph.setInitialValueHalf(v["bias"], 0x4000);
  const float two = 2;
  CHECK(std::memcmp(plain().vertices[v.getId()].values.at(0).bytes.data(), &two, 4) == 0);
}

TEST_CASE_METHOD(GraphFixture, "initial values by replica are those of the one there is") {
  const Tensor t = graph.addVariable(INT, {2}, "t");
  graph.setInitialValue(t, std::map<unsigned, unsigned>{{0, 9}});
  CHECK(plain().variables[0].initial.at(0).bytes == std::vector<std::uint8_t>{9, 0, 0, 0, 9, 0, 0, 0});
  CHECK_THROWS_AS(graph.setInitialValue(t, std::map<unsigned, unsigned>{{1, 9}}), graph_replication_error);
  CHECK_THROWS_AS(graph.setInitialValue(t, std::map<unsigned, unsigned>{}), graph_replication_error);
}

TEST_CASE("a library has a name and a version") {
  CHECK(versionString().cloneAsString().find("Tessera") == 0);
  CHECK(packageHash().cloneAsString().find("tessera-") == 0);
  CHECK(versionString().cloneAsString().substr(8) == packageHash().cloneAsString().substr(8));
}

TEST_CASE("a print format is what it is made with") {
  const PrintTensorFmt usual, own(10, 2, 40, 3, PrintTensorFmt::FloatFormat::Scientific, ',', '(', ')');
  CHECK((usual.summariseThreshold == 1000 && usual.edgeItems == 3 && usual.maxLineWidth == 75 && usual.digits == 7));
  CHECK((usual.separator == ' ' && usual.openBracket == '[' && usual.closeBracket == ']'));
  CHECK(usual.floatFormat == PrintTensorFmt::FloatFormat::Auto);
  CHECK((own.summariseThreshold == 10 && own.edgeItems == 2 && own.maxLineWidth == 40 && own.digits == 3));
  CHECK((own.separator == ',' && own.openBracket == '(' && own.closeBracket == ')'));
  CHECK(own.floatFormat == PrintTensorFmt::FloatFormat::Scientific);
}
