// For each exception that a program can provoke without a device: how, that it is exactly that type, and that its
// message names what the program has named. exceptions_engine_test.cpp has those of a run.
#include "thrown.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/IPUModel.hpp>
#include <sstream>

#include "tests/poplar/graph_fixture.h"

using namespace poplar;
using namespace poplar::program;
using Catch::Matchers::ContainsText;

namespace {

const std::string kCodelet = R"(
#include <poplar/Vertex.hpp>
class Mine : public poplar::Vertex {
 public:
  poplar::InOut<int> x;
  bool compute() { return true; }
};
)";

// Of no source that was compiled before.
std::string new_comment() {
  return "// " + std::to_string(std::chrono::system_clock::now().time_since_epoch().count()) + "\n";
}

void add(Graph& graph, const std::string& source) {
  std::stringstream text(source);
  graph.addCodelets(text);
}

struct File {
  explicit File(const std::string& content)
      : path((std::filesystem::temp_directory_path() / ("exceptions-" + std::to_string(::getpid()))).string()) {
    std::ofstream(path) << content;
  }
  ~File() { std::filesystem::remove(path); }
  const std::string path;
};

}  // namespace

TEST_CASE_METHOD(GraphFixture, "graph_program_compilation_error has the compiler's words for the codelet") {
  const std::string message = THROWN(graph_program_compilation_error, add(graph, kCodelet + "int broken = oops;\n"));
  CHECK_THAT(message, ContainsText("use of undeclared identifier 'oops'"));
}

TEST_CASE_METHOD(GraphFixture, "graph_object_creation_error names the codelet") {
  add(graph, kCodelet);
  const std::string twice = THROWN(graph_object_creation_error, add(graph, kCodelet + "// another\nint more;\n"));
  CHECK_THAT(twice, ContainsText("'Mine'"));
  const std::string external =
      THROWN(graph_object_creation_error, graph.addExternalExchangeVertex(cs, "Mine", 1, false, true));
  CHECK_THAT(external, ContainsText("addExternalExchangeVertex") && ContainsText("'Mine'"));
}

TEST_CASE_METHOD(GraphFixture, "graph_object_load_error and file_load_error name the file") {
  const File file("this is no library of codelets");
  CHECK_THAT(THROWN(graph_object_load_error, graph.addCodelets(file.path, CodeletFileType::Object)),
             ContainsText(file.path));
  CHECK_THAT(THROWN(file_load_error, graph.addCodelets("/nowhere/codelets.cpp")),
             ContainsText("/nowhere/codelets.cpp"));
}

TEST_CASE_METHOD(GraphFixture, "no_environment names the tool that is missing") {
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const std::string message = THROWN(no_environment, add(graph, new_comment() + kCodelet));
  ::setenv("PATH", before.c_str(), 1);
  CHECK_THAT(message, ContainsText("clang++-19"));
}

TEST_CASE_METHOD(GraphFixture, "unknown_vertex_type and unknown_field name what is not there") {
  CHECK_THAT(THROWN(unknown_vertex_type, graph.addVertex(cs, "Nothing")), ContainsText("'Nothing'"));
  CHECK_THAT(THROWN(unknown_vertex_type, graph.addExternalExchangeVertex(cs, "Nothing", 0, false, false)),
             ContainsText("'Nothing'"));
  const VertexRef v = graph.addVertex(cs, "Sum");
  CHECK_THAT(THROWN(unknown_field, v["datum"]), ContainsText("'datum'") && ContainsText("'Sum'"));
}

TEST_CASE_METHOD(GraphFixture, "control_program_error names the tensors of the copy") {
  const Tensor a = graph.addVariable(FLOAT, {4}, VariableMappingMethod::LINEAR, "wide");
  const Tensor b = graph.addVariable(FLOAT, {3}, VariableMappingMethod::LINEAR, "narrow");
  CHECK_THAT(THROWN(control_program_error, compileGraph(graph, {Copy(a, b)})),
             ContainsText("'wide'") && ContainsText("'narrow'"));
}

TEST_CASE_METHOD(GraphFixture, "type_error names tensor, field and vertex") {
  const Tensor whole = graph.addVariable(INT, {4}, "whole");
  const VertexRef v = graph.addVertex(cs, "Sum");
  CHECK_THAT(THROWN(type_error, graph.connect(v["in"], whole)),
             ContainsText("'whole'") && ContainsText("'in'") && ContainsText("'Sum'"));
}

TEST_CASE_METHOD(GraphFixture, "index_error names the tensor and its shape") {
  const Tensor t = graph.addVariable(INT, {3, 4}, "t");
  CHECK_THAT(THROWN(index_error, t[3]), ContainsText("no entry 3") && ContainsText("{3,4}") && ContainsText("'t'"));
  CHECK_THAT(THROWN(index_error, t.slice(1, 5)), ContainsText("[1,5)") && ContainsText("'t'"));
  CHECK_THAT(THROWN(index_error, t.dim(2)), ContainsText("no dimension 2") && ContainsText("'t'"));
}

TEST_CASE_METHOD(GraphFixture, "no_size_specified names field and vertex") {
  const VertexRef v = graph.addVertex(cs, "Join");
  CHECK_THAT(THROWN(no_size_specified, graph.getFieldSize(v["parts"])),
             ContainsText("'parts'") && ContainsText("'Join'"));
}

TEST_CASE_METHOD(GraphFixture, "graph_connection_error names field, vertex and compute set") {
  graph.setTileMapping(graph.addVertex(cs, "Sum"), 3);
  CHECK_THAT(THROWN(graph_connection_error, compileGraph(graph, {Execute(cs)})),
             ContainsText("'in'") && ContainsText("'Sum'") && ContainsText("'cs'") && ContainsText("tile 3"));
}

TEST_CASE_METHOD(GraphFixture, "graph_recursion_error names the function") {
  const Function self = graph.addFunction(Call(Function(0)));
  CHECK_THAT(THROWN(graph_recursion_error, compileGraph(graph, {Call(self)})), ContainsText("unction 0"));
}

TEST_CASE_METHOD(GraphFixture, "graph_replication_error names the factor, or the tensor") {
  CHECK_THAT(THROWN(graph_replication_error, Graph(graph.getTarget(), replication_factor(3))), ContainsText("3"));
  const Tensor t = graph.addVariable(INT, {}, "t");
  CHECK_THAT(THROWN(graph_replication_error, CrossReplicaCopy(t, t, {{0, 1}})), ContainsText("'t'"));
  CHECK_THAT(THROWN(graph_replication_error, graph.setInitialValue(t, {{0u, 1u}, {1u, 2u}})), ContainsText("'t'"));
}

TEST_CASE_METHOD(GraphFixture, "missing_perf_estimate names the vertex") {
  const VertexRef v = graph.addVertex(cs, "Sum");
  CHECK_THAT(THROWN(missing_perf_estimate, graph.getPerfEstimate(v)), ContainsText("'Sum'"));
}

TEST_CASE_METHOD(GraphFixture, "invalid_tile_mapping names the tensor and the tile") {
  const Tensor t = graph.addVariable(INT, {4}, "t");
  CHECK_THAT(THROWN(invalid_tile_mapping, graph.setTileMapping(t, 16)), ContainsText("'t'") && ContainsText("16"));
  CHECK_THAT(THROWN(invalid_tile_mapping, graph.getTileMapping(t)), ContainsText("'t'"));
  const VertexRef v = graph.addVertex(cs, "Sum");
  CHECK_THAT(THROWN(invalid_tile_mapping, graph.setTileMapping(v, 99)), ContainsText("'Sum'") && ContainsText("99"));
}

TEST_CASE_METHOD(GraphFixture, "tensor_creation_error names the tensor") {
  CHECK_THAT(THROWN(tensor_creation_error, graph.addConstant<float>(FLOAT, {3}, {1, 2}, "three")),
             ContainsText("'three'") && ContainsText("3 elements from 2"));
  const Tensor t = graph.addVariable(INT, {4}, "t");
  CHECK_THAT(THROWN(tensor_creation_error, graph.cloneN(t, 0)), ContainsText("'t'"));
}

TEST_CASE_METHOD(GraphFixture, "tensor_metadata_error names the tensor") {
  CHECK_THAT(THROWN(tensor_metadata_error, graph.addVariable(QUARTER, {2}, "bare")), ContainsText("'bare'"));
  const Tensor bytes = graph.addVariable(UNSIGNED_CHAR, {2}, "bytes");
  CHECK_THAT(THROWN(tensor_metadata_error, bytes.reinterpret(QUARTER)), ContainsText("'bytes'"));
}

TEST_CASE_METHOD(GraphFixture, "stream_connection_error names the stream") {
  const Tensor t = graph.addVariable(INT, {4}, VariableMappingMethod::LINEAR, "t");
  Engine engine(graph, Copy(graph.addHostToDeviceFIFO("in", INT, 4), t));
  int values[4] = {};
  CHECK_THAT(THROWN(stream_connection_error, engine.connectStream("out", values)),
             ContainsText("'out'") && ContainsText("'in'"));
}

TEST_CASE_METHOD(GraphFixture, "overflow_error names the type") {
  CHECK_THAT(THROWN(overflow_error, graph.getTarget().getTypeLimitsMaxAs<int>(UNSIGNED_INT)),
             ContainsText("unsigned int"));
}

TEST_CASE_METHOD(GraphFixture, "graph_memory_allocation_error names the tile and what it holds") {
  const Tensor t = graph.addVariable(FLOAT, {200000}, "large"), u = graph.addVariable(FLOAT, {200000}, "copy");
  graph.setTileMapping(t, 5);
  graph.setTileMapping(u, 6);
  CHECK_THAT(THROWN(graph_memory_allocation_error, compileGraph(graph, {Copy(t, u)})),
             ContainsText("Out of memory: Cannot fit all variable data onto one or more tiles") &&
                 ContainsText("tile 5") && ContainsText("'large'"));
}

TEST_CASE_METHOD(GraphFixture, "a program that does not fit leaves the profile that was asked for, and says where") {
  const Tensor t = graph.addVariable(FLOAT, {200000}, "large"), u = graph.addVariable(FLOAT, {4}, "part");
  graph.setTileMapping(t, 5);
  graph.setTileMapping(u, 6);
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("exceptions-profile-" + std::to_string(::getpid()));
  const auto path_of = [&](const OptionFlags& options) {
    std::string path = "nothing was thrown";
    try {
      compileGraph(graph, {Copy(t.slice(0, 4), u)}, options);
    } catch (const graph_memory_allocation_error& error) {
      path = error.profilePath;
      CHECK_THAT(error.what(), ContainsText("tile 5") && ContainsText(path));
    }
    return path;
  };
  CHECK(path_of({}).empty());
  const std::string path =
      path_of({{"autoReport.outputGraphProfile", "true"}, {"autoReport.directory", folder.string()}});
  CHECK(path == (folder / "graph_profile.json").string());
  std::ostringstream text;
  printGraphSummary(text, path, {{"showPerTileMemoryUsage", "true"}});
  CHECK_THAT(text.str(), ContainsText("Tile 5        80"));  // thousands of bytes
  std::filesystem::remove_all(folder);
}

TEST_CASE_METHOD(GraphFixture, "stream_memory_allocation_error names the handle") {
  constexpr std::size_t kElements = std::size_t{1} << 29;
  for (const char* name : {"first", "second"}) {
    const Tensor t = graph.addVariable(FLOAT, {kElements}, name);
    graph.setTileMapping(t, 2);
    graph.createHostRead(name, t);
  }
  CHECK_THAT(THROWN(stream_memory_allocation_error, compileGraph(graph, {Sequence()})), ContainsText("'second'"));
}

TEST_CASE("invalid_machine_model names the machine or the field") {
  CHECK_THAT(THROWN(invalid_machine_model, IPUModel("ipu9")), ContainsText("ipu9"));
  IPUModel model;
  model.instructionBytes = 8;
  CHECK_THAT(THROWN(invalid_machine_model, model.createDevice()), ContainsText("instructionBytes"));
}

TEST_CASE_METHOD(GraphFixture, "invalid_option names the option") {
  CHECK_THAT(THROWN(invalid_option, compileGraph(graph, {Sequence()}, {{"no.such", "1"}})), ContainsText("'no.such'"));
  CHECK_THAT(THROWN(invalid_option, graph.addDeviceToHostFIFO("s", INT, 4, {{"splitLimits", "1"}})),
             ContainsText("'splitLimits'"));
}

TEST_CASE_METHOD(GraphFixture, "link_error names the symbol") {
  add(graph, R"(
#include <poplar/Vertex.hpp>
int nobody_has(int);
class Unlinked : public poplar::Vertex {
 public:
  poplar::InOut<int> x;
  bool compute() { *x = nobody_has(*x); return true; }
};
)");
  const Tensor t = graph.addVariable(INT, {}, "t");
  graph.setTileMapping(t, 1);
  graph.setTileMapping(graph.addVertex(cs, "Unlinked", {{"x", t}}), 1);
  CHECK_THAT(THROWN(link_error, compileGraph(graph, {Execute(cs)})), ContainsText("nobody_has"));
}

TEST_CASE("parse_error names what does not parse") {
  OptionFlags flags;
  CHECK_THAT(THROWN(parse_error, readJSON("{\"a\": ", flags)), ContainsText("{\"a\": "));
}

TEST_CASE("graph profiles that cannot be shown are refused with their file's name") {
  const auto shown = [](const std::string& path, const OptionFlags& options) {
    std::ostringstream os;
    printGraphSummary(os, path, options);
    return os.str();
  };
  CHECK_THAT(THROWN(file_load_error, shown("/nowhere/profile.json", {})), ContainsText("/nowhere/profile.json"));
  const File text("not JSON");
  CHECK_THAT(THROWN(parse_error, shown(text.path, {})), ContainsText(text.path));
}

TEST_CASE("missing_graph_profile and missing_profile_data name the file and the option") {
  const File other("{\"supersteps\": 3}");
  std::ostringstream os;
  CHECK_THAT(THROWN(missing_graph_profile, printGraphSummary(os, other.path)), ContainsText(other.path));
  CHECK_THAT(THROWN(missing_profile_data, printGraphSummary(os, other.path, {{"showVarStorage", "true"}})),
             ContainsText("'showVarStorage'"));
}

TEST_CASE_METHOD(GraphFixture, "poplar_error names the object where no other type is for it") {
  Graph other(graph.getTarget());
  const Tensor t = other.addVariable(INT, {4}, "foreign");
  CHECK_THAT(THROWN(poplar_error, graph.setTileMapping(t, 0)),
             ContainsText("'foreign'") && ContainsText("another graph"));
}

TEST_CASE("exceptions are built from strings and characters, and keep what they are given") {
  const graph_object_load_error load("file.gp", "too short");
  CHECK_THAT(load.what(), ContainsText("'file.gp'") && ContainsText("too short"));
  const symbol_error symbol("x", 12);
  CHECK_THAT(symbol.what(), ContainsText("'x'") && ContainsText("tile 12"));
  const link_error link("undefined", "ld: no");
  CHECK(link.output == "ld: no");
  CHECK(link_error("undefined").output.empty());
  const graph_memory_allocation_error memory("full", "there/profile.pop");
  CHECK(memory.profilePath == "there/profile.pop");
  CHECK(std::string(unknown_field("f").what()).find("'f'") != std::string::npos);
  CHECK(std::string(poplar_error("chars").what()) == "chars");
  CHECK(poplar_error(std::string("text")).type == "poplar_error");
  const recoverable_runtime_error recoverable(RecoveryAction::LINK_RESET, "down");
  CHECK(recoverable.getRecoveryAction() == RecoveryAction::LINK_RESET);
  CHECK(toString(recoverable.getRecoveryAction()) == "LINK_RESET");
  std::ostringstream os;
  os << RecoveryAction::IPU_RESET << ' ' << RecoveryAction::PARTITION_RESET << ' ' << RecoveryAction::FULL_RESET;
  CHECK(os.str() == "IPU_RESET PARTITION_RESET FULL_RESET");
}

TEST_CASE("exceptions that nothing provokes are there to be thrown, and are what they derive from") {
  const auto is = [](const auto& error, const char* type) {
    CHECK(error.type == type);
    CHECK(std::string(error.what()) == "x");
  };
  is(graph_cycle_error("x"), "graph_cycle_error");
  is(profiling_disabled("x"), "profiling_disabled");
  is(tensor_io_state_error("x"), "tensor_io_state_error");
  is(memory_elem_constraints_error("x"), "memory_elem_constraints_error");
  is(unrecoverable_runtime_error("x"), "unrecoverable_runtime_error");
  is(unknown_runtime_error("x"), "unknown_runtime_error");
  is(poplar::runtime_error("x"), "runtime_error");
  CHECK_THROWS_AS(throw unknown_runtime_error("x"), system_runtime_error);
  CHECK_THROWS_AS(throw unrecoverable_runtime_error("x"), poplar::runtime_error);
  CHECK_THROWS_AS(throw recoverable_runtime_error(RecoveryAction::FULL_RESET, "x"), system_runtime_error);
  CHECK_THROWS_AS(throw application_runtime_error("x"), poplar::runtime_error);
  CHECK_THROWS_AS(throw symbol_error("x", 1), poplar_error);
}
