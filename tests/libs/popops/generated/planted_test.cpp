// The judge can fail: a reference that is wrong is found out, its case shrunk to a few elements, and what is printed is
// a C++ program that compiles, runs and says the same.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tb/tier.h"
#include "tests/libs/popops/generated/judge.h"
#include "tests/libs/popops/generated/print_cpp.h"
#include "tests/program/printed_program.h"

using namespace popops_test;

namespace {

struct Planted {
  const char* what;
  const char* op;
  std::function<void(const Case&, Expectation&)> change;
  std::size_t most_elements;  // of all variables of the shrunk case
};

bool reversed(const View& view) {
  return std::any_of(view.ops.begin(), view.ops.end(), [](const ViewOp& op) { return op.is == ViewOp::Is::kReverse; });
}

Values& values_of(Expectation& e) { return e.results.empty() ? e.writes.begin()->second.values : e.results[0].values; }

const std::vector<Planted>& planted() {
  static const std::vector<Planted> all = {
      {"the third element of a sum is one more", "binary ADD",
       [](const Case&, Expectation& e) {
         Values& values = values_of(e);
         if (values.size() > 2) values[2] += 1;
       },
       12},
      {"the square of what is seen backwards is not that of its first element", "unary SQUARE",
       [](const Case& c, Expectation& e) {
         if (reversed(c.tensors[0]) && !values_of(e).empty()) values_of(e)[0] = -1;
       },
       2},
      {"a reduction over two dimensions loses an operand", "reduce ADD",
       [](const Case& c, Expectation& e) {
         if (c.list("dims").size() == 2 && !values_of(e).empty()) values_of(e)[0] += 1000;
       },
       6},
      {"a slice at the second element is that at the first", "dynamicSlice",
       [](const Case& c, Expectation& e) {
         const Values offsets = elements(c, 1).values;
         if (offsets.size() == 1 && offsets[0] == 1 && !values_of(e).empty()) values_of(e)[0] += 1;
       },
       8},
      {"an empty tensor has a dimension more", "cast",
       [](const Case&, Expectation& e) {
         for (Expected& result : e.results)
           if (result.values.empty()) result.shape.push_back(1);
       },
       0},
  };
  return all;
}

struct Found {
  std::uint64_t seed;
  Report report;
};

Found find(const Planted& mistake) {
  Judge judge([&](const Case& c) {
    Expectation e = operators()[c.op].reference(c);
    mistake.change(c, e);
    return e;
  });
  std::size_t op = 0;
  while (operators().at(op).name != mistake.op) ++op;
  for (std::uint64_t seed = 1; seed <= 400; seed += 40) {
    std::vector<Case> cases;
    for (std::uint64_t i = seed; i < seed + 40; ++i) {
      Choices choices(i);
      cases.push_back(draw(op, choices, false));
    }
    const std::vector<std::string> wrong = judge.judge(cases);
    for (std::size_t i = 0; i < wrong.size(); ++i)
      if (!wrong[i].empty()) return {seed + i, report(judge, cases[i], wrong[i], false)};
  }
  FAIL("not found: " << mistake.what);
  return {};
}

// Compiled against the public headers and the libraries alone.
tessera::test::Ran compile_and_run(const std::string& name, const std::string& text) {
  return tessera::test::compile_and_run(PRINTED_PROGRAMS, name, text, CXX_COMPILER " -std=c++11 -I " POPLAR_INCLUDE,
                                        LINK_LIBRARIES);
}

}  // namespace

TEST_CASE("a wrong reference is found out, and its case shrunk to a few elements") {
  for (const Planted& mistake : planted()) {
    const Found found = find(mistake);
    INFO(mistake.what << ", TESSERA_SEED=" << found.seed << ":\n" << found.report.cpp);
    std::size_t elements = 0, pieces = 0;
    for (const Variable& v : found.report.least.variables) {
      elements += v.values.size();
      pieces += v.mapping.size();
    }
    CHECK(elements <= mistake.most_elements);
    CHECK(pieces <= found.report.least.variables.size());
  }
}

TEST_CASE("a printed program compiles, and says what is wrong if something is") {
  const Found found = find(planted().front());
  const tessera::test::Ran wrong = compile_and_run("wrong", found.report.cpp);
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.output, Catch::Matchers::ContainsText(": element 2 is "));
}

TEST_CASE("cases of every operator are printed as they are") {
  Judge judge;
  for (std::size_t op = 0; op < operators().size(); op += tessera::test::in_tier(40, 1)) {
    Choices choices(op + 1);
    const Case c = draw(op, choices, false);
    const tessera::test::Ran ran =
        compile_and_run("case" + std::to_string(op), print_cpp(c, judge.expected(c), "printed"));
    INFO(operators()[op].name << "\n" << ran.output);
    CHECK(ran.status == 0);
  }
}
