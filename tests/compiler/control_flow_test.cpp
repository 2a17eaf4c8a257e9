// Control flow: which steps run how often, with predicates and selectors on any tile.
#include <catch2/catch.hpp>

#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

using Words = std::vector<std::uint32_t>;

// A counter on tile 1 with a codelet that adds to it, and one that says whether it is below a limit.
struct Counting : GraphBuilder {
  TensorRef count, limit, flag;
  graph::ComputeSetId step, below;

  explicit Counting(ElementType flag_type = ElementType::kBool) : GraphBuilder(4) {
    add_codelets(*this, R"(
      struct Step : Vertex { InOut<unsigned> count; bool compute() { *count += 1; return true; } };
      template <class T> struct Below : Vertex {
        Input<unsigned> count, limit; Output<T> flag;
        bool compute() { *flag = *count < *limit; return *count < *limit; }
      };
      template struct Below<bool>; template struct Below<unsigned short>; template struct Below<int>;
      struct Vote : Vertex { Input<unsigned> count, limit; bool compute() { return *count < *limit; } };)");
    count = variable("count", ElementType::kUnsignedInt, {{1, 1}});
    limit = variable("limit", ElementType::kUnsignedInt, {{1, 2}});
    flag = variable("flag", flag_type, {{3, 3}});
    flag = slice(flag, 1, 2);
    handles("count", count);
    write_handle("limit", limit);
    handles("flag", flag);
    step = add_compute_set(*this, "step");
    add_vertex(*this, step, "Step", 1, {{"count", count}});
    below = add_compute_set(*this, "below");
    add_vertex(*this, below, "Below<" + std::string(name_of(flag_type)) + ">", 2,
               {{"count", count}, {"limit", limit}, {"flag", flag}});
  }

  ProgramRunner start(const std::vector<ProgramRef>& programs) const {
    const spec::Machine machine = spec::load_machine(test_machine());
    return ProgramRunner(compiler::compile(graph, programs, machine), machine);
  }
};

Words one(std::uint32_t value) { return {value}; }

}  // namespace

TEST_CASE("Repeat runs its body the given number of times, nested too") {
  Counting g;
  const ProgramRef inner = program(graph::Repeat{3, execute(g.step)});
  ProgramRunner runner = g.start({program(graph::Repeat{5, sequence({inner, execute(g.step)})}),
                                  program(graph::Repeat{0, execute(g.step)}), inner});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(20));
  runner.run(1);
  CHECK(runner.read<std::uint32_t>("count") == one(20));
  runner.run(2);
  CHECK(runner.read<std::uint32_t>("count") == one(23));
}

TEST_CASE("RepeatWhile tests before each round") {
  const ElementType type = GENERATE(ElementType::kBool, ElementType::kUnsignedShort, ElementType::kInt);
  Counting g(type);
  ProgramRunner runner = g.start({program(graph::RepeatWhile{execute(g.below), g.flag, true, execute(g.step)}),
                                  program(graph::RepeatWhile{execute(g.below), g.flag, false, execute(g.step)})});
  runner.write("limit", one(7));
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(7));
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(7));
  runner.write("limit", one(9));
  runner.run(1);
  CHECK(runner.read<std::uint32_t>("count") == one(7));
}

TEST_CASE("If takes one of its bodies") {
  Counting g(ElementType::kInt);
  const ProgramRef twice = sequence({execute(g.step), execute(g.step)});
  ProgramRunner runner = g.start({program(graph::If{g.flag, twice, execute(g.step)})});
  runner.write("flag", one(0x10000));
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(2));
  runner.write("flag", one(0));
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(3));
}

TEST_CASE("Switch takes the case of its selector, else the default") {
  Counting g(ElementType::kInt);
  const auto times = [&](std::uint32_t n) { return program(graph::Repeat{n, execute(g.step)}); };
  ProgramRunner runner =
      g.start({program(graph::Switch{g.flag, {{0, times(1)}, {-5, times(10)}, {70000, times(100)}}, times(1000)})});
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> cases{
      {0, 1}, {static_cast<std::uint32_t>(-5), 11}, {70000, 111}, {3, 1111}};
  for (const auto& [selector, count] : cases) {
    runner.write("flag", one(selector));
    runner.run(0);
    CHECK(runner.read<std::uint32_t>("count") == one(count));
  }
}

TEST_CASE("functions are called from several places and from each other") {
  Counting g;
  g.graph.functions.push_back({sequence({execute(g.step), execute(g.step)})});
  g.graph.functions.push_back({sequence({program(graph::Call{0}), execute(g.step), program(graph::Call{0})})});
  ProgramRunner runner = g.start({sequence(
      {program(graph::Call{1}), program(graph::Call{0}), program(graph::Repeat{2, program(graph::Call{1})})})});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(17));
}

TEST_CASE("Execute with a predicate stores whether every vertex returned true") {
  Counting g(ElementType::kInt);
  const auto vote = add_compute_set(g, "vote");
  const TensorRef limits = g.variable("limits", ElementType::kUnsignedInt, {{3, 0}, {3, 2}});
  g.write_handle("limits", limits);
  for (std::size_t i = 0; i < 6; ++i)
    add_vertex(g, vote, "Vote", i < 3 ? 0 : 2, {{"count", g.count}, {"limit", slice(limits, i, i + 1)}});
  ProgramRunner runner = g.start({execute(vote, g.flag)});
  runner.write("limits", Words{1, 1, 1, 1, 1, 1});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("flag") == one(1));
  for (std::size_t i = 0; i < 6; ++i) {
    Words all(6, 1);
    all[i] = 0;
    runner.write("limits", all);
    runner.run(0);
    CHECK(runner.read<std::uint32_t>("flag") == one(0));
  }
}

TEST_CASE("AbortOnCondition ends the run with its message, or does nothing") {
  Counting g(ElementType::kInt);
  ProgramRunner runner =
      g.start({sequence({program(graph::AbortOnCondition{g.flag, "flag was set"}), execute(g.step)})});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(1));
  runner.write("flag", one(1));
  CHECK_THROWS_WITH(runner.run(0), "abort: flag was set");
}
