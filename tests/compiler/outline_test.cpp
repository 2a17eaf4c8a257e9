// Equal steps held once: results, cycles, names of steps, and what is left of the code.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "compiler/passes/compile.h"
#include "compiler/passes/control/repeats.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "program/followed_steps.h"
#include "tb/random/random.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/equal_layers.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;
using compiler::Outlining;

namespace {

// The names of the steps that each tile's supervisor is in, one after the other.
class StepWatch : public chip::Observer {
 public:
  StepWatch(const names::ProgramInfo& program, std::uint32_t tiles) : steps_(program), seen(tiles) {}

  void retire(unsigned tile, const chip::Retire& r) override {
    if (r.context != 0) return;
    const std::string& name =
        steps_.retire(tile, r.pc, r.reg_write && !r.reg_float ? r.reg : 0, static_cast<std::uint32_t>(r.reg_data));
    if (!name.empty() && (seen[tile].empty() || seen[tile].back() != name)) seen[tile].push_back(name);
  }

 private:
  names::FollowedSteps steps_;

 public:
  std::vector<std::vector<std::string>> seen;
};

struct Ran {
  std::vector<std::int32_t> x;
  std::vector<std::vector<std::string>> steps;
  std::uint64_t cycles = 0, control = 0;
};

Ran run(const GraphBuilder& builder, const ProgramRef& program, Outlining outline) {
  const spec::Machine machine = spec::load_machine(test_machine());
  compiler::GraphCompileOptions options;
  options.optimise.outline = outline;
  ProgramRunner runner(compiler::compile(builder.graph, {program}, machine, options), machine);
  StepWatch watch(runner.executable().chip().info, machine.tiles());
  runner.chip().observe(&watch);
  Ran ran;
  const std::uint64_t before = runner.chip().cycle();
  runner.run(0);
  ran.cycles = runner.chip().cycle() - before;
  runner.chip().observe(nullptr);
  ran.steps = watch.seen;
  ran.x = runner.read<std::int32_t>("x");
  for (const image::TileUsage& tile : runner.executable().chip().usage) ran.control += tile.control;
  return ran;
}

// "": there is none.
std::string first_difference(const Ran& a, const Ran& b) {
  for (std::size_t tile = 0; tile < a.steps.size(); ++tile) {
    const auto [x, y] =
        std::mismatch(a.steps[tile].begin(), a.steps[tile].end(), b.steps[tile].begin(), b.steps[tile].end());
    if (x == a.steps[tile].end() && y == b.steps[tile].end()) continue;
    return "tile " + std::to_string(tile) + ", step " + std::to_string(x - a.steps[tile].begin()) + ": " +
           (x == a.steps[tile].end() ? "end" : *x) + ", " + (y == b.steps[tile].end() ? "end" : *y);
  }
  return "";
}

constexpr std::uint32_t kTiles = 4, kEach = 8;  // elements of a variable on each tile

struct Shape {  // of a step, the same in all layers
  enum class Is { kCopy, kWork, kManyVertices, kSupervisor, kPredicate };
  Is is;
  std::uint32_t tile, other, begin, end;
};

// Random layers of a few equal shapes, with something else between them here and there, in a Repeat, in a function.
class RandomLayers {
 public:
  explicit RandomLayers(std::uint64_t seed) : random_(seed), builder(kTiles) {
    add_codelets(builder, R"(
      struct Add : Vertex {
        InOut<Vector<int>> a; Input<Vector<int>> b;
        void compute() { for (unsigned i = 0; i < a.size(); ++i) a[i] += 3 * b[i] + 1; }
      };
      struct Mix : SupervisorVertex {
        InOut<int> a; Input<int> b;
        bool compute() { *a = (*a << 1 ^ *b) + 7; return true; }
      };
      struct Odd : Vertex { Input<int> a; bool compute() { return *a & 1; } };)");
    x_ = variable("x");
    builder.handles("x", x_);
    flag_ = builder.variable("flag", ElementType::kInt, {{1, 0}});
    std::vector<std::vector<Shape>> kinds(1 + below(2));
    for (auto& shapes : kinds) {
      shapes.resize(1 + below(6));
      for (Shape& shape : shapes) shape = this->shape();
    }
    std::vector<ProgramRef> steps;
    const unsigned groups = 1 + below(3);
    for (unsigned g = 0; g < groups; ++g) steps.push_back(group(kinds[below(kinds.size())]));
    program = sequence(std::move(steps));
  }

 private:
  std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }

  TensorRef variable(const std::string& name) {
    std::vector<std::pair<std::size_t, std::uint32_t>> parts;
    std::vector<std::uint32_t> values;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) parts.push_back({kEach, tile});
    for (std::uint32_t i = 0; i < kTiles * kEach; ++i) values.push_back(static_cast<std::uint32_t>(random_()));
    const TensorRef made = builder.variable(name, ElementType::kInt, parts);
    builder.initial(made, values);
    return made;
  }

  Shape shape() {
    Shape s{static_cast<Shape::Is>(below(5)), below(kTiles), below(kTiles), below(kEach), 0};
    s.end = s.begin + 1 + below(kEach - s.begin);
    return s;
  }

  ProgramRef group(const std::vector<Shape>& shapes) {
    std::vector<ProgramRef> steps;
    const unsigned layers = 2 + below(30);
    for (unsigned n = 0; n < layers; ++n) {
      layer(shapes, steps);
      if (below(12) == 0) layer({shape()}, steps);
    }
    ProgramRef all = sequence(std::move(steps));
    if (below(3) == 0) all = test::program(graph::Repeat{2 + below(2), all});
    if (below(3) != 0) return all;
    builder.graph.functions.push_back({all});
    const auto function = static_cast<graph::FunctionId>(builder.graph.functions.size() - 1);
    return sequence({test::program(graph::Call{function}), test::program(graph::Call{function})});
  }

  void layer(const std::vector<Shape>& shapes, std::vector<ProgramRef>& steps) {
    const std::string name = "layer" + std::to_string(layers_++);
    const TensorRef y = variable(name);
    for (std::size_t n = 0; n < shapes.size(); ++n) steps.push_back(step(shapes[n], y, name + "/" + std::to_string(n)));
  }

  ProgramRef step(const Shape& s, const TensorRef& y, const std::string& name) {
    const auto part = [&](const TensorRef& t, std::uint32_t tile, std::uint32_t begin, std::uint32_t end) {
      return slice(t, tile * kEach + begin, tile * kEach + end);
    };
    if (s.is == Shape::Is::kCopy)
      return test::program(graph::Copy{part(y, s.other, s.begin, s.end), part(x_, s.tile, s.begin, s.end)}, name);
    const auto set = add_compute_set(builder, name);
    switch (s.is) {
      case Shape::Is::kWork:
        add_vertex(builder, set, "Add", s.tile,
                   {{"a", part(x_, s.tile, s.begin, s.end)}, {"b", part(y, s.other, s.begin, s.end)}});
        break;
      case Shape::Is::kManyVertices:
        for (std::uint32_t i = 0; i < kEach; ++i)
          add_vertex(builder, set, "Add", (s.tile + i / 6) % kTiles,
                     {{"a", part(x_, (s.tile + i / 6) % kTiles, i, i + 1)}, {"b", part(y, s.other, i, i + 1)}});
        break;
      case Shape::Is::kSupervisor:
        add_vertex(builder, set, "Mix", s.tile,
                   {{"a", part(x_, s.tile, s.begin, s.begin + 1)}, {"b", part(y, s.tile, s.begin, s.begin + 1)}});
        break;
      default:
        add_vertex(builder, set, "Odd", s.tile, {{"a", part(y, s.tile, s.begin, s.begin + 1)}});
        return sequence({execute(set, flag_), copy(flag_, part(x_, s.other, s.begin, s.begin + 1))});
    }
    return execute(set);
  }

  std::mt19937_64 random_;
  TensorRef x_, flag_;
  unsigned layers_ = 0;

 public:
  GraphBuilder builder;
  ProgramRef program;
};

}  // namespace

// TESSERA_SEED and TESSERA_PROGRAMS as for random graphs.
TEST_CASE("random layers give the same, under the same names, in as many cycles when equal steps are held once") {
  std::uint64_t straight_bytes = 0, outlined_bytes = 0, smallest_bytes = 0;
  const std::uint64_t first = seed_from_environment(1);
  const char* limit = std::getenv("TESSERA_PROGRAMS");
  const std::uint64_t programs = limit != nullptr ? std::strtoull(limit, nullptr, 0) : 60;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    const RandomLayers layers(seed);
    const Ran straight = run(layers.builder, layers.program, Outlining::kOff);
    const Ran outlined = run(layers.builder, layers.program, Outlining::kFree);
    INFO("seed " << seed);
    REQUIRE(outlined.x == straight.x);
    CHECK(first_difference(outlined, straight) == "");
    // Registers of loops that nothing hides are set, some cycles each.
    CHECK(outlined.cycles <= straight.cycles + straight.cycles / 500 + 16);
    CHECK(outlined.control <= straight.control);
    const Ran smallest = run(layers.builder, layers.program, Outlining::kSmallest);
    REQUIRE(smallest.x == straight.x);
    CHECK(first_difference(smallest, straight) == "");
    straight_bytes += straight.control;
    smallest_bytes += smallest.control;
    outlined_bytes += outlined.control;
  }
  CHECK(2 * outlined_bytes < straight_bytes);
  CHECK(smallest_bytes < outlined_bytes);
}

TEST_CASE("steps that load nothing different are written out while they fit, and held once when they do not") {
  const spec::Machine machine = spec::load_machine(test_machine());
  const auto compiled = [&](std::uint32_t steps, Outlining outline) {
    GraphBuilder builder(kTiles);
    add_codelets(builder, R"(
      struct Count : Vertex {
        InOut<int> a;
        void compute() { *a += 1; }
      };)");
    const TensorRef a = builder.variable("a", ElementType::kInt, {{1, 0}});
    builder.handles("a", a);
    const auto set = add_compute_set(builder, "count");
    add_vertex(builder, set, "Count", 0, {{"a", a}});
    std::vector<ProgramRef> all;
    for (std::uint32_t n = 0; n < steps; ++n) all.push_back(execute(set));
    compiler::GraphCompileOptions options;
    options.optimise.outline = outline;
    return compiler::compile(builder.graph, {sequence(std::move(all))}, machine, options);
  };
  const auto control = [](const image::Executable& executable) { return executable.chip().usage[0].control; };
  CHECK(control(compiled(100, Outlining::kFree)) > 1000);
  CHECK(control(compiled(100, Outlining::kSmallest)) < 500);
  constexpr std::uint32_t kMany = 30'000;
  CHECK_THROWS_AS(compiled(kMany, Outlining::kOff), compiler::OutOfTileMemory);
  ProgramRunner runner(compiled(kMany, Outlining::kFree), machine);
  CHECK(control(runner.executable()) < 4000);
  runner.write("a", std::vector<std::int32_t>{5});
  runner.run(0);
  CHECK(runner.read<std::int32_t>("a") == std::vector<std::int32_t>{5 + kMany});
}

TEST_CASE("periods of parts of a sequence are found, also of those in which every key stands several times") {
  const auto has = [](const std::vector<std::uint32_t>& keys, std::uint32_t period) {
    const std::vector<std::uint32_t> periods = compiler::likely_periods(compiler::rank_pieces(keys));
    return std::find(periods.begin(), periods.end(), period) != periods.end();
  };
  std::vector<std::uint32_t> keys;
  for (unsigned n = 0; n < 20; ++n) keys.insert(keys.end(), {1, 1, 2, 2});
  CHECK(has(keys, 4));
  for (unsigned n = 0; n < 500; ++n) keys.push_back(100 + n);
  for (unsigned n = 0; n < 30; ++n) {
    for (unsigned k = 0; k < 10; ++k) keys.push_back(5);
    keys.push_back(6);
  }
  CHECK(has(keys, 4));
  CHECK(has(keys, 11));
  CHECK(has(keys, 1));
  CHECK(compiler::rank_pieces({7, 8, 9}).empty());
}

TEST_CASE("a hundred layers of ten compute sets take the control code of a few") {
  const EqualLayers shape{kTiles, 100, 10, true};
  const EqualLayersProgram p = build_layers(shape);
  const spec::Machine machine = spec::load_machine(test_machine());
  const image::Executable executable = compiler::compile(p.builder.graph, {p.program}, machine);
  for (const image::TileUsage& tile : executable.chip().usage) CHECK(tile.control < 2000);
  ProgramRunner runner(executable, machine);
  const std::vector<std::int32_t> x = {3, -1, 4, 1};
  runner.write("x", x);
  runner.run(0);
  CHECK(runner.read<std::int32_t>("x") == run_layers(shape, x));
}

TEST_CASE("code of several steps is named by its table, and by all of them without it") {
  const EqualLayersProgram p = build_layers({kTiles, 50, 4, false});
  const spec::Machine machine = spec::load_machine(test_machine());
  const image::Executable executable = compiler::compile(p.builder.graph, {p.program}, machine);
  const names::ProgramInfo& info = executable.chip().info;
  std::size_t several = 0;
  for (const names::Step& step : info.steps) {
    if (step.calls == 0) continue;
    ++several;
    CHECK(info.step_text(&step, std::nullopt) ==
          "one of " + std::to_string(step.calls) + " like '" + info.name(step.what) + "'");
    CHECK(info.step_text(&step, 0) == info.step_text(&step, std::nullopt));
    const names::StepCall& call = info.calls[step.first_call + step.calls / 2];
    CHECK(info.step_text(&step, call.table) == info.name(call.what));
  }
  CHECK(several > 0);
}
