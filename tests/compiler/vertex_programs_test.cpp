// Programs with codelets: compiled by clang, linked, laid out, run on model tiles.
#include <catch2/catch.hpp>
#include <numeric>

#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

ProgramRunner start(const GraphBuilder& builder, const std::vector<ProgramRef>& programs,
                    const std::string& machine_name = test_machine()) {
  const spec::Machine machine = spec::load_machine(machine_name);
  return ProgramRunner(compiler::compile(builder.graph, programs, machine), machine);
}

std::vector<float> counting(std::size_t n, float first = 1) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

const char* const kAdd = R"(
  struct Add : Vertex {
    Input<Vector<float>> a, b;
    Output<Vector<float>> out;
    void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = a[i] + b[i]; }
  };)";

}  // namespace

TEST_CASE("vertices work on local data in place") {
  GraphBuilder b(4);
  add_codelets(b, kAdd);
  const TensorRef x = b.variable("x", ElementType::kFloat, {{10, 0}, {10, 1}});
  const TensorRef y = b.variable("y", ElementType::kFloat, {{10, 0}, {10, 1}});
  const TensorRef z = b.variable("z", ElementType::kFloat, {{10, 0}, {10, 1}});
  b.write_handle("x", x);
  b.write_handle("y", y);
  b.read_handle("z", z);
  const auto set = add_compute_set(b, "add");
  for (std::uint32_t tile = 0; tile < 2; ++tile)
    for (std::size_t i = 0; i < 10; i += 1)
      add_vertex(b, set, "Add", tile,
                 {{"a", slice(x, 10 * tile + i, 10 * tile + i + 1)},
                  {"b", slice(y, 10 * tile + i, 10 * tile + i + 1)},
                  {"out", slice(z, 10 * tile + i, 10 * tile + i + 1)}});
  ProgramRunner runner = start(b, {execute(set)});
  runner.write("x", counting(20));
  runner.write("y", counting(20, 100));
  runner.run(0);
  const std::vector<float> result = runner.read<float>("z");
  for (std::size_t i = 0; i < 20; ++i) CHECK(result[i] == 101 + 2 * static_cast<float>(i));
}

TEST_CASE("remote and scattered edges are gathered before and scattered after") {
  GraphBuilder b(4);
  add_codelets(b, kAdd);
  const TensorRef x = b.variable("x", ElementType::kFloat, {{3, 0}, {4, 1}, {5, 2}});
  const TensorRef y = b.variable("y", ElementType::kFloat, {{12, 3}});
  const TensorRef z = b.variable("z", ElementType::kFloat, {{6, 1}, {6, 3}});
  b.write_handle("x", x);
  b.write_handle("y", y);
  b.read_handle("z", z);
  const auto set = add_compute_set(b, "add");
  const TensorRef reversed{y.type, y.view.reverse(0)};
  add_vertex(b, set, "Add", 2, {{"a", x}, {"b", reversed}, {"out", z}});
  ProgramRunner runner = start(b, {execute(set)});
  runner.write("x", counting(12));
  runner.write("y", counting(12, 100));
  runner.run(0);
  CHECK(runner.read<float>("z") == std::vector<float>(12, 112.0f));
}

TEST_CASE("an output that a copy gave a value keeps what its vertex leaves, wherever the copy took it from") {
  GraphBuilder b(4);
  add_codelets(b, R"(
    struct Fill : Vertex {
      Input<int> from; Output<Vector<int>> out;
      void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = from + i; }
    };
    struct Second : Vertex { Output<Vector<int>> out; void compute() { out[1] = 7; } };)");
  const auto four = [&](const std::string& name, std::uint32_t tile) {
    return b.variable(name, ElementType::kInt, {{4, tile}});
  };
  const TensorRef from = b.variable("from", ElementType::kInt, {{1, 0}});
  const TensorRef a = four("a", 1), out = four("out", 2), scrap = four("scrap", 2);
  const TensorRef ninety = b.variable("ninety", ElementType::kInt, {{1, 2}});
  b.initial(ninety, {90});
  b.handles("from", from);
  b.read_handle("out", out);
  const auto fill = add_compute_set(b, "fill"), between = add_compute_set(b, "between"),
             second = add_compute_set(b, "second");
  add_vertex(b, fill, "Fill", 0, {{"from", from}, {"out", a}});
  add_vertex(b, between, "Fill", 2, {{"from", ninety}, {"out", scrap}});
  add_vertex(b, second, "Second", 2, {{"out", out}});
  // Fill's output goes to a by way of a buffer; the copy then takes it from the buffer.
  ProgramRunner runner =
      start(b, {sequence({execute(fill), copy(a, out), program(graph::Repeat{2, execute(between)}), execute(second)})});
  runner.write("from", std::vector<std::int32_t>{40});
  runner.run(0);
  CHECK(runner.read<std::int32_t>("out") == std::vector<std::int32_t>{40, 7, 42, 43});
}
