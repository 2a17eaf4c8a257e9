// Which text each tile needs, and what becomes of the memory of the rest.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "compiler/passes/compile.h"
#include "compiler/passes/lower/lower_programs.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/text/tile_text.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;
using namespace tessera::compiler;

namespace {

const spec::Machine& machine() {
  static const spec::Machine mk2_4 = spec::load_machine("mk2-4");
  return mk2_4;
}

// Each codelet on a tile of its own, from tile 0 on; field "out" is an int.
struct Codelets : GraphBuilder {
  TensorRef out;
  ProgramRef run;

  Codelets(const std::string& source, const std::vector<std::string>& names) : GraphBuilder(4) {
    add_codelets(*this, source);
    std::vector<std::pair<std::size_t, std::uint32_t>> parts;
    for (std::uint32_t tile = 0; tile < names.size(); ++tile) parts.emplace_back(1, tile);
    out = variable("out", ElementType::kInt, parts);
    read_handle("out", out);
    const auto set = add_compute_set(*this, "all");
    for (std::uint32_t tile = 0; tile < names.size(); ++tile)
      add_vertex(*this, set, names[tile], tile, {{"out", slice(out, tile, tile + 1)}});
    run = execute(set);
  }

  // With its sets.
  Text text() const {
    const ir::Program program = lower_programs(graph, {run}, machine().tiles());
    Text text = link_text(graph, program, machine(), true);
    text.tiles = tile_text(text, program, machine());
    return text;
  }
};

// Whether the tile has the function of which the name has this in it.
bool has(const Text& text, std::uint32_t tile, const std::string& function) {
  const auto symbol = std::find_if(text.symbols.begin(), text.symbols.end(),
                                   [&](const TextSymbol& s) { return s.name.find(function) != std::string::npos; });
  REQUIRE(symbol != text.symbols.end());
  const std::vector<AddressRange>& absent = text.tiles.of(tile)->absent;
  return std::none_of(absent.begin(), absent.end(), [&](const AddressRange& gap) {
    return symbol->address < gap.end && gap.begin < symbol->address + symbol->bytes;
  });
}

// Memory of a tile after the load, by address of the word.
std::map<std::uint32_t, std::uint32_t> loaded(const image::Executable& executable, std::uint32_t of_tile) {
  std::map<std::uint32_t, std::uint32_t> words;
  image::for_each_segment(executable.chip(), [&](std::uint32_t tile, const image::Segment& segment) {
    if (tile != of_tile && tile != image::kAllTiles) return;
    for (std::size_t i = 0; i < segment.words.size(); ++i)
      words[segment.address + static_cast<std::uint32_t>(4 * i)] = segment.words[i];
  });
  return words;
}

// Two codelets of 80 kB of text on tiles 0 and 1, and variables on both that leave no room for the other's.
struct Tight : Codelets {
  static constexpr int kParts = 24, kElements = 5000;  // of each part on each tile; one piece would fill no gap

  Tight()
      : Codelets(R"(
          #define LONG(name, number) struct name : Vertex { \
            Output<int> out; \
            bool compute() { asm volatile(".rept 20000\n nop\n .endr"); *out = number; return true; } };
          LONG(One, 1)
          LONG(Two, 2))",
                 {"One", "Two"}) {
    for (int i = 0; i < kParts; ++i) {
      const std::string name = "part" + std::to_string(i);
      handles(name, variable(name, ElementType::kInt, {{kElements, 0}, {kElements, 1}}));
    }
  }

  image::Executable compiled(bool tile_text) const {
    GraphCompileOptions options;
    options.optimise.tile_text = tile_text;
    return compile(graph, {run}, machine(), options);
  }
};

}  // namespace

TEST_CASE("a tile has the text that its own codelets may lead to") {
  const Text text = Codelets(R"(
    __attribute__((noinline)) static int both(int x) { return x * x + 1; }
    __attribute__((noinline)) static int only_first(int x) { return both(x) / (x + 3); }
    struct First : Vertex { Output<int> out; bool compute() { *out = only_first(*out); return true; } };
    struct Second : Vertex { Output<int> out; bool compute() { *out = both(*out); return true; } };)",
                             {"First", "Second"})
                        .text();
  for (std::uint32_t tile = 0; tile < 2; ++tile) {
    CHECK(has(text, tile, "copy in tile"));
    CHECK(has(text, tile, "__tessera_worker"));
    CHECK(has(text, tile, "both"));
    CHECK(has(text, tile, "only_first") == (tile == 0));
    CHECK(has(text, tile, "__vertex_First") == (tile == 0));
    CHECK(has(text, tile, "__vertex_Second") == (tile == 1));
  }
  CHECK_FALSE(has(text, 2, "both"));
  CHECK_FALSE(has(text, 2, "__tessera_worker"));
  CHECK(text.tiles.sets.size() == 3);
  CHECK(text.tiles.of(1)->text_bytes < text.tiles.of(0)->text_bytes);
  CHECK(text.tiles.of(2) == text.tiles.of(3));
}

TEST_CASE("what is called through a pointer or a virtual function is there") {
  const Text text = Codelets(R"(
    typedef int (*Function)(int);
    __attribute__((noinline)) static int pointed_a(int x) { return x + 1; }
    __attribute__((noinline)) static int pointed_b(int x) { return x * 5; }
    static const Function table[2] = {pointed_a, pointed_b};
    struct Shape { virtual int area(int) const = 0; };
    struct Square : Shape { int area(int x) const override { return x * x; } };
    struct Wide : Shape { int area(int x) const override { return 7 * x; } };
    static const Square square;
    static const Wide wide;
    static const Shape* const volatile shapes[2] = {&square, &wide};
    struct ByPointer : Vertex { Output<int> out; bool compute() { *out = table[*out & 1](*out); return true; } };
    struct ByShape : Vertex { Output<int> out; bool compute() { *out = shapes[*out & 1]->area(*out); return true; } };)",
                             {"ByPointer", "ByShape"})
                        .text();
  for (const char* function : {"pointed_a", "pointed_b"}) {
    CHECK(has(text, 0, function));
    CHECK_FALSE(has(text, 1, function));
  }
  for (const char* function : {"Square4area", "Wide4area"}) {
    CHECK(has(text, 1, function));
    CHECK_FALSE(has(text, 0, function));
  }
}

TEST_CASE("a program that is too large for all text on all tiles has data in place of the others' text") {
  const Tight b;
  CHECK_THROWS_AS(b.compiled(false), OutOfTileMemory);
  ProgramRunner runner(b.compiled(true), machine());
  const image::ChipImage& chip = runner.executable().chip();
  CHECK(chip.groups.size() == 2);
  // The names know what each tile has there.
  const names::ProgramInfo& info = chip.info;
  for (std::uint32_t tile = 0; tile < 2; ++tile) {
    const std::uint32_t own = info.symbol_named(tile == 0 ? "__vertex_One" : "__vertex_Two")->address;
    const std::uint32_t other = info.symbol_named(tile == 0 ? "__vertex_Two" : "__vertex_One")->address;
    CHECK(info.symbol_at(tile, own) != nullptr);
    CHECK(info.symbol_at(tile, other + 40000) == nullptr);
    CHECK(info.symbol_at(1 - tile, other + 40000) != nullptr);
    const std::uint32_t nop = 0x13;
    auto words = loaded(runner.executable(), tile);
    CHECK(words[own + 40000] == nop);
    CHECK(words[other + 40000] == 0);
    CHECK(chip.usage[tile].text < 100000);
  }
  // All variables are zero after the load, and keep what they are given.
  std::vector<std::vector<std::int32_t>> values;
  for (int i = 0; i < Tight::kParts; ++i) {
    const std::string name = "part" + std::to_string(i);
    const std::size_t elements = 2 * Tight::kElements;
    CHECK(runner.read<std::int32_t>(name) == std::vector<std::int32_t>(elements));
    values.emplace_back(elements, 1000 + i);
  }
  for (int i = 0; i < Tight::kParts; ++i) runner.write("part" + std::to_string(i), values[i]);
  runner.run(0);
  CHECK(runner.read<std::int32_t>("out") == std::vector<std::int32_t>{1, 2});
  for (int i = 0; i < Tight::kParts; ++i) CHECK(runner.read<std::int32_t>("part" + std::to_string(i)) == values[i]);
}

TEST_CASE("a program with room for all text is laid out and loaded as without the pass") {
  const Codelets b(R"(
    #define LONG(name, number) struct name : Vertex { \
      Output<int> out; \
      bool compute() { asm volatile(".rept 3000\n nop\n .endr"); *out = number; return true; } };
    LONG(Three, 3)
    LONG(Four, 4))",
                   {"Three", "Four"});
  ProgramRunner runner(compile(b.graph, {b.run}, machine()), machine());
  const image::ChipImage& chip = runner.executable().chip();
  CHECK(chip.groups.empty());
  CHECK(chip.info.no_text.empty());
  CHECK(chip.usage[0].text < 13000);
  CHECK(chip.usage[3].text < 1000);
  runner.run(0);
  CHECK(runner.read<std::int32_t>("out") == std::vector<std::int32_t>{3, 4});
}
