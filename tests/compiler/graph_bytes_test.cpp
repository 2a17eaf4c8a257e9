// The bytes of a graph and its programs: equal for equal ones, others as soon as any one thing is another.
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "compiler/graph/graph_bytes.h"
#include "tests/compiler/graph_builder.h"

using namespace tessera;
using namespace tessera::test;

namespace {

struct Sample {
  GraphBuilder b{4};
  std::vector<ProgramRef> programs;
  graph::PrintFormat format;
  TensorRef x = b.variable("x", ElementType::kInt, {{4, 0}, {4, 1}}), y = b.variable("y", ElementType::kInt, {{8, 2}});
  TensorRef one = b.variable("one", ElementType::kInt, {{1, 0}});

  Sample() {
    b.initial(x, {1, 2, 3});
    b.graph.variables[1].constant = true;
    b.graph.variables[1].constant_bytes = {1, 0, 0, 0};
    graph::CodeletInfo info{
        .name = "Add", .entry_symbol = "add", .state_size = 8, .fields = {{.name = "in"}}, .constraints = {}};
    b.graph.codelets.push_back({info, 0});
    b.graph.compute_sets.push_back({"set", {0}});
    graph::Vertex vertex{
        .tile = 1, .connections = {{0, graph::kWholeField, x}}, .values = {{1, {5}}}, .sizes = {{2, 6}}};
    b.graph.vertices.push_back(vertex);
    b.graph.streams.push_back({"in", ElementType::kInt, 8, true, {{"bufferingDepth", "2"}}});
    b.handles("x", x);
    b.graph.functions.push_back({copy(x, y)});
    programs = {sequence({copy(x, y), program(graph::Execute{0, one}), program(graph::CopyFromStream{0, x})}),
                program(graph::Repeat{3, program(graph::If{one, copy(x, y), program(graph::Call{0})})}),
                program(graph::Switch{one, {{7, copy(x, y)}}, program(graph::Sync{})}),
                program(graph::RepeatWhile{copy(x, y), one, true, program(graph::WriteUndef{y})}),
                program(graph::PrintTensor{"title", x, format}, "named"),
                program(graph::Abort{"no"}),
                program(graph::AbortOnCondition{one, "no"}),
                program(graph::CopyToStream{x, 0}),
                program(graph::CrossReplicaCopy{x, y, {1, 0}})};
  }
};

std::vector<std::uint8_t> bytes_of(const Sample& s) {
  std::vector<std::uint8_t> bytes;
  graph::for_each_piece(s.b.graph, s.programs, [&](std::span<const std::uint8_t> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  });
  return bytes;
}

using Change = std::function<void(Sample&)>;

}  // namespace

TEST_CASE("equal graphs have equal bytes, wherever they lie in memory") { CHECK(bytes_of({}) == bytes_of({})); }

TEST_CASE("any one thing that is another shows in the bytes") {
  const Change changes[] = {
      [](Sample& s) { s.b.graph.num_tiles = 5; },
      [](Sample& s) { s.b.graph.replicas = 2; },
      [](Sample& s) { s.b.graph.variables[0].initial[0].other_replicas = {{1, 2, 3, 4}}; },
      [](Sample& s) { s.b.graph.variables[0].name = "z"; },
      [](Sample& s) { s.b.graph.variables[0].type = ElementType::kFloat; },
      [](Sample& s) { s.b.graph.variables[0].num_elements = 9; },
      [](Sample& s) { s.b.graph.variables[0].initial[0].begin = 1; },
      [](Sample& s) { s.b.graph.variables[0].initial[0].bytes[5] = 9; },
      [](Sample& s) { s.b.graph.variables[0].mapping.assign(3, 4, 3); },
      [](Sample& s) { s.b.graph.variables[1].constant = false; },
      [](Sample& s) { s.b.graph.variables[1].constant_bytes[0] = 2; },
      [](Sample& s) { s.b.graph.vertices[0].tile = 2; },
      [](Sample& s) { s.b.graph.vertices[0].codelet = 1; },
      [](Sample& s) { s.b.graph.vertices[0].compute_set = 1; },
      [](Sample& s) { s.b.graph.vertices[0].connections[0].tensor = s.y; },
      [](Sample& s) { s.b.graph.vertices[0].connections[0].index = 1; },
      [](Sample& s) { s.b.graph.vertices[0].connections[0].field = 1; },
      [](Sample& s) { s.b.graph.vertices[0].values[0].bytes[0] = 6; },
      [](Sample& s) { s.b.graph.vertices[0].sizes[0].size = 7; },
      [](Sample& s) { s.b.graph.codelets[0].info.constraints = {{graph::MemoryPart::kElement, 0, 1}}; },
      [](Sample& s) { s.b.graph.codelets[0].info.constraints = {{graph::MemoryPart::kRegion, 0, 1}}; },
      [](Sample& s) { s.b.graph.codelets[0].info.constraints = {{graph::MemoryPart::kElement, 1, 0}}; },
      [](Sample& s) { s.b.graph.estimates[0] = {5, 0}; },
      [](Sample& s) { s.b.graph.estimates[0] = {5, 1}; },
      [](Sample& s) { s.b.graph.compute_sets[0].name = "other"; },
      [](Sample& s) { s.b.graph.compute_sets[0].vertices.clear(); },
      [](Sample& s) { s.b.graph.streams[0].handle = "out"; },
      [](Sample& s) { s.b.graph.streams[0].num_elements = 4; },
      [](Sample& s) { s.b.graph.streams[0].to_device = false; },
      [](Sample& s) { s.b.graph.streams[0].options["bufferingDepth"] = "3"; },
      [](Sample& s) { s.b.graph.host_reads[0].name = "q"; },
      [](Sample& s) { s.b.graph.host_writes[0].tensor = s.y; },
      [](Sample& s) { s.b.graph.host_writes.clear(); },
      [](Sample& s) { s.b.graph.functions[0].program = copy(s.y, s.x); },
      [](Sample& s) { s.b.graph.codelets[0].library = 1; },
      [](Sample& s) { s.b.graph.codelets[0].info.entry_symbol = "sub"; },
      [](Sample& s) { s.b.graph.codelets[0].info.state_align = 8; },
      [](Sample& s) { s.b.graph.codelets[0].info.fields[0].interleaved = true; },
      [](Sample& s) { s.b.graph.codelets[0].info.fields[0].offset = 4; },
      [](Sample& s) { std::swap(s.programs[0], s.programs[1]); },
      [](Sample& s) { s.programs.pop_back(); },
      [](Sample& s) { s.programs[0] = sequence({copy(s.x, s.y)}); },
      [](Sample& s) { s.programs[0] = sequence({copy(s.x, s.y), copy(s.x, s.y)}); },
      [](Sample& s) { s.programs[1] = program(graph::Repeat{4, copy(s.x, s.y)}); },
      [](Sample& s) { s.programs[1] = program(graph::Repeat{5, copy(s.x, s.y)}); },
      [](Sample& s) { s.programs[2] = program(graph::Sync{graph::Sync::Span::kExternal}); },
      [](Sample& s) { s.programs[2] = program(graph::Sync{graph::Sync::Span::kGlobal}); },
      [](Sample& s) { s.programs[3] = program(graph::WriteUndef{s.x}); },
      [](Sample& s) { s.programs[4] = program(graph::PrintTensor{"title", s.x, s.format}, "other"); },
      [](Sample& s) { s.programs[4] = program(graph::PrintTensor{"other", s.x, s.format}, "named"); },
      [](Sample& s) {
        s.format.digits = 3;
        s.programs[4] = program(graph::PrintTensor{"title", s.x, s.format}, "named");
      },
      [](Sample& s) { s.programs[5] = program(graph::Abort{"yes"}); },
      [](Sample& s) { s.programs[6] = program(graph::AbortOnCondition{s.one, "yes"}); },
      [](Sample& s) { s.programs[7] = program(graph::CopyToStream{s.y, 0}); },
      [](Sample& s) { s.programs[8] = program(graph::CrossReplicaCopy{s.x, s.y, {1, 1}}); },
      [](Sample& s) { s.programs[8] = program(graph::CrossReplicaCopy{s.y, s.x, {1, 0}}); },
  };
  std::map<std::vector<std::uint8_t>, std::size_t> seen{{bytes_of({}), 0}};
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    Sample s;
    changes[i](s);
    const auto [same, fresh] = seen.try_emplace(bytes_of(s), i + 1);
    INFO("change " << i << " reads as " << same->second);
    CHECK(fresh);
  }
}
