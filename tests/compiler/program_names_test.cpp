// From the user's graph to names and source lines of what is on the chip.

#include <catch2/catch.hpp>

#include "compiler/passes/compile.h"
#include "inspect/source_lines.h"
#include "program/place_names.h"
#include "tests/compiler/codelet_source.h"

using namespace tessera;
using namespace tessera::test;
using Catch::Matchers::EndsWith;

namespace {

constexpr const char* kCodelets = R"(
  inline float twice(float x) {
    return 2.0f * x;
  }
  struct Scale : Vertex {
    Input<Vector<float>> in;
    Output<Vector<float>> out;
    Vector<unsigned short> table;
    float factor;
    bool compute() {
      for (unsigned i = 0; i < out.size(); ++i) out[i] = twice(in[i]) * factor + table[i];
      return true;
    }
  };
  struct Join : Vertex {
    Vector<Input<Vector<float>>> parts;
    Output<float> out;
    bool compute() {
      volatile float kept[8] = {parts[0][0]};  // needs a stack
      *out = kept[0] + parts[1][0];
      return true;
    }
  };)";

names::ProgramInfo sample() {
  GraphBuilder b(4);
  add_codelets(b, kCodelets);
  const TensorRef x = b.variable("net/x", ElementType::kFloat, {{100, 0}, {100, 2}});
  const TensorRef y = b.variable("net/y", ElementType::kFloat, {{200, 2}});
  const TensorRef z = b.variable("", ElementType::kFloat, {{1, 3}});
  b.write_handle("dealt", b.variable("net/dealt", ElementType::kFloat, {{3, 0}, {2, 1}, {1, 0}, {1, 1}}));
  const auto set = add_compute_set(b, "scale");
  const auto vertex = add_vertex(b, set, "Scale", 2, {{"in", slice(x, 110, 150)}, {"out", slice(y, 10, 50)}});
  set_state(b, vertex, "factor", 0x3f800000);
  b.graph.vertices[vertex].sizes.push_back({2, 40});
  const auto other = add_compute_set(b, "join");
  add_vertex(b, other, "Join", 3, {{"parts", slice(x, 0, 2), 0}, {"parts", slice(y, 0, 1), 1}, {"out", z}});
  const spec::Machine machine = spec::load_machine("mk2-4");
  return compiler::compile(b.graph, {sequence({execute(set), execute(other)})}, machine).chip().info;
}

const names::Vertex& vertex_of(const names::ProgramInfo& p, std::string_view codelet) {
  for (const names::Vertex& v : p.vertices)
    if (p.name(v.codelet) == codelet) return v;
  throw std::runtime_error("no vertex of " + std::string(codelet));
}

}  // namespace

TEST_CASE("vertices have their fields with place, tensor and elements") {
  const names::ProgramInfo p = sample();
  const names::Vertex& scale = vertex_of(p, "Scale");
  CHECK(scale.tile == 2);
  CHECK(p.name(scale.compute_set) == "scale");
  REQUIRE(scale.fields == 4);
  const names::Field* field = &p.fields[scale.first_field];
  CHECK(p.name(field[0].name) == "in");
  CHECK(field[0].kind == names::FieldKind::kInput);
  CHECK(field[0].bytes == 160);
  CHECK(field[0].element_bytes == 4);
  CHECK(p.name(field[0].tensor) == "net/x");
  CHECK(field[0].first_element == 110);
  // Used in place: the field lies in the variable's memory of that tile, whose first element there is 100.
  const names::Variable* variable = p.variable_at(2, field[0].address);
  REQUIRE(variable != nullptr);
  CHECK(p.name(variable->name) == "net/x");
  CHECK(p.name(variable->type) == "float");
  CHECK(field[0].address == variable->address + 40);
  CHECK(variable->first_element == 100);
  CHECK(field[0].pointer == scale.address);
  CHECK(p.name(field[1].tensor) == "net/y");
  CHECK(field[1].kind == names::FieldKind::kOutput);
  CHECK(p.name(field[2].name) == "table");
  CHECK(field[2].kind == names::FieldKind::kState);
  CHECK(field[2].bytes == 80);
  CHECK(p.name(field[3].name) == "factor");
  CHECK(field[3].bytes == 4);
  CHECK(p.vertex_at(2, field[3].address) == &scale);

  const names::Vertex& join = vertex_of(p, "Join");
  REQUIRE(join.fields == 3);
  field = &p.fields[join.first_field];
  CHECK(p.name(field[0].name) == "parts[0]");
  CHECK(p.name(field[0].tensor) == "net/x");
  CHECK(p.name(field[1].name) == "parts[1]");
  CHECK(p.name(field[1].tensor) == "net/y");
  CHECK(p.name(field[2].tensor) == "unnamed variable 2");
}

TEST_CASE("of variables that share memory the one is named that lives in the step") {
  GraphBuilder b(4);
  const auto row = [&](const std::string& name) { return b.variable(name, ElementType::kInt, {{10, 1}}); };
  const TensorRef first = row("first"), second = row("second"), third = row("third"), fourth = row("fourth");
  b.initial(first, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const ProgramRef chain = sequence({copy(first, second), copy(second, third), copy(third, fourth)});
  compiler::GraphCompileOptions options;
  options.optimise.view_copies = false;
  const names::ProgramInfo p = compiler::compile(b.graph, {chain}, spec::load_machine("mk2-4"), options).chip().info;
  const auto named = [&](const std::string& name) {
    for (const names::Variable& v : p.variables)
      if (p.name(v.name) == name) return v;
    throw std::runtime_error("no variable " + name);
  };
  REQUIRE(named("second").address == named("fourth").address);
  const names::PlaceNames names(p);
  const uint32_t address = named("second").address + 8;
  std::vector<std::string> in_steps;
  for (const names::Step& step : p.steps)
    if (step.tile == 1) in_steps.push_back(p.name(step.what) + ": " + names.at(1, address, nullptr, &step));
  CHECK(in_steps == std::vector<std::string>{"waiting for the host: ", "waiting for the host: ",
                                             "Copy(first, second): second[2]", "Copy(first, second): second[2]",
                                             "Copy(second, third): second[2]", "Copy(third, fourth): fourth[2]"});
  CHECK(names.at(1, address) == "second[2] or fourth[2]");
  CHECK(names.at(1, named("first").address) == "first[0]");
}

TEST_CASE("stacks and entries are known") {
  const names::ProgramInfo p = sample();
  for (uint8_t context = 1; context <= 6; ++context) REQUIRE(p.stack_of(2, context) != nullptr);
  CHECK(p.stack_of(2, 1)->bytes >= 32);
  CHECK(p.stack_of(2, 2)->address == p.stack_of(2, 1)->address + p.stack_of(2, 1)->bytes);
  const auto entries = p.entries_of("Scale");
  REQUIRE(entries.size() == 1);
  CHECK(p.name(p.symbol_at(entries[0])->name) == "__vertex_Scale");
}

TEST_CASE("a pc has its source line, with the calls it was inlined through") {
  const names::ProgramInfo p = sample();
  const inspect::SourceLines lines(p.elf);
  const names::Symbol* entry = p.symbol_named("__vertex_Scale");
  REQUIRE(entry != nullptr);
  bool inlined = false, loop = false;
  for (uint32_t pc = entry->address; pc < entry->address + entry->bytes; pc += 4) {
    const auto at = lines.at(pc);
    REQUIRE(!at.empty());
    // "test.cpp" begins with two lines of its own; line 1 of the text is empty.
    if (at[0].line == 5 && at[0].file.ends_with("test.cpp")) {
      inlined = true;
      CHECK(lines.function_at(pc) == "twice(float)");
      REQUIRE(at.size() >= 2);
      CHECK(at[1].line == 13);
      CHECK_THAT(at[1].file, EndsWith("test.cpp"));
    }
    loop = loop || at[0].line == 13;
  }
  CHECK(inlined);
  CHECK(loop);
  CHECK(lines.at(0x10).empty());
  CHECK(lines.function_at(0xfffffff0).empty());
  const names::Symbol* start = p.symbol_named("__tessera_worker");
  REQUIRE(start != nullptr);
  REQUIRE(!lines.at(start->address).empty());
  CHECK(lines.at(start->address)[0].file == "./tessera/runtime/worker.S");
}

TEST_CASE("without debug information there are no lines") {
  for (const std::vector<uint8_t>& bytes : {std::vector<uint8_t>{}, std::vector<uint8_t>(100, 0x55)}) {
    const inspect::SourceLines lines(bytes);
    CHECK(lines.at(0x4c000).empty());
    CHECK(lines.function_at(0x4c000).empty());
  }
}

TEST_CASE("a tile that holds several runs of a tensor names its elements") {
  const names::ProgramInfo p = sample();
  unsigned tiles = 0;
  for (const names::Variable& v : p.variables) {
    if (p.name(v.name) != "net/dealt") continue;
    ++tiles;
    CHECK(v.runs == 2);
    CHECK(names::element_name(p, v, v.address + 4) == (v.tile == 0 ? "net/dealt[1]" : "net/dealt[4]"));
    CHECK(names::element_name(p, v, v.address + v.bytes - 4) == (v.tile == 0 ? "net/dealt[5]" : "net/dealt[6]"));
  }
  CHECK(tiles == 2);
}
