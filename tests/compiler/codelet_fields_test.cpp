// Every kind of codelet and field: what a vertex sees in its state when it runs.
#include <catch2/catch.hpp>
#include <numeric>

#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

ProgramRunner start(const GraphBuilder& builder, const std::vector<ProgramRef>& programs) {
  const spec::Machine machine = spec::load_machine("mk2-4");
  return ProgramRunner(compiler::compile(builder.graph, programs, machine), machine);
}

std::vector<float> counting(std::size_t n, float first = 1) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("lists of regions and of single elements, local and remote") {
  GraphBuilder b(4);
  add_codelets(b, R"(
    struct Rows : Vertex {
      Vector<Input<Vector<float>>> rows; Vector<Input<float>> scales; Vector<Output<float>> sums;
      void compute() {
        for (unsigned r = 0; r < rows.size(); ++r) {
          float s = 0;
          for (unsigned i = 0; i < rows[r].size(); ++i) s += rows[r][i];
          *sums[r] = s * *scales[r];
        }
      }
    };)");
  const TensorRef m = b.variable("m", ElementType::kFloat, {{6, 0}, {6, 1}});
  const TensorRef scales = b.variable("scales", ElementType::kFloat, {{1, 1}, {2, 2}});
  const TensorRef sums = b.variable("sums", ElementType::kFloat, {{2, 3}, {1, 1}});
  b.write_handle("m", m);
  b.write_handle("scales", scales);
  b.read_handle("sums", sums);
  const auto set = add_compute_set(b, "rows");
  std::vector<Edge> edges;
  for (std::uint32_t r = 0; r < 3; ++r) {
    edges.push_back({"rows", slice(m, 4 * r, 4 * r + 4), r});
    edges.push_back({"scales", slice(scales, r, r + 1), r});
    edges.push_back({"sums", slice(sums, r, r + 1), r});
  }
  const auto vertex = add_vertex(b, set, "Rows", 1, edges);
  for (const char* field : {"rows", "scales", "sums"}) {
    const auto index = graph::find_field(b.graph.codelets[0].info, field);
    b.graph.vertices[vertex].sizes.push_back({static_cast<std::uint32_t>(index), 3});
  }
  ProgramRunner runner = start(b, {execute(set)});
  runner.write("m", counting(12));
  runner.write("scales", std::vector<float>{1, 10, 100});
  runner.run(0);
  CHECK(runner.read<float>("sums") == std::vector<float>{10, 260, 4200});
}

TEST_CASE("state keeps its initial value and what a vertex makes of it") {
  GraphBuilder b(4);
  add_codelets(b, R"(
    struct Append : Vertex {
      Output<Vector<unsigned>> out; unsigned index; Vector<unsigned> table;
      void compute() { out[index] = table[index % table.size()]; index += 1; table[0] += 5; }
    };)");
  const TensorRef out = b.variable("out", ElementType::kUnsignedInt, {{6, 2}});
  b.read_handle("out", out);
  const auto set = add_compute_set(b, "append");
  const auto vertex = add_vertex(b, set, "Append", 2, {{"out", out}});
  set_state(b, vertex, "index", 1);
  const auto table = graph::find_field(b.graph.codelets[0].info, "table");
  b.graph.vertices[vertex].values.push_back({static_cast<std::uint32_t>(table), {7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0}});
  ProgramRunner runner = start(b, {program(graph::Repeat{4, execute(set)})});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("out") == std::vector<std::uint32_t>{0, 8, 9, 17, 8, 0});
}

TEST_CASE("a MultiVertex runs once on each worker, a supervisor vertex once") {
  GraphBuilder b(4);
  add_codelets(b, R"(
    struct Each : MultiVertex {
      Output<Vector<unsigned>> out;
      void compute(unsigned worker) { out[worker] = 100 + worker; }
    };
    struct Super : SupervisorVertex {
      Input<Vector<unsigned>> in; InOut<unsigned> sum;
      __attribute__((target("no-f,no-d"))) bool compute() {
        for (unsigned i = 0; i < in.size(); ++i) *sum += in[i];
        return false;
      }
    };)");
  const TensorRef each = b.variable("each", ElementType::kUnsignedInt, {{6, 0}});
  const TensorRef sum = b.variable("sum", ElementType::kUnsignedInt, {{1, 3}});
  const TensorRef flag = b.variable("flag", ElementType::kBool, {{1, 1}});
  b.read_handle("each", each);
  b.handles("sum", sum);
  b.handles("flag", flag);
  const auto first = add_compute_set(b, "each"), second = add_compute_set(b, "sum");
  add_vertex(b, first, "Each", 0, {{"out", each}});
  add_vertex(b, second, "Super", 3, {{"in", each}, {"sum", sum}});
  ProgramRunner runner = start(b, {sequence({execute(first), execute(second, flag)})});
  runner.write("flag", std::vector<std::uint8_t>{1});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("each") == std::vector<std::uint32_t>{100, 101, 102, 103, 104, 105});
  CHECK(runner.read<std::uint32_t>("sum") == std::vector<std::uint32_t>{615});
  CHECK(runner.read<std::uint8_t>("flag") == std::vector<std::uint8_t>{0});
}

TEST_CASE("halves and bytes, constants, and regions aligned as the field asks") {
  GraphBuilder b(4);
  add_codelets(b, R"(
    struct Scale : Vertex {
      Input<Vector<half, VectorLayout::SPAN, 8>> in; Input<half> factor; Output<Vector<half>> out;
      Output<unsigned char> misaligned;
      void compute() {
        *misaligned = (unsigned)in.begin() % 8;
        for (unsigned i = 0; i < in.size(); ++i) out[i] = in[i] * *factor;
      }
    };)");
  const TensorRef in = b.variable("in", ElementType::kHalf, {{9, 0}, {3, 1}});
  const TensorRef factor = b.variable("factor", ElementType::kHalf, {{1, 2}});
  b.graph.variables[factor.view.first_variable()].constant = true;
  b.graph.variables[factor.view.first_variable()].constant_bytes = {0x00, 0x40};  // 2
  const TensorRef out = b.variable("out", ElementType::kHalf, {{12, 0}});
  const TensorRef bad = b.variable("bad", ElementType::kUnsignedChar, {{3, 0}});
  b.write_handle("in", in);
  b.read_handle("out", out);
  b.handles("bad", bad);
  const auto set = add_compute_set(b, "scale");
  add_vertex(
      b, set, "Scale", 0,
      {{"in", slice(in, 0, 5)}, {"factor", factor}, {"out", slice(out, 0, 5)}, {"misaligned", slice(bad, 0, 1)}});
  add_vertex(
      b, set, "Scale", 0,
      {{"in", slice(in, 5, 12)}, {"factor", factor}, {"out", slice(out, 5, 12)}, {"misaligned", slice(bad, 2, 3)}});
  ProgramRunner runner = start(b, {execute(set)});
  std::vector<std::uint16_t> ones(12, 0x3c00);
  runner.write("in", ones);
  runner.write("bad", std::vector<std::uint8_t>{77, 77, 77});
  runner.run(0);
  CHECK(runner.read<std::uint16_t>("out") == std::vector<std::uint16_t>(12, 0x4000));
  CHECK(runner.read<std::uint8_t>("bad") == std::vector<std::uint8_t>{0, 77, 0});
}

TEST_CASE("more vertices than one list of a worker holds") {
  GraphBuilder b(4);
  add_codelets(
      b, "struct Put : Vertex { Output<unsigned> out; unsigned v; bool compute() { *out = v; return v != 1500; } };");
  const TensorRef out = b.variable("out", ElementType::kUnsignedInt, {{2000, 1}});
  const TensorRef flag = b.variable("flag", ElementType::kInt, {{1, 2}});
  b.read_handle("out", out);
  b.read_handle("flag", flag);
  const auto set = add_compute_set(b, "put");
  for (std::uint32_t i = 0; i < 2000; ++i)
    set_state(b, add_vertex(b, set, "Put", 1, {{"out", slice(out, i, i + 1)}}), "v", i);
  ProgramRunner runner = start(b, {execute(set, flag)});
  runner.run(0);
  std::vector<std::uint32_t> expected(2000);
  std::iota(expected.begin(), expected.end(), 0u);
  CHECK(runner.read<std::uint32_t>("out") == expected);
  CHECK(runner.read<std::uint32_t>("flag") == std::vector<std::uint32_t>{0});
}
