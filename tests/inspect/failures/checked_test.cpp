// What a checked build of codelets finds, and how it is told, on model and RTL; a plain build has none of it.
#include <catch2/catch.hpp>

#include "compiler/codelet/checked_library.h"
#include "compiler/codelet/codelet_error.h"
#include "compiler/codelet/compile.h"
#include "sim/engine/model_chip.h"
#include "tests/compiler/codelet_source.h"
#include "tests/inspect/failures/codelet_file.h"
#include "tests/inspect/failures/planted.h"
#ifdef TESSERA_HAS_RTL
#include "sim/engine/rtl_chip.h"
#endif

using namespace tessera;
using namespace tessera::test;

namespace {

struct Row {
  const char* codelet;
  std::vector<std::string> told;
  std::string context = "worker 0";
};

const std::vector<Row> kRows = {
    {"BeyondInput", {"index 12 of input 'in' (net/x[0..7]", "which has 8 elements"}},
    {"BeyondOutput", {"index 4 of output 'out' (net/y[0..3]", "which has 4 elements"}},
    {"BeforeInput", {"index -1 of input 'in'"}},
    {"BeyondUnsized", {"index 12 of input 'unsized' (net/u[0..3]", "which has 4 elements"}},
    {"BeyondRow", {"index 12 of input 'rows[1]' (net/r[3..5]", "which has 3 elements"}},
    {"BeyondList", {"index 12 of list 'rows', which has 2 vectors"}},
    {"FrontOfNone", {"index 0 of input 'none'", "which has 0 elements"}},
    {"InFunction", {"index 12 of input 'in'"}},
    {"BeyondArray", {"index 12 of an array of type 'int[4]'"}},
    {"BeyondStdArray", {"assertion `__n < this->size()` of the C++ library"}},
    {"Asserts", {"assertion `n < 8 && \"too far\"` of ", "checked_codelets.cpp:"}},
    {"NullPointer", {"null pointer: a load of type 'const int'"}},
    {"Misaligned", {"misaligned pointer 0x", "a load of type 'const short' needs a multiple of 2"}},
    {"DividesByZero", {"division of 12 by zero"}},
    {"NoReturn", {"the end of a function that returns a value"}},
    {"BadBool", {"value 12 of type 'const bool', which has no such value"}},
    {"OfSupervisor", {"index 12 of input 'in'"}, "supervisor"},
};

Planted planted(const Row& row, bool check) {
  Planted p;
  p.name = row.codelet;
  GraphBuilder& b = p.builder;
  add_codelet_file(b, CHECKED_CODELETS, {.flags = {}, .check = check});
  const auto ints = [&](const std::string& name, unsigned count) {
    const TensorRef t = b.variable(name, graph::ElementType::kInt, {{count, 1}});
    b.initial(t, std::vector<std::uint32_t>(count, 1));
    return t;
  };
  const TensorRef x = ints("net/x", 8), y = ints("net/y", 4), u = ints("net/u", 4), r = ints("net/r", 6);
  const auto set = add_compute_set(b, "set");
  const auto id = add_vertex(b, set, row.codelet, 1,
                             {{"in", x},
                              {"unsized", u},
                              {"none", slice(x, 0, 0)},
                              {"rows", slice(r, 0, 3), 0},
                              {"rows", slice(r, 3, 6), 1},
                              {"out", y}});
  set_state(b, id, "n", 12);
  p.programs = {execute(set)};
  p.tile = "Tile 1";
  p.context = row.context + ": failed check";
  p.vertex = "vertex 0 of codelet '" + p.name + "' in compute set 'set'";
  if (!row.told.empty())
    p.line = "checked_codelets.cpp:" + std::to_string(marked_line(CHECKED_CODELETS, "planted: " + p.name));
  p.more = row.told;
  p.never = {"illegal exception"};
  return p;
}

}  // namespace

TEST_CASE("every mistake that a checked build finds is told with field, index, size, vertex and line") {
  for (const Row& row : kRows) {
    const Planted p = planted(row, true);
    const Told told = tell(p, chip::make_model_chip, "");
    INFO(row.codelet << "\n" << told.report);
    CHECK(told.missing == std::vector<std::string>{});
    CHECK(told.wrong == std::vector<std::string>{});
#ifdef TESSERA_HAS_RTL
    CHECK(tell(p, chip::make_rtl_chip, "").report == told.report);
#endif
  }
}

TEST_CASE("a checked build of code without mistakes runs as the plain one") {
  for (const bool check : {false, true}) {
    Planted p = planted({"Nothing", {}}, check);
    p.check = "nothing is wrong";  // it runs to its end
    p.check_tile = 1;
    CHECK(tell(p, chip::make_model_chip, "").report.find("Nothing") != std::string::npos);
  }
}

TEST_CASE("a local that nobody initialised is refused by a checked build") {
  const std::string text =
      "#include <poplar/Vertex.hpp>\n"
      "struct V : poplar::Vertex {\n"
      "  poplar::Output<int> out; int n;\n"
      "  bool compute() { int sum; if (n > 3) sum = 1; *out = sum; return true; }\n"
      "};\n";
  CHECK_NOTHROW(compiler::compile_codelet_text(text, "v.cpp", {.flags = {}, .cache = compiler::Cache("")}));
  CHECK_THROWS_WITH(
      compiler::compile_codelet_text(text, "v.cpp", {.flags = {}, .check = true, .cache = compiler::Cache("")}),
      Catch::Matchers::ContainsText("v.cpp:4") &&
          Catch::Matchers::ContainsText("variable 'sum' is used uninitialized"));
}

TEST_CASE("the two builds of a file do not mix, and a plain one has nothing of the checks") {
  const auto compiled = [](bool check, compiler::Cache cache) {
    return compiler::compile_codelets({CHECKED_CODELETS}, {.flags = {}, .check = check, .cache = std::move(cache)});
  };
  const auto checked = compiled(true, compiler::Cache::of_user()), plain = compiled(false, compiler::Cache::of_user());
  CHECK(plain.objects.at(0).elf == compiled(false, compiler::Cache("")).objects.at(0).elf);
  CHECK(compiler::is_checked(checked));
  CHECK_FALSE(compiler::is_checked(plain));
  // The vector without a length has one to be checked by.
  CHECK(compiler::find_codelet(checked, "Nothing")->state_size ==
        compiler::find_codelet(plain, "Nothing")->state_size + 4);
  const auto& elf = plain.objects.at(0).elf;
  const std::string bytes(elf.begin(), elf.end());
  for (const char* name : {"__ubsan", "__assert_fail", "glibcxx_assert", "__TESSERA_CHECK__"})
    CHECK(bytes.find(name) == std::string::npos);
}
