// Each fault that only a whole graph shows: its kind, and the names of the user's objects in its message.
#include <catch2/catch.hpp>

#include "compiler/graph/validate.h"
#include "tests/poplar/sample_graph.h"

namespace {

using namespace sample;

void check_fault(const Graph& graph, const ProgramRef& program, GraphErrorKind kind,
                 const std::vector<std::string>& words) {
  try {
    validate(graph, {program});
  } catch (const GraphError& error) {
    INFO(error.what());
    CHECK(error.kind() == kind);
    for (const std::string& word : words) {
      INFO("missing: " << word);
      CHECK(std::string(error.what()).find(word) != std::string::npos);
    }
    return;
  }
  FAIL("no fault found");
}

}  // namespace

TEST_CASE("a good graph passes") {
  Sample s;
  const TensorRef x = s.variable("x", {8});
  const TensorRef y = s.variable("y", {2, 1});
  s.vertex(0, {{0, kWholeField, part(x, 0, 4)}, {1, kWholeField, part(y, 0, 1)}});
  s.vertex(0, {{0, kWholeField, part(x, 0, 8)}, {1, kWholeField, part(y, 1, 2)}});
  s.vertex(2, {{0, 1, part(x, 4, 8)}, {0, 0, part(x, 0, 4)}, {1, kWholeField, s.variable("z", {8})}});
  CHECK_NOTHROW(validate(s.graph, {execute()}));
}

TEST_CASE("a vertex without a tile") {
  Sample s;
  s.vertex(1, {{0, kWholeField, s.variable("x", {8})}}, kNoTile);
  check_fault(s.graph, execute(), GraphErrorKind::kTileMapping, {"Scale", "'cs'"});
}

TEST_CASE("an element without a tile, named with its user") {
  Sample s;
  const TensorRef x = s.variable("x", {8}, ElementType::kFloat, false);
  s.graph.variables[0].mapping.assign(0, 5, 2);
  s.vertex(1, {{0, kWholeField, x}});
  check_fault(s.graph, execute(), GraphErrorKind::kTileMapping, {"Element 5", "'x'", "Scale", "'cs'", "tile 1"});
}

TEST_CASE("unmapped elements that nothing uses are no fault") {
  Sample s;
  const TensorRef x = s.variable("x", {8}, ElementType::kFloat, false);
  s.graph.variables[0].mapping.assign(0, 5, 2);
  s.vertex(1, {{0, kWholeField, part(x, 1, 5)}});
  CHECK_NOTHROW(validate(s.graph, {execute()}));
}

TEST_CASE("a compute set that no program runs is not looked at") {
  Sample s;
  s.vertex(1, {}, kNoTile);
  CHECK_NOTHROW(validate(s.graph, {program(Sequence{})}));
}

TEST_CASE("missing and double connections") {
  Sample s;
  const TensorRef x = s.variable("x", {8});
  SECTION("missing") {
    s.vertex(0, {{0, kWholeField, x}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"Not connected", "'out'", "Sum", "'cs'", "tile 1"});
  }
  SECTION("double") {
    s.vertex(1, {{0, kWholeField, part(x, 0, 4)}, {0, kWholeField, part(x, 4, 8)}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"2 times", "'data'", "Scale"});
  }
  SECTION("entry of a list missing") {
    s.vertex(2, {{0, 1, part(x, 0, 4)}, {1, kWholeField, s.variable("z", {8})}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"Entry 0", "'parts'", "Join"});
  }
  SECTION("entry beyond the size of a list") {
    Vertex& v = s.vertex(2, {{0, 0, part(x, 0, 4)}, {0, 1, part(x, 0, 4)}, {1, kWholeField, s.variable("z", {8})}});
    v.sizes.push_back({0, 1});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"Entry 1", "'parts'", "1"});
  }
}

TEST_CASE("wrong shapes for fields") {
  Sample s;
  SECTION("scalar") {
    s.vertex(0, {{0, kWholeField, s.variable("x", {8})}, {1, kWholeField, s.variable("pair", {2})}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"2 elements", "'pair'", "'out'"});
  }
  SECTION("vector") {
    s.vertex(1, {{0, kWholeField, s.variable("matrix", {2, 4})}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"rank 2", "'matrix'", "'data'"});
  }
}

TEST_CASE("writing constants and repeated elements") {
  Sample s;
  SECTION("constant") {
    s.vertex(1, {{0, kWholeField, s.constant("one", {4})}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"constant 'one'", "'data'"});
  }
  SECTION("repeated") {
    const TensorRef x = s.variable("x", {4});
    s.vertex(1, {{0, kWholeField, {x.type, x.view.broadcast(0, 2)}}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"repeated", "'x'", "'data'"});
  }
}

TEST_CASE("of many vertices, those in each other's way are found wherever they stand") {
  constexpr std::size_t kMany = 10'000;  // more than one thread checks at a time
  const auto with = [](std::size_t at, std::size_t begin, std::size_t end) {
    Sample s;
    const TensorRef x = s.variable("x", {2 * kMany});
    for (std::size_t i = 0; i < kMany; ++i)
      s.vertex(1, {{0, kWholeField, i == at ? part(x, begin, end) : part(x, 2 * i, 2 * i + 2)}});
    return s.graph;
  };
  CHECK_NOTHROW(validate(with(0, 0, 1), {execute()}, 2));
  check_fault(with(9000, 18'001, 18'003), execute(), GraphErrorKind::kConnection, {"Element 18002", "written by"});
  check_fault(with(9000, 6, 8), execute(), GraphErrorKind::kConnection, {"Element 6", "written by"});
  check_fault(with(0, 19'999, 20'000), execute(), GraphErrorKind::kConnection, {"Element 19999", "written by"});
}

TEST_CASE("two vertices in each other's way") {
  Sample s;
  const TensorRef x = s.variable("x", {16});
  SECTION("both write") {
    s.vertex(1, {{0, kWholeField, part(x, 0, 9)}}, 1);
    s.vertex(1, {{0, kWholeField, part(x, 8, 16)}}, 3);
    check_fault(s.graph, execute(), GraphErrorKind::kConnection,
                {"Element 8", "'x'", "written by", "Scale", "'cs'", "tile 1", "tile 3"});
  }
  SECTION("one reads what another writes, far apart in the list of accesses") {
    s.vertex(0, {{0, kWholeField, part(x, 0, 16)}, {1, kWholeField, s.variable("y", {1})}});
    s.vertex(0, {{0, kWholeField, part(x, 1, 2)}, {1, kWholeField, s.variable("z", {1})}});
    s.vertex(1, {{0, kWholeField, part(x, 12, 14)}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection,
                {"Element 12", "'x'", "read and written", "Sum", "Scale"});
  }
  SECTION("one writer that another reads later in order") {
    s.vertex(1, {{0, kWholeField, part(x, 0, 8)}});
    s.vertex(0, {{0, kWholeField, part(x, 7, 16)}, {1, kWholeField, s.variable("y", {1})}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"Element 7"});
  }
  SECTION("one writes what it reads itself, and another reads too") {
    s.vertex(0, {{0, kWholeField, part(x, 0, 16)}, {1, kWholeField, part(x, 12, 13)}});
    s.vertex(0, {{0, kWholeField, part(x, 1, 14)}, {1, kWholeField, s.variable("z", {1})}});
    check_fault(s.graph, execute(), GraphErrorKind::kConnection, {"Element 12", "'x'", "read and written"});
  }
  SECTION("one vertex may read what it writes") {
    s.vertex(0, {{0, kWholeField, part(x, 0, 4)}, {1, kWholeField, part(x, 1, 2)}});
    CHECK_NOTHROW(validate(s.graph, {execute()}));
  }
  SECTION("interleaved elements do not meet") {
    const TensorRef even = {x.type, x.view.sub_sample(0, 2)};
    const TensorRef odd = {x.type, x.view.slice(0, 1, 16).sub_sample(0, 2)};
    s.vertex(1, {{0, kWholeField, even}});
    s.vertex(1, {{0, kWholeField, odd}});
    CHECK_NOTHROW(validate(s.graph, {execute()}));
  }
}

TEST_CASE("a vertex that writes the predicate of its compute set") {
  Sample s;
  const TensorRef x = s.variable("x", {16});
  const TensorRef flags = s.variable("flags", {4}, ElementType::kInt);
  s.vertex(1, {{0, kWholeField, {ElementType::kFloat, flags.view.slice(0, 1, 3)}}}, 2);
  const auto into = [&](std::size_t i) { return program(Execute{0, part(flags, i, i + 1)}); };
  check_fault(s.graph, into(2), GraphErrorKind::kControlProgram, {"Predicate", "'flags'", "Scale", "'cs'", "tile 2"});
  CHECK_NOTHROW(validate(s.graph, {into(3)}));
}

TEST_CASE("copies") {
  Sample s;
  const TensorRef x = s.variable("x", {2, 4});
  const TensorRef y = s.variable("y", {8});
  CHECK_NOTHROW(validate(s.graph, {program(Copy{x, y})}));
  SECTION("sizes differ") {
    check_fault(s.graph, program(Copy{x, part(y, 0, 7)}, "copy it"), GraphErrorKind::kControlProgram,
                {"'x'", "8 elements", "'y'", "7 elements", "copy it"});
  }
  SECTION("types differ") {
    check_fault(s.graph, program(Copy{x, s.variable("i", {8}, ElementType::kInt)}), GraphErrorKind::kType,
                {"'x'", "float", "'i'", "int"});
  }
  SECTION("to a constant") {
    check_fault(s.graph, program(Copy{x, s.constant("c", {8})}), GraphErrorKind::kControlProgram, {"constant 'c'"});
  }
  SECTION("to repeated elements") {
    const TensorRef twice = {y.type, part(y, 0, 4).view.broadcast(0, 2)};
    check_fault(s.graph, program(Copy{x, twice}), GraphErrorKind::kControlProgram, {"'y'", "more than once"});
  }
  SECTION("over itself") {
    check_fault(s.graph, program(Copy{part(y, 0, 4), part(y, 2, 6)}), GraphErrorKind::kControlProgram,
                {"'y'", "overlaps"});
  }
  SECTION("streams") {
    s.graph.streams.push_back({"up", ElementType::kFloat, 4, true, {}});
    CHECK_NOTHROW(validate(s.graph, {program(CopyFromStream{0, part(y, 0, 4)})}));
    check_fault(s.graph, program(CopyFromStream{0, y}), GraphErrorKind::kControlProgram, {"'up'", "4 elements", "'y'"});
    check_fault(s.graph, program(CopyToStream{part(y, 0, 4), 0}), GraphErrorKind::kControlProgram, {"'up'"});
  }
}

TEST_CASE("control flow") {
  Sample s;
  const ProgramRef nothing = program(Sequence{});
  const TensorRef flag = s.variable("flag", {1}, ElementType::kBool);
  const TensorRef number = s.variable("number", {}, ElementType::kInt);
  const TensorRef real = s.variable("real", {1});
  CHECK_NOTHROW(validate(s.graph, {program(If{flag, nothing, nothing})}));
  CHECK_NOTHROW(validate(s.graph, {program(RepeatWhile{nothing, number, true, nothing})}));
  CHECK_NOTHROW(validate(s.graph, {program(Switch{number, {{1, nothing}, {2, nothing}}, nothing})}));
  check_fault(s.graph, program(If{real, nothing, nothing}), GraphErrorKind::kType, {"'real'", "float"});
  check_fault(s.graph, program(Switch{flag, {}, nothing}), GraphErrorKind::kType, {"'flag'", "bool"});
  check_fault(s.graph, program(Switch{number, {{1, nothing}, {1, nothing}}, nothing}), GraphErrorKind::kControlProgram,
              {"two cases for 1"});
  const TensorRef two = s.variable("two", {2}, ElementType::kBool);
  check_fault(s.graph, program(RepeatWhile{nothing, two, false, nothing}), GraphErrorKind::kControlProgram,
              {"'two'", "2 elements"});
  const TensorRef nowhere = s.variable("nowhere", {1}, ElementType::kBool, false);
  check_fault(s.graph, program(If{nowhere, nothing, nothing}), GraphErrorKind::kTileMapping, {"'nowhere'"});
}

TEST_CASE("a fault inside nested programs and functions is found") {
  Sample s;
  s.vertex(1, {}, kNoTile);
  s.graph.functions.push_back({program(Sequence{{execute()}})});
  const ProgramRef call = program(Call{0});
  check_fault(s.graph, program(Repeat{3, program(Sequence{{call}})}), GraphErrorKind::kTileMapping, {"Scale"});
}

TEST_CASE("functions that call themselves or do not exist") {
  Sample s;
  s.graph.functions.push_back({program(Call{1})});
  s.graph.functions.push_back({program(Call{0})});
  check_fault(s.graph, program(Call{0}), GraphErrorKind::kRecursion, {"Function 0"});
  check_fault(s.graph, program(Call{7}), GraphErrorKind::kControlProgram, {"function 7"});
}

// How long it takes is measured by ./run bench ground.
TEST_CASE("a compute set of 200,000 vertices is checked") {
  Sample s;
  constexpr std::size_t kVertices = 200000;
  const TensorRef x = s.variable("x", {kVertices, 4});
  for (std::size_t i = 0; i < kVertices; ++i) s.vertex(1, {{0, kWholeField, {x.type, x.view.index(i)}}});
  CHECK_NOTHROW(validate(s.graph, {execute()}));
}
