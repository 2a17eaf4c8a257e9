// Tile memory: what lies where, what fits, and what is said when it does not.
#include <catch2/catch.hpp>
#include <sstream>

#include "compiler/passes/compile.h"
#include "compiler/passes/memory/allocate.h"
#include "compiler/passes/memory/memory_report.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;
using namespace tessera::compiler;

namespace {

const graph::Graph kNoGraph;

struct Memory {
  spec::Machine machine = spec::load_machine("mk2-4");
  Text text;
  ir::Program program;
  ir::Blocks blocks;
  Lives lives;
  Layout layout;

  Memory() {
    program.tiles = machine.tiles();
    lives.points.points = 10;
    lives.lives = {{{0, 9}}};
    text.text_end = machine.memory_base + 1000;
    text.data_base = machine.memory_end() - 16;
  }
  ir::BlockId add(ir::BlockUse use, std::uint32_t bytes, std::uint32_t align = 8) {
    return ir::add_block(blocks, {.tile = 1, .bytes = bytes, .align = align, .use = use});
  }
  // Lives in these intervals of points.
  ir::BlockId add(ir::BlockUse use, std::uint32_t bytes, const Life& life) {
    const ir::BlockId id = add(use, bytes);
    lives.of_block.resize(id + 1);
    lives.of_block[id] = static_cast<std::uint32_t>(lives.lives.size());
    lives.lives.push_back(life);
    return id;
  }
  std::vector<image::TileUsage> allocate() {
    if (program.bodies.empty()) {
      program.bodies.emplace_back();
      for (int i = 1; i < 10; ++i)
        program.bodies[0].push_back({.kind = ir::StepKind::kSync, .name = "step " + std::to_string(i)});
      lives.points = program_points(program);
    }
    layout = compiler::allocate(kNoGraph, machine, text, program, lives, blocks);
    return layout.usage;
  }
  std::uint32_t address(ir::BlockId block) const { return layout.addresses[block]; }
  unsigned element(ir::BlockId block) const { return machine.element_of(address(block)); }
};

}  // namespace

TEST_CASE("code, events and data have elements of their own, in that order") {
  Memory m;
  const ir::BlockId variable = m.add(ir::BlockUse::kVariable, 12), code = m.add(ir::BlockUse::kControl, 20000),
                    events = m.add(ir::BlockUse::kEvents, 16), stack = m.add(ir::BlockUse::kStack, 64, 16);
  const auto usage = m.allocate();
  CHECK(m.address(code) == m.machine.memory_base + 1000);
  CHECK(m.element(events) == m.machine.element_of(m.address(code) + 19999) + 1);
  CHECK(m.element(variable) == m.element(events) + 1);
  CHECK(m.address(stack) % 16 == 0);
  CHECK(usage[1].control == 20000);
  CHECK(usage[1].events == 16);
  CHECK(usage[1].stacks == 64);
  CHECK(usage[0].control == 0);
}

TEST_CASE("event lists that fill region 0 go on into pairs of elements of region 1") {
  Memory m;
  const ir::BlockId variable = m.add(ir::BlockUse::kVariable, 12), wide = m.add(ir::BlockUse::kVariable, 32);
  m.blocks[wide].interleaved = true;
  m.add(ir::BlockUse::kEvents, 240000);
  m.allocate();
  const std::uint32_t end = m.machine.memory_base + m.machine.element_bytes + 240000;
  CHECK(m.address(wide) == m.machine.region1_base + ir::round_up(end - m.machine.region1_base, 32768) + 8);
  CHECK(m.address(variable) > m.address(wide));
}

TEST_CASE("two words before the first datum are free for a packet's header") {
  Memory m;
  const ir::BlockId variable = m.add(ir::BlockUse::kVariable, 12);
  m.allocate();
  CHECK((m.address(variable) - m.machine.memory_base) % m.machine.element_bytes >= 8);
}

TEST_CASE("blocks that never live together share memory, those that do never overlap") {
  Memory m;
  const ir::BlockId a = m.add(ir::BlockUse::kBuffer, 96, {{1, 2}}),
                    b = m.add(ir::BlockUse::kVariable, 496, {{3, 5}, {8, 9}}),
                    c = m.add(ir::BlockUse::kBuffer, 48, {{2, 2}}), d = m.add(ir::BlockUse::kVariable, 400, {{6, 7}}),
                    e = m.add(ir::BlockUse::kVariable, 200, {{7, 8}}), always = m.add(ir::BlockUse::kVariable, 8);
  const auto usage = m.allocate();
  CHECK(m.address(always) + 8 == m.address(b));
  CHECK(m.address(b) == m.address(d));
  CHECK(std::min(m.address(a), m.address(c)) == m.address(b));
  CHECK((m.address(a) + 96 <= m.address(c) || m.address(c) + 48 <= m.address(a)));
  CHECK(m.address(e) == m.address(b) + 496);  // lives with b and with d
  CHECK(usage[1].variables == 8 + 496 + 200);
  CHECK(usage[1].buffers == 0);
  CHECK(usage[1].not_always_live == 696);
  CHECK(usage[1].always_live == usage[1].total - 696);
  CHECK(usage[1].peak == "step 8");
  CHECK(usage[0].not_always_live == 0);
  CHECK(usage[0].peak == "waiting for the host");
}

TEST_CASE("interleaved blocks share memory of region 1 alone") {
  Memory m;
  const ir::BlockId a = m.add(ir::BlockUse::kBuffer, 64, {{1, 2}}), b = m.add(ir::BlockUse::kBuffer, 64, {{3, 3}}),
                    low = m.add(ir::BlockUse::kVariable, 64, {{3, 4}});
  m.blocks[a].interleaved = m.blocks[b].interleaved = true;
  m.allocate();
  CHECK(m.address(a) == m.machine.region1_base);
  CHECK(m.address(b) == m.address(a));
  CHECK(m.address(low) < m.machine.region1_base);
}

TEST_CASE("blocks of interleaved fields lie in region 1, others go around them") {
  Memory m;
  const ir::BlockId wide = m.add(ir::BlockUse::kVariable, 5000, 16), large = m.add(ir::BlockUse::kVariable, 300000);
  m.blocks[wide].interleaved = true;
  const ir::BlockId small = m.add(ir::BlockUse::kVariable, 100);
  m.allocate();
  CHECK(m.address(wide) == m.machine.region1_base);
  CHECK(m.address(large) >= m.address(wide) + 5000);
  CHECK(m.address(small) < m.machine.region1_base);
}

TEST_CASE("a tile holds what fits to the last byte and refuses more, naming tile, sizes and variable") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const auto compiled = [&](std::size_t elements) {
    GraphBuilder b(4);
    b.variable("small", ElementType::kUnsignedInt, {{100, 2}});
    const TensorRef large = b.variable("large", ElementType::kUnsignedInt, {{10, 0}, {elements, 2}});
    b.handles("large", large);
    return compiler::compile(b.graph, {sequence({})}, machine);
  };
  const image::Executable fits = compiled(140000);
  CHECK(fits.chip().usage[2].variables == 560000);
  CHECK(fits.chip().usage[2].total <= fits.chip().usage[2].available);
  try {
    compiled(170000);
    FAIL("680,000 bytes fitted into a tile");
  } catch (const OutOfTileMemory& error) {
    const std::string message = error.what();
    INFO(message);
    CHECK(error.tile() == 2);
    CHECK(message.starts_with("Out of memory: Cannot fit all variable data onto one or more tiles: tile 2 uses 6"));
    CHECK(message.find("of 638976 available") != std::string::npos);
    CHECK(message.find("bytes found no place\n") != std::string::npos);
    CHECK(message.find("      680040       2        680000  variable 'large'\n") != std::string::npos);
    CHECK(message.find("'small'") == std::string::npos);  // nothing uses it, so it has no place
  }
}

TEST_CASE("of many tiles that are full sixteen are shown, of many variables the twenty largest") {
  graph::Graph graph;
  ir::Blocks blocks;
  for (std::uint32_t v = 0; v < 30; ++v) {
    graph.variables.emplace_back().name = "v" + std::to_string(v);
    ir::add_block(blocks, {.tile = v % 3, .bytes = 100 + v, .variable = v});
  }
  std::vector<FullTile> full;
  for (std::uint32_t tile = 1; tile < 20; ++tile) full.push_back({tile, 10 * tile});
  const std::vector<image::TileUsage> usage(20, {.variables = 700000,
                                                 .total = 700001,
                                                 .available = 638976,
                                                 .always_live = 300001,
                                                 .not_always_live = 400000,
                                                 .peak = "Execute(most)"});
  const std::string text = out_of_memory_text(graph, blocks, {}, usage, full);
  INFO(text);
  CHECK(
      text.starts_with("Out of memory: Cannot fit all variable data onto one or more tiles: tile 1 uses 700001 bytes "
                       "of 638976 available, 10 bytes found no place, and 18 tiles more do not fit\n"));
  CHECK(text.find("       16         0         0         0    700000         0         0         0    700001    638976"
                  "       160      300001          400000  Execute(most)\n  and 3 tiles more\n") != std::string::npos);
  CHECK(text.find("       17  ") == std::string::npos);
  CHECK(text.find("         129       1             0  variable 'v29'\n         128       1           128  variable") !=
        std::string::npos);
  CHECK(text.find("'v10'") != std::string::npos);
  CHECK(text.find("'v9'") == std::string::npos);
}

TEST_CASE("data that find no room lie in elements of text that the tile does not need, away from what it has") {
  Memory m;
  const std::uint32_t base = m.machine.memory_base, element = m.machine.element_bytes;
  m.text.text_end = base + 5 * element;
  m.text.data_base = m.machine.memory_end() - 4096;
  m.text.data_end = m.text.data_base + 100;
  m.text.data_top = m.machine.memory_end() - 16;
  // Tile 1 needs the first element, and the last but 200 bytes before it; of the data nothing.
  m.text.tiles.sets = {{{}, 5 * element},
                       {{{base + element, base + 4 * element - 200}, {m.text.data_base, m.text.data_top}}, 100}};
  m.text.tiles.set_of_tile = {0, 1, 0, 0};
  const std::uint32_t usual = m.text.data_base - (base + 5 * element) - 8;
  const ir::BlockId full = m.add(ir::BlockUse::kVariable, usual / 8 * 8);
  const ir::BlockId one = m.add(ir::BlockUse::kVariable, 2 * element - 24), two = m.add(ir::BlockUse::kVariable, 4000);
  const auto usage = m.allocate();
  CHECK(m.address(full) > base + 5 * element);
  CHECK(m.address(one) == base + element + 8);  // up to 16 bytes before the end of the third element
  CHECK(m.address(two) == m.text.data_base);
  CHECK(usage[1].text == 100);
  CHECK(usage[0].text == 5 * element);
  REQUIRE(m.layout.text_rooms.size() == 2);
  CHECK(m.layout.text_rooms[0].tile == 1);
  CHECK(m.layout.text_rooms[0].range == AddressRange{base + element + 8, base + 3 * element - 16});

  m.add(ir::BlockUse::kVariable, 200);
  CHECK_THROWS_AS(m.allocate(), OutOfTileMemory);
}
