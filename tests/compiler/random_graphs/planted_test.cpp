// The judge can fail: mistakes of a compiler, planted, are found and shrunk to a few lines, and what is printed of them
// is a C++ program that compiles, runs and says the same.
#include <stdlib.h>
#include <algorithm>
#include <catch2/catch.hpp>

#include "tb/tier.h"
#include "tests/compiler/random_graphs/generate.h"
#include "tests/compiler/random_graphs/judge.h"
#include "tests/compiler/random_graphs/print_cpp.h"
#include "tests/compiler/random_graphs/view_elements.h"
#include "tests/program/printed_program.h"

using namespace tessera::test;

namespace {

// A mistake at every step of the sort that `change` takes.
Miscompile in_steps(const std::function<void(Step&)>& change) {
  return [change](const Recipe& recipe) {
    Recipe wrong = recipe;
    std::vector<Body*> all = bodies(wrong);
    std::reverse(all.begin(), all.end());  // those inside first: a change may take them away
    for (Body* body : all)
      for (Step& step : *body) change(step);
    return wrong;
  };
}

Miscompile in_views(const std::function<void(View&)>& change) {
  return [change](const Recipe& recipe) {
    Recipe wrong = recipe;
    for (View* view : views(wrong)) change(*view);
    return wrong;
  };
}

struct Planted {
  const char* what;
  Miscompile miscompile;
};

const std::vector<Planted>& planted() {
  using Is = Step::Is;
  static const std::vector<Planted> all = {
      {"reverse() is forgotten", in_views([](View& view) {
         std::erase_if(view.ops, [](const ViewOp& op) { return op.is == ViewOp::Is::kReverse; });
       })},
      {"a slice at an odd element begins one before it", in_views([](View& view) {
         for (ViewOp& op : view.ops)
           if (op.is == ViewOp::Is::kSlice && op.at[0] % 2 == 1 && op.at[1] > op.at[0]) --op.at[0], --op.at[1];
       })},
      {"Repeat turns once too often", in_steps([](Step& step) {
         if (step.is == Is::kRepeat) ++step.number;
       })},
      {"If takes the wrong side", in_steps([](Step& step) {
         if (step.is == Is::kIf) std::swap(step.bodies[0], step.bodies[1]);
       })},
      {"a Switch has no default", in_steps([](Step& step) {
         if (step.is == Is::kSwitch) step.bodies.back().clear();
       })},
      {"the last vertex of a compute set does not run",
       [](const Recipe& recipe) {
         Recipe wrong = recipe;
         for (ComputeSet& set : wrong.compute_sets)
           if (set.vertices.size() > 1) set.vertices.pop_back();
         return wrong;
       }},
      {"a function is called with its first step alone",
       [](const Recipe& recipe) {
         Recipe wrong = recipe;
         for (Body& function : wrong.functions) function.resize(std::min<std::size_t>(function.size(), 1));
         return wrong;
       }},
  };
  return all;
}

struct Found {
  std::uint64_t seed;
  Report report;
};

Found find(const Planted& mistake) {
  Judge judge({"default", {}}, mistake.miscompile);
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Recipe recipe = random_recipe(seed);
    const auto failure = judge.judge(recipe);
    if (failure && failure->sort == "wrong value") return {seed, report(judge, recipe, *failure)};
  }
  FAIL("not found: " << mistake.what);
  return {};
}

// Compiled against the public headers and the libraries alone.
Ran compile_and_run(const std::string& name, const std::string& text) {
  return tessera::test::compile_and_run(PRINTED_PROGRAMS, name, text, CXX_COMPILER " -std=c++11 -I " POPLAR_INCLUDE,
                                        "-L " POPLAR_LIBRARY " -lpoplar -Wl,-rpath," POPLAR_LIBRARY);
}

}  // namespace

TEST_CASE("planted mistakes are found and shrunk to a few lines") {
  for (const Planted& mistake : planted()) {
    const Found found = find(mistake);
    const std::string lines = print_graph(found.report.smallest);
    INFO(mistake.what << ", seed " << found.seed << ":\n" << lines);
    CHECK(std::count(lines.begin(), lines.end(), '\n') <= 30);
  }
}

TEST_CASE("a printed program compiles, and says what is wrong if something is") {
  const Planted& mistake = planted().front();
  const Recipe small = find(mistake).report.smallest;
  const Interpretation wanted = interpret(small);
  const Ran right = compile_and_run("right", print_cpp(small, wanted, option_sets()[0]));
  INFO(right.output);
  CHECK(right.status == 0);
  const Ran wrong = compile_and_run("wrong", print_cpp(mistake.miscompile(small), wanted, option_sets()[0]));
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.output, Catch::Matchers::ContainsText(": element "));
}

TEST_CASE("random graphs are printed as they are") {
  const std::uint64_t programs = in_tier(4, 60);
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const Recipe recipe = random_recipe(seed);
    const OptionSet options = {"two options", {{"target.computeBudget", "0"}, {"target.hostSyncTimeout", "3"}}};
    const std::string text = print_cpp(recipe, interpret(recipe), options);
    const Ran ran = compile_and_run("seed" + std::to_string(seed), text);
    INFO("TESSERA_SEED=" << seed << "\n" << ran.output << text);
    CHECK(ran.status == 0);
  }
}
