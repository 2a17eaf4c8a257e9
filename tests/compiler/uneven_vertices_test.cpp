// Vertices that take differently long, on one tile: what they are thought to take, and how the workers share them.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <numeric>

#include "compiler/passes/compile.h"
#include "compiler/passes/lower/lower_programs.h"
#include "compiler/passes/vertices/vertex_costs.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::compiler;
using namespace tessera::test;

namespace {

const char* const kCodelets = R"(
  #include <cmath>
  struct Fill : Vertex {
    Output<Vector<float>> out;
    void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = 1; }
  };
  struct Clear : Vertex {  // becomes a call of memset()
    Output<Vector<float>> out;
    void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = 0; }
  };
  struct Powers : Vertex {  // calls a function for each element
    Input<Vector<float>> in; Output<Vector<float>> out;
    void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = std::cbrt(in[i]); }
  };
  struct Pairs : Vertex {  // two elements a turn, and what they leave over
    Input<Vector<float, VectorLayout::SPAN, 8>> in; Output<Vector<float>> out;
    void compute() {
      unsigned i = 0;
      const float *f = &in[0];
      float *t = &out[0];
      for (; i + 2 <= out.size(); i += 2, f += 2, t += 2) { t[0] = f[0] * 5; t[1] = f[1] * 7; }
      for (; i < out.size(); ++i, ++f, ++t) *t = *f * 5;
    }
  };
  struct Narrow : Vertex {
    Input<Vector<half>> in; Output<Vector<float>> out;
    void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = float(in[i]) * 3 + 1; }
  };
  struct Roots : Vertex {
    Input<Vector<float>> in; Output<Vector<float>> out;
    void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = std::sqrt(in[i]) / (in[i] + 1); }
  };
  struct Newton : Vertex {  // turns that the code tells: no edge does
    Input<float> in; Output<float> out;
    void compute() { float x = *in; for (unsigned i = 0; i < 300; ++i) x = 0.5f * (x + 2 / x); *out = x; }
  };
  struct Rows : Vertex {
    Vector<Input<Vector<float>>> in; Output<Vector<float>> out;
    void compute() {
      for (unsigned r = 0; r < in.size(); ++r) {
        float sum = 0;
        for (unsigned i = 0; i < in[r].size(); ++i) sum += in[r][i] * in[r][i];
        out[r] = sum;
      }
    }
  };
  struct MatVec : Vertex {
    Input<Vector<float>> m, v; Output<Vector<float>> out;
    void compute() {
      for (unsigned r = 0; r < out.size(); ++r) {
        float sum = 0;
        for (unsigned i = 0; i < v.size(); ++i) sum += m[r * v.size() + i] * v[i];
        out[r] = sum;
      }
    }
  };)";

// Issue slots from the first instruction of a worker to the last.
struct Watch : chip::Observer {
  std::uint64_t first = 0, last = 0;
  void retire(unsigned, const chip::Retire& r) override {
    if (r.context == 0) return;
    if (first == 0) first = r.cycle;
    last = std::max(last, r.cycle);
  }
  std::uint64_t slots() const { return (last - first) / 6; }
};

// A compute set of tile 0 of vertices that are of different kinds and sizes.
struct Uneven : GraphBuilder {
  spec::Machine machine = spec::load_machine("mk2-4");
  graph::ComputeSetId set;

  Uneven() : GraphBuilder(4), set(add_compute_set(*this, "uneven")) { add_codelets(*this, kCodelets); }

  TensorRef floats(std::size_t n, ElementType type = ElementType::kFloat) {
    const TensorRef made = variable("", type, {{n, 0}});
    if (type == ElementType::kFloat) initial(made, std::vector<std::uint32_t>(n, 0x40490fdb));
    return made;
  }
  void add(const std::string& codelet, const std::vector<Edge>& edges) { add_vertex(*this, set, codelet, 0, edges); }
  void fill(std::size_t n) { add("Fill", {{"out", floats(n)}}); }
  void narrow(std::size_t n) { add("Narrow", {{"in", floats(n, ElementType::kHalf)}, {"out", floats(n)}}); }
  void clear(std::size_t n) { add("Clear", {{"out", floats(n)}}); }
  void unary(const std::string& codelet, std::size_t n) { add(codelet, {{"in", floats(n)}, {"out", floats(n)}}); }
  void newton() { add("Newton", {{"in", floats(1)}, {"out", floats(1)}}); }
  void rows(std::uint32_t n, std::size_t each) {
    std::vector<Edge> edges{{"out", floats(n)}};
    for (std::uint32_t i = 0; i < n; ++i) edges.push_back({"in", floats(each), i});
    add("Rows", edges);
  }
  void mat_vec(std::size_t n, std::size_t m) {
    add("MatVec", {{"m", floats(n * m)}, {"v", floats(m)}, {"out", floats(n)}});
  }

  std::uint64_t measured() const {
    ProgramRunner runner(compiler::compile(graph, {execute(set)}, machine), machine);
    Watch watch;
    runner.chip().observe(&watch);
    runner.run(0);
    return watch.slots();
  }
  ir::Program costed() const {
    ir::Program program = lower_programs(graph, {execute(set)}, machine.tiles());
    estimate_costs(graph, link_text(graph, program, machine), program, 1);
    return program;
  }
};

using AddVertex = std::function<void(Uneven&)>;
const std::vector<std::pair<std::string, AddVertex>> kVertices = {
    {"Fill 1500", [](Uneven& u) { u.fill(1500); }},
    {"Fill 900", [](Uneven& u) { u.fill(900); }},
    {"Narrow 400", [](Uneven& u) { u.narrow(400); }},
    {"Roots 300", [](Uneven& u) { u.unary("Roots", 300); }},
    {"Roots 120", [](Uneven& u) { u.unary("Roots", 120); }},
    {"Newton", [](Uneven& u) { u.newton(); }},
    {"Newton", [](Uneven& u) { u.newton(); }},
    {"Rows 20 x 60", [](Uneven& u) { u.rows(20, 60); }},
    {"Rows 200 x 2", [](Uneven& u) { u.rows(200, 2); }},
    {"MatVec 30 x 40", [](Uneven& u) { u.mat_vec(30, 40); }},
    {"Clear 3000", [](Uneven& u) { u.clear(3000); }},
    {"Powers 20", [](Uneven& u) { u.unary("Powers", 20); }},
    {"Pairs 301", [](Uneven& u) { u.unary("Pairs", 301); }},
    {"MatVec 10 x 10", [](Uneven& u) { u.mat_vec(10, 10); }}};

// The least that the busiest of six workers has to do: all assignments are tried, but for those that cannot be better.
std::uint64_t best_of(std::vector<std::uint64_t> slots) {
  std::sort(slots.rbegin(), slots.rend());
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, 6> load{};
  const std::function<void(std::size_t)> place = [&](std::size_t vertex) {
    const std::uint64_t most = *std::max_element(load.begin(), load.end());
    if (most >= best) return;
    if (vertex == slots.size()) {
      best = most;
      return;
    }
    for (std::uint64_t& worker : load) {
      worker += slots[vertex];
      place(vertex + 1);
      worker -= slots[vertex];
      if (worker == 0) break;  // workers with nothing to do are alike
    }
  };
  place(0);
  return best;
}

}  // namespace

TEST_CASE("what a vertex takes is estimated from its code and its edges") {
  for (const auto& [name, add] : kVertices) {
    Uneven one;
    add(one);
    const double measured = static_cast<double>(one.measured());
    const double estimated = one.costed().computes[0].vertices[0].cost;
    INFO(name << ": " << measured << " slots, estimated " << estimated);
    CHECK(estimated > 0.7 * measured);
    CHECK(estimated < 1.4 * measured);
  }
}

TEST_CASE("uneven vertices are shared out so that the busiest worker has little more than need be") {
  Uneven all;
  std::vector<std::uint64_t> alone;
  for (const auto& [name, add] : kVertices) {
    add(all);
    Uneven one;
    add(one);
    alone.push_back(one.measured());
  }
  const std::uint64_t best = best_of(alone), by_code = all.measured();
  // By nothing but the number of elements.
  for (const ir::Vertex& vertex : lower_programs(all.graph, {execute(all.set)}, 4).computes[0].vertices)
    all.graph.estimates[vertex.id] = {vertex.cost, 0};
  const std::uint64_t by_elements = all.measured();
  INFO("slots of the compute set: best " << best << ", by code " << by_code << ", by elements " << by_elements);
  CHECK(static_cast<double>(by_code) < 1.1 * static_cast<double>(best));
  CHECK(by_code < by_elements);
}

TEST_CASE("what the program says of a vertex goes before what its code says") {
  Uneven u;
  for (int i = 0; i < 6; ++i) u.fill(10);
  u.newton();
  u.graph.estimates[6] = {1, 0};
  u.graph.estimates[2] = {50'000'000'000, 0};
  const std::vector<ir::Vertex> vertices = u.costed().computes[0].vertices;
  CHECK(vertices[6].cost == 1);
  CHECK(vertices[2].cost == 0xffffffff);
  CHECK(vertices[0].cost == vertices[5].cost);
}
