// Whole programs of copies and control flow: compiled, loaded and run on model tiles.
#include <catch2/catch.hpp>
#include <numeric>

#include "compiler/passes/compile.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

ProgramRunner start(const GraphBuilder& builder, const std::vector<ProgramRef>& programs,
                    const std::string& machine_name = test_machine()) {
  const spec::Machine machine = spec::load_machine(machine_name);
  return ProgramRunner(compiler::compile(builder.graph, programs, machine), machine);
}

std::vector<std::uint32_t> counting(std::size_t n, std::uint32_t first = 1) {
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("a handle reads what a handle wrote, over several tiles") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{5, 1}, {700, 0}, {1, 3}, {3, 1}});
  b.handles("v", v);
  ProgramRunner runner = start(b, {sequence({})});
  const std::vector<std::uint32_t> values = counting(709);
  runner.write("v", values);
  CHECK(runner.read<std::uint32_t>("v") == values);
}

TEST_CASE("initial values stand in memory after loading") {
  GraphBuilder b(4);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{2, 0}, {3, 2}});
  b.initial(v, counting(5, 40));
  b.read_handle("v", v);
  CHECK(start(b, {sequence({})}).read<std::uint32_t>("v") == counting(5, 40));
}

TEST_CASE("a copy moves words between tiles") {
  GraphBuilder b(4);
  const TensorRef from = b.variable("from", ElementType::kUnsignedInt, {{6, 0}, {2, 1}});
  const TensorRef to = b.variable("to", ElementType::kUnsignedInt, {{3, 2}, {5, 3}});
  b.initial(from, counting(8));
  b.read_handle("to", to);
  ProgramRunner runner = start(b, {copy(from, to)});
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("to") == counting(8));
}

TEST_CASE("a transposed matrix travels between two tiles as one message") {
  GraphBuilder b(4);
  const TensorRef from = b.variable("from", ElementType::kUnsignedInt, {{1600, 0}});
  const TensorRef to = b.variable("to", ElementType::kUnsignedInt, {{1600, 3}});
  b.handles("from", from);
  b.read_handle("to", to);
  const std::array<std::size_t, 2> shape{40, 40};
  const std::array<unsigned, 2> swap{1, 0};
  const TensorRef transposed{from.type, from.view.reshape(shape).dim_shuffle(swap).flatten()};
  ProgramRunner runner = start(b, {copy(transposed, to)});
  CHECK(runner.executable().chip().usage[0].events == 8);
  CHECK(runner.executable().chip().usage[3].events == 8);
  runner.write("from", counting(1600));
  runner.run(0);
  const auto result = runner.read<std::uint32_t>("to");
  for (std::size_t r = 0; r < 40; ++r)
    for (std::size_t c = 0; c < 40; ++c) REQUIRE(result[40 * r + c] == 1 + 40 * c + r);
}

TEST_CASE("two overlapping views of one variable are read by one copy each") {
  GraphBuilder b(4);
  const TensorRef from = b.variable("from", ElementType::kUnsignedInt, {{10, 1}});
  const TensorRef to = b.variable("to", ElementType::kUnsignedInt, {{8, 0}, {8, 2}});
  b.initial(from, counting(10));
  b.read_handle("to", to);
  const TensorView parts[] = {from.view.slice(0, 0, 8), from.view.slice(0, 2, 10)};
  const TensorView* both[] = {&parts[0], &parts[1]};
  ProgramRunner runner = start(b, {copy({from.type, TensorView::concat(both, 0)}, to)});
  runner.run(0);
  std::vector<std::uint32_t> expected = counting(8);
  for (const std::uint32_t v : counting(8, 3)) expected.push_back(v);
  CHECK(runner.read<std::uint32_t>("to") == expected);
}

TEST_CASE("a word broadcast over a tile's memory is written at about one word a cycle") {
  GraphBuilder b(4);
  const TensorRef value = b.variable("value", ElementType::kUnsignedInt, {{1, 0}});
  const TensorRef to = b.variable("to", ElementType::kUnsignedInt, {{6001, 0}, {6007, 1}});
  b.initial(value, {77});
  b.read_handle("to", to);
  ProgramRunner runner = start(b, {copy({value.type, value.view.broadcast(0, 12008)}, to)});
  const std::uint64_t before = runner.chip().cycle();
  runner.run(0);
  CHECK(runner.chip().cycle() - before < 14000);
  CHECK(runner.read<std::uint32_t>("to") == std::vector<std::uint32_t>(12008, 77));
}
