// Programs for several chips: what runs on their tiles is what the host computes, on model and on RTL tiles.
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <sstream>

#include "compiler/graph/validate.h"
#include "compiler/image/executable_file.h"
#include "compiler/image/executable_summary.h"
#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/system_runner.h"

using namespace tessera;
using namespace tessera::test;
using Catch::Matchers::ContainsText;

namespace {

using Words = std::vector<std::uint32_t>;

struct Device {
  spec::System system;
  std::uint32_t chips, tiles;  // tiles of all

  explicit Device(const std::string& name)
      : system(spec::load_system(name)),
        chips(static_cast<std::uint32_t>(system.chips.size())),
        tiles(system.tiles()) {}

  image::Executable compile(const GraphBuilder& b, const std::vector<ProgramRef>& programs,
                            compiler::Optimisations optimise = {}) const {
    compiler::GraphCompileOptions options;
    options.chips = chips;
    options.optimise = optimise;
    return compiler::compile(b.graph, programs, system.chips[0], options);
  }
  SystemRunner start(const GraphBuilder& b, const std::vector<ProgramRef>& programs,
                     chip::Backend backend = chip::Backend::kModel) const {
    return SystemRunner(compile(b, programs), system, backend);
  }
};

Words counting(std::size_t n, std::uint32_t first = 1) {
  Words values(n);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace

TEST_CASE("handles write and read tiles of all chips") {
  const Device d(GENERATE("mk2-4x2", "mk2-4x4"));
  GraphBuilder b(d.tiles);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{5, d.tiles - 1}, {700, 0}, {1, 3}, {3, 5}});
  b.handles("v", v);
  SystemRunner runner = d.start(b, {sequence({})});
  runner.write("v", counting(709));
  CHECK(runner.read<std::uint32_t>("v") == counting(709));
  CHECK(runner.executable().chips.size() == d.chips);
  CHECK(runner.executable().chips[1].info.variables.at(0).tile < 4);
}

TEST_CASE("copies of odd sizes and types between chips arrive byte by byte") {
  const Device d(GENERATE("mk2-4x2", "mk2-4x4"));
  const chip::Backend backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  std::mt19937 random(5);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int round = 0; round < (backend == chip::Backend::kModel ? 12 : 3); ++round) {
    GraphBuilder b(d.tiles);
    std::vector<ProgramRef> copies;
    std::vector<std::vector<std::uint8_t>> contents, expected;
    struct Part {
      TensorRef from, to;
      std::size_t begin, at, bytes;
    };
    std::vector<Part> parts;
    for (int v = 0; v < 4; ++v) {
      std::vector<std::pair<std::size_t, std::uint32_t>> from_tiles, to_tiles;
      for (int i = 0; i < 3; ++i) from_tiles.emplace_back(1 + below(400), below(d.tiles));
      for (int i = 0; i < 3; ++i) to_tiles.emplace_back(1 + below(400), below(d.tiles));
      const ElementType types[] = {ElementType::kUnsignedChar, ElementType::kHalf, ElementType::kUnsignedInt};
      const ElementType type = types[below(3)];
      const std::string name = std::to_string(v);
      const TensorRef from = b.variable("from" + name, type, from_tiles), to = b.variable("to" + name, type, to_tiles);
      b.handles("from" + name, from);
      b.handles("to" + name, to);
      const std::size_t size = graph::size_of(type), n = from.view.num_elements(), m = to.view.num_elements();
      const std::size_t length = 1 + below(static_cast<std::uint32_t>(std::min(n, m)));
      const std::size_t begin = below(static_cast<std::uint32_t>(n - length + 1));
      const std::size_t at = below(static_cast<std::uint32_t>(m - length + 1));
      copies.push_back(copy(slice(from, begin, begin + length), slice(to, at, at + length)));
      contents.emplace_back(n * size);
      for (std::uint8_t& byte : contents.back()) byte = static_cast<std::uint8_t>(random());
      expected.emplace_back(m * size, std::uint8_t{0x55});
      std::copy_n(contents.back().begin() + static_cast<std::ptrdiff_t>(begin * size), length * size,
                  expected.back().begin() + static_cast<std::ptrdiff_t>(at * size));
    }
    SystemRunner runner = d.start(b, {sequence(copies)}, backend);
    for (int v = 0; v < 4; ++v) {
      runner.write("from" + std::to_string(v), contents[v]);
      runner.write("to" + std::to_string(v), std::vector<std::uint8_t>(expected[v].size(), 0x55));
    }
    runner.run(0);
    for (int v = 0; v < 4; ++v) {
      INFO("round " << round << " copy " << v);
      CHECK(runner.read<std::uint8_t>("to" + std::to_string(v)) == expected[v]);
      CHECK(runner.read<std::uint8_t>("from" + std::to_string(v)) == contents[v]);
    }
  }
}

TEST_CASE("chips exchange with each other at once, each tile sending and receiving") {
  const Device d("mk2-4x4");
  GraphBuilder b(d.tiles);
  std::vector<std::pair<std::size_t, std::uint32_t>> here, there;
  for (std::uint32_t tile = 0; tile < d.tiles; ++tile) {
    here.emplace_back(130, tile);
    there.emplace_back(130, (tile + 5) % d.tiles);
  }
  const TensorRef x = b.variable("x", ElementType::kUnsignedInt, here);
  const TensorRef y = b.variable("y", ElementType::kUnsignedInt, there);
  b.handles("x", x);
  b.handles("y", y);
  const std::size_t n = 130 * d.tiles;
  // And back, in a loop, an element further each time.
  const ProgramRef turn =
      sequence({copy(x, y), copy(slice(y, 0, n - 1), slice(x, 1, n)), copy(slice(y, n - 1, n), slice(x, 0, 1))});
  SystemRunner runner = d.start(b, {program(graph::Repeat{7, turn})});
  runner.write("x", counting(n));
  runner.run(0);
  Words expected = counting(n);
  std::rotate(expected.begin(), expected.end() - 7, expected.end());
  CHECK(runner.read<std::uint32_t>("x") == expected);
}

TEST_CASE("what all tiles of a chip get crosses the link once") {
  const Device d("mk2-4x4");
  GraphBuilder b(d.tiles);
  const TensorRef one = b.variable("one", ElementType::kUnsignedInt, {{64, 2}});
  std::vector<std::pair<std::size_t, std::uint32_t>> all;
  for (std::uint32_t tile = 0; tile < d.tiles; ++tile) all.emplace_back(64, tile);
  const TensorRef to = b.variable("to", ElementType::kUnsignedInt, all);
  b.handles("one", one);
  b.handles("to", to);
  SystemRunner runner = d.start(
      b, {copy({one.type, one.view.reshape(std::array<std::size_t, 2>{1, 64}).broadcast(0, d.tiles).flatten()}, to)});
  runner.write("one", counting(64));
  runner.run(0);
  const Words result = runner.read<std::uint32_t>("to");
  for (std::size_t i = 0; i < result.size(); ++i) REQUIRE(result[i] == 1 + i % 64);
  // Three packets of 16 bytes of description, one for each other chip.
  std::uint64_t packets = 0;
  for (const image::Phase& phase : runner.executable().chips[1].phases) packets += phase.words;
  CHECK(packets == 64);
}

TEST_CASE("more words than a tile counts at once come in several rounds") {
  const Device d("mk2-4x2");
  GraphBuilder b(d.tiles);
  constexpr std::size_t kWords = 70'000;
  const TensorRef x = b.variable("x", ElementType::kUnsignedInt, {{kWords / 2, 0}, {kWords / 2, 1}});
  const TensorRef y = b.variable("y", ElementType::kUnsignedInt, {{kWords, 6}});
  b.write_handle("x", x);
  b.read_handle("y", y);
  SystemRunner runner = d.start(b, {copy(x, y)});
  runner.write("x", counting(kWords));
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("y") == counting(kWords));
}

namespace {

// A counter on a chip, a limit on another and a flag on a third, if there is one.
struct Counting : GraphBuilder {
  TensorRef count, limit, flag, log;
  graph::ComputeSetId step, below, vote;

  explicit Counting(std::uint32_t tiles) : GraphBuilder(tiles) {
    add_codelets(*this, R"(
      struct Step : Vertex { InOut<unsigned> count; bool compute() { *count += 1; return true; } };
      struct Below : Vertex {
        Input<unsigned> count, limit; Output<int> flag;
        bool compute() { *flag = *count < *limit; return *count < *limit; }
      };
      struct Vote : Vertex { Input<unsigned> count, limit; bool compute() { return *count < *limit; } };)");
    count = variable("count", ElementType::kUnsignedInt, {{1, 1}});
    limit = variable("limit", ElementType::kUnsignedInt, {{1, 6}});
    flag = slice(variable("flag", ElementType::kInt, {{3, tiles - 2}}), 1, 2);
    handles("count", count);
    write_handle("limit", limit);
    handles("flag", flag);
    step = add_compute_set(*this, "step");
    add_vertex(*this, step, "Step", 1, {{"count", count}});
    below = add_compute_set(*this, "below");
    add_vertex(*this, below, "Below", 4, {{"count", count}, {"limit", limit}, {"flag", flag}});
    vote = add_compute_set(*this, "vote");
    add_vertex(*this, vote, "Vote", 0, {{"count", count}, {"limit", limit}});
    add_vertex(*this, vote, "Vote", 5, {{"count", count}, {"limit", count}});
  }
};

Words one(std::uint32_t value) { return {value}; }

}  // namespace

TEST_CASE("loops, branches and votes go by predicates on any chip") {
  const Device d(GENERATE("mk2-4x2", "mk2-4x4"));
  const chip::Backend backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  Counting g(d.tiles);
  const auto times = [&](std::uint32_t n) { return program(graph::Repeat{n, execute(g.step)}); };
  SystemRunner runner =
      d.start(g,
              {program(graph::RepeatWhile{execute(g.below), g.flag, true, execute(g.step)}),
               program(graph::If{g.flag, sequence({execute(g.step), execute(g.step)}), execute(g.step)}),
               program(graph::Switch{g.flag, {{0, times(1)}, {-5, times(10)}}, times(1000)}), execute(g.vote, g.flag),
               program(graph::AbortOnCondition{g.flag, "flag was set"})},
              backend);
  runner.write("limit", one(7));
  runner.run(0);
  CHECK(runner.read<std::uint32_t>("count") == one(7));
  CHECK(runner.read<std::uint32_t>("flag") == one(0));
  runner.write("flag", one(0x10000));
  runner.run(1);
  CHECK(runner.read<std::uint32_t>("count") == one(9));
  runner.write("flag", one(0));
  runner.run(1);
  CHECK(runner.read<std::uint32_t>("count") == one(10));
  runner.run(2);
  CHECK(runner.read<std::uint32_t>("count") == one(11));
  runner.write("flag", one(static_cast<std::uint32_t>(-5)));
  runner.run(2);
  CHECK(runner.read<std::uint32_t>("count") == one(21));
  runner.write("flag", one(1));
  runner.run(3);  // one of the vertices is never for it
  CHECK(runner.read<std::uint32_t>("flag") == one(0));
  runner.run(4);
  runner.write("flag", one(2));
  CHECK_THROWS_WITH(runner.run(4), "abort: flag was set");
}

TEST_CASE("compute sets read and write tensors of other chips, with streams in and out in a loop") {
  const Device d(GENERATE("mk2-4x2", "mk2-4x4"));
  const chip::Backend backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  GraphBuilder b(d.tiles);
  add_codelets(b, R"(
    struct Add : Vertex {
      Input<Vector<float>> a, b;
      Output<Vector<float>> out;
      void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] = a[i] + 2 * b[i]; }
    };)");
  constexpr std::size_t kEach = 33;
  std::vector<std::pair<std::size_t, std::uint32_t>> own, next, far;
  for (std::uint32_t tile = 0; tile < d.tiles; ++tile) {
    own.emplace_back(kEach, tile);
    next.emplace_back(kEach, (tile + 4) % d.tiles);
    far.emplace_back(kEach, (tile + 7) % d.tiles);
  }
  const TensorRef x = b.variable("x", ElementType::kFloat, own), y = b.variable("y", ElementType::kFloat, next);
  const TensorRef z = b.variable("z", ElementType::kFloat, far);
  const std::size_t n = kEach * d.tiles;
  const auto set = add_compute_set(b, "add");
  for (std::uint32_t tile = 0; tile < d.tiles; ++tile)
    add_vertex(b, set, "Add", tile,
               {{"a", slice(x, kEach * tile, kEach * (tile + 1))},
                {"b", slice(y, kEach * tile, kEach * (tile + 1))},
                {"out", slice(z, kEach * tile, kEach * (tile + 1))}});
  b.graph.streams.push_back({"in", ElementType::kFloat, n, true, {}});
  b.graph.streams.push_back({"out", ElementType::kFloat, n, false, {}});
  const ProgramRef turn =
      sequence({program(graph::CopyFromStream{0, x}), execute(set), copy(z, y), program(graph::CopyToStream{z, 1})});
  SystemRunner runner = d.start(b, {program(graph::Repeat{3, turn})}, backend);
  std::vector<float> expected(n);
  unsigned given = 0, taken = 0;
  runner.run(0, [&](std::uint32_t, const image::Stream& s, std::vector<std::uint8_t>& data) {
    std::vector<float> values(n);
    if (s.use == image::StreamUse::kToDevice) {
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i * (given + 1));
      ++given;
      for (std::size_t i = 0; i < n; ++i) expected[i] = values[i] + 2 * expected[i];
      std::memcpy(data.data(), values.data(), data.size());
    } else {
      std::memcpy(values.data(), data.data(), data.size());
      CHECK(values == expected);
      ++taken;
    }
  });
  CHECK(given == 3);
  CHECK(taken == 3);
}

TEST_CASE("what is compiled for several chips does not depend on threads") {
  const Device d("mk2-4x4");
  Counting g(d.tiles);
  const TensorRef large = g.variable("large", ElementType::kUnsignedShort, {{4001, 0}, {3001, 6}, {999, 15}});
  g.handles("large", large);
  const ProgramRef program =
      sequence({copy(slice(large, 1, 3000), slice(large, 4500, 7499)), execute(g.below),
                test::program(graph::RepeatWhile{execute(g.below), g.flag, true, execute(g.step)})});
  std::vector<std::vector<std::uint8_t>> made;
  for (const unsigned threads : {1u, 4u}) {
    compiler::GraphCompileOptions options;
    options.chips = d.chips;
    options.threads = threads;
    made.push_back(image::serialize(compiler::compile(g.graph, {program}, d.system.chips[0], options)));
  }
  CHECK(made[0] == made[1]);
}

TEST_CASE("the summary is of all chips, with tiles numbered through them") {
  const Device d("mk2-4x2");
  GraphBuilder b(d.tiles);
  const TensorRef v = b.variable("v", ElementType::kUnsignedInt, {{5, 0}, {9000, 6}});
  b.handles("v", v);
  image::Executable executable = d.compile(b, {sequence({})});
  std::ostringstream text;
  image::print_summary(text, executable, {.execution_steps = true, .ipus = true, .tiles = true, .variables = true});
  CHECK_THAT(text.str(), ContainsText("Target:\n  Machine: 2 mk2-4, 8 tiles\n\nMemory"));
  CHECK_THAT(text.str(), ContainsText("Fullest tile: 6, "));
  CHECK_THAT(text.str(), ContainsText("\n  IPU 0 ") && ContainsText("\n  IPU 1 ") && ContainsText("\n  Tile 7 "));
  CHECK_THAT(text.str(), ContainsText("36020 bytes on 2 tiles"));
  CHECK_THAT(text.str(), ContainsText("  write v\n  read v\n"));
  CHECK_THAT(text.str(), !ContainsText("Replicas"));
  executable.replicas = 3;
  std::ostringstream replicated;
  image::print_summary(replicated, executable, {});
  CHECK_THAT(replicated.str(), ContainsText("\n  Replicas: 3, of which 0 words differ; what follows is of one\n"));
}

TEST_CASE("a field on tiles of two chips is one error that names vertex and field") {
  const Device d("mk2-4x2");
  GraphBuilder b(d.tiles);
  add_codelets(b,
               "struct Sum : Vertex { Input<Vector<float>> in; Output<float> out; void compute() { *out = in[0]; } };");
  const TensorRef in = b.variable("in", ElementType::kFloat, {{2, 3}, {2, 4}});
  const TensorRef out = b.variable("out", ElementType::kFloat, {{1, 0}});
  const auto set = add_compute_set(b, "sum");
  add_vertex(b, set, "Sum", 0, {{"in", in}, {"out", out}});
  try {
    d.compile(b, {execute(set)});
    FAIL("compiled");
  } catch (const graph::GraphError& error) {
    CHECK(error.kind() == graph::GraphErrorKind::kConnection);
    CHECK(std::string(error.what()) ==
          "Tensor on chips 0 and 1 (variable 'in') connected to field 'in' of vertex 0 of type 'Sum' in compute set "
          "'sum' on tile 0; copy it to tiles of one chip first");
  }
  // All on another chip than the vertex is right.
  GraphBuilder other(d.tiles);
  other.graph = b.graph;
  other.graph.variables[0].mapping = {};
  other.graph.variables[0].mapping.assign(0, 4, 5);
  CHECK_NOTHROW(d.compile(other, {execute(set)}));
}

TEST_CASE("a graph for other tiles than those of the chips is one error") {
  const Device d("mk2-4x2");
  GraphBuilder b(7);
  CHECK_THROWS_WITH(d.compile(b, {sequence({})}), "A graph of 7 tiles for 2 chips of mk2-4, which have 8");
}
