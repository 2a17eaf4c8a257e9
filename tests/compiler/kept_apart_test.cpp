// Codelets with poplar::constraint: where the data of their fields lie, and what is said when there is no such place.
#include <catch2/catch.hpp>
#include <set>

#include "compiler/passes/compile.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::compiler;
using namespace tessera::test;
using Catch::Matchers::ContainsText;

namespace {

// Two loads in one instruction: the tile stops if they meet in one element.
std::string dot(const std::string& name, const std::string& attribute) {
  return "struct " + attribute + name + R"( : Vertex {
    Input<Vector<float, VectorLayout::SPAN, 8>> a;
    Input<Vector<float, VectorLayout::ONE_PTR, 8>> b;
    Output<float> out;
    void compute() {
      ipu::AddressTriple at(&a[0], &b[0]);
      float2 sum = {0, 0};
      for (unsigned i = 0; i < a.size(); i += 2) {
        float2 x, y;
        ipu::load2_pace(at, x, y);
        sum = sum + x * y;
      }
      *out = sum[0] + sum[1];
    }
  };)";
}
const char* const kApart = "[[poplar::constraint(\"elem(*a) != elem(*b)\")]] ";
const char* const kAcross = "[[poplar::constraint(\"region(*b) != region(*a)\")]] ";

std::string codelets() {
  return "#include <ipu_memory_intrinsics>\n" + dot("Dot", kApart) + dot("Across", kAcross) + dot("Free", "");
}

struct Program : GraphBuilder {
  spec::Machine machine = spec::load_machine(test_machine());
  graph::ComputeSetId set;

  Program() : GraphBuilder(4), set(add_compute_set(*this, "products")) { add_codelets(*this, codelets()); }

  TensorRef floats(const std::string& name, std::size_t n, std::uint32_t tile = 0) {
    const TensorRef made = variable(name, ElementType::kFloat, {{n, tile}});
    initial(made, std::vector<std::uint32_t>(n, 0x40000000));  // 2
    return made;
  }
  TensorRef product(const std::string& codelet, const TensorRef& a, const TensorRef& b) {
    const TensorRef out = variable("out", ElementType::kFloat, {{1, 0}});
    add_vertex(*this, set, codelet, 0, {{"a", a}, {"b", b}, {"out", out}});
    return out;
  }
  image::Executable compiled(const GraphCompileOptions& options = {}) const {
    return compile(graph, {execute(set)}, machine, options);
  }
  std::string refusal() const {
    try {
      compiled();
    } catch (const OutOfTileMemory& error) {
      return error.what();
    }
    return "fits";
  }

  // Elements (regions) in which the field of each vertex lies.
  std::vector<std::set<unsigned>> parts(const image::Executable& executable, const std::string& field,
                                        bool regions = false) const {
    std::vector<std::set<unsigned>> all;
    const names::ProgramInfo& info = executable.chip().info;
    for (const names::Vertex& vertex : info.vertices)
      for (std::uint32_t f = vertex.first_field; f < vertex.first_field + vertex.fields; ++f) {
        const names::Field& at = info.fields[f];
        if (info.name(at.name) != field) continue;
        all.emplace_back();
        for (std::uint32_t address = at.address; address < at.address + at.bytes; address += 4)
          all.back().insert(regions ? address >= machine.region1_base : machine.element_of(address));
      }
    return all;
  }
  // How many vertices have a part in which both their fields lie.
  unsigned shared(const image::Executable& executable, bool regions = false) const {
    const auto a = parts(executable, "a", regions), b = parts(executable, "b", regions);
    unsigned count = 0;
    for (std::size_t v = 0; v < a.size(); ++v)
      count += std::any_of(a[v].begin(), a[v].end(), [&](unsigned part) { return b[v].contains(part); });
    return count;
  }
};

float run_and_read(Program& program, const TensorRef& out) {
  program.read_handle("result", out);
  ProgramRunner runner(program.compiled(), program.machine);
  runner.run(0);
  return runner.read<float>("result").at(0);
}

}  // namespace

TEST_CASE("a codelet that loads twice at once runs where it says what must be apart, and stops where it does not") {
  Program apart;
  const TensorRef out = apart.product("Dot", apart.floats("x", 10), apart.floats("y", 10));
  CHECK(apart.shared(apart.compiled()) == 0);
  CHECK(run_and_read(apart, out) == 40);
  Program free;  // exception 6 is clash (tile.md)
  const TensorRef other = free.product("Free", free.floats("x", 10), free.floats("y", 10));
  CHECK(free.shared(free.compiled()) == 1);
  CHECK_THROWS_WITH(run_and_read(free, other), ContainsText("tile 0 cause 6"));
}

TEST_CASE("fields lie in different regions, whichever of them must be in the second") {
  for (const bool swapped : {false, true}) {
    Program p;
    const TensorRef x = p.floats("x", 10), y = p.floats("y", 3000);
    const TensorRef out = swapped ? p.product("Across", y, slice(y, 0, 3000)) : p.product("Across", x, y);
    p.product("Across", x, x);
    CHECK(p.shared(p.compiled(), true) == 0);
    CHECK(run_and_read(p, out) == (swapped ? 12000 : 40));
  }
}

TEST_CASE("regions follow from pair to pair, and three that keep each other apart are refused") {
  Program p;
  std::vector<TensorRef> chain;
  for (std::size_t i = 0; i < 4; ++i) chain.push_back(p.floats("x", 20 + 10 * (i == 1 || i == 2)));
  const auto first = [&](std::size_t i) { return slice(chain[i], 0, 20); };
  p.product("Across", first(1), first(3));
  p.product("Across", first(0), first(3));
  const TensorRef out = p.product("Across", first(0), first(2));
  CHECK(p.shared(p.compiled(), true) == 0);
  CHECK(run_and_read(p, out) == 80);
  p.product("Across", first(2), first(3));
  CHECK_THAT(p.refusal(), ContainsText("no place meets constraint"));
}

TEST_CASE("pieces of one variable, the same data twice, and what comes from elsewhere are kept apart") {
  Program p;
  const TensorRef x = p.floats("x", 40), far = p.floats("far", 40, 1), near = p.floats("near", 20);
  const TensorRef pieces = p.product("Dot", slice(x, 0, 20), slice(x, 20, 40));
  p.product("Dot", x, x);
  p.product("Dot", slice(far, 0, 20), slice(far, 20, 40));
  p.product("Dot", far, far);
  p.product("Dot", slice(far, 20, 40), slice(far, 0, 20));  // the other way about
  p.product("Dot", near, slice(x, 0, 20));
  const image::Executable executable = p.compiled();
  CHECK(p.parts(executable, "a").size() == 6);
  CHECK(p.shared(executable) == 0);
  CHECK(run_and_read(p, pieces) == 80);
}

TEST_CASE("constants of equal bytes are not made one if that brings fields together") {
  Program p;
  TensorRef constants[2];
  for (TensorRef& constant : constants) {
    constant = p.variable("c", ElementType::kFloat, {{10, 0}});
    graph::Variable& variable = p.graph.variables.back();
    variable.constant = true;
    variable.constant_bytes = {0, 0, 0, 0x40};
  }
  const TensorRef out = p.product("Dot", constants[0], constants[1]);
  CHECK(p.shared(p.compiled()) == 0);
  CHECK(run_and_read(p, out) == 40);
}

TEST_CASE("data that live at times, and many vertices at once, are kept apart") {
  Program p;
  for (std::size_t v = 0; v < 40; ++v)
    p.product(v % 3 == 0 ? "Across" : "Dot", p.floats("x", 200 + 20 * v), p.floats("y", 200 + 20 * v, v % 2));
  for (const bool share : {false, true}) {
    GraphCompileOptions options;
    options.optimise.share_memory = share;
    const image::Executable executable = p.compiled(options);
    CHECK(p.parts(executable, "a").size() == 40);
    CHECK(p.shared(executable) == 0);
  }
}

TEST_CASE("where no place is far enough from another, the message says whose constraint asks for it") {
  Program p;
  const std::size_t elements = (p.machine.memory_bytes - (p.machine.region1_base - p.machine.memory_base)) / 4;
  const TensorRef x = p.floats("x", elements / 2 + 2000), y = p.floats("y", elements / 2 + 2000);
  p.product("Across", x, p.floats("z", 8));
  CHECK(p.refusal() == "fits");
  p.product("Across", y, x);
  CHECK_THAT(p.refusal(), ContainsText("bytes found no place; no place meets constraint 'region(*b) != region(*a)' "
                                       "of vertex 1 of type 'Across' in compute set 'products' on tile 0\n"));
  Program full;  // with or without constraints
  full.product("Across", full.floats("x", elements), full.floats("y", elements));
  CHECK_THAT(full.refusal(), ContainsText("bytes found no place\n"));
}
