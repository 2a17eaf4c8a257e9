// Passes on several threads: what they make does not depend on how many there are.
#include <array>
#include <catch2/catch.hpp>
#include <latch>
#include <set>
#include <stdexcept>
#include <thread>

#include "compiler/graph/validate.h"
#include "compiler/image/executable_file.h"
#include "compiler/parallel/parallel.h"
#include "compiler/passes/compile.h"
#include "compiler/passes/exchange/group_by_tile.h"
#include "tests/compiler/codelet_source.h"

using namespace tessera;
using namespace tessera::test;
using compiler::parallel;

namespace {

constexpr std::uint32_t kTiles = 64, kEach = 320;

// Enough vertices for several parts: each gathers four elements of other tiles, of which its neighbour needs three as
// well, and scatters one. One compute set has a vertex that cannot be, if that is wanted.
struct Everywhere {
  GraphBuilder builder{kTiles};
  TensorRef x = spread("x"), y = spread("y"), z = spread("z");
  std::size_t size = std::size_t{kTiles} * kEach;
  graph::ComputeSetId sum = add_compute_set(builder, "sum");

  Everywhere() {
    add_codelets(builder, R"(
      struct Sum : Vertex {
        Input<Vector<float>> in; Input<float> far; Output<float> out;
        void compute() { float s = *far; for (unsigned i = 0; i < in.size(); ++i) s += in[i]; *out = s; }
      };)");
    for (std::size_t v = 0; v < size; ++v) add(v, y, (v + size / 2) % size);
  }
  TensorRef spread(const std::string& name) {
    std::vector<std::pair<std::size_t, std::uint32_t>> parts;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile) parts.emplace_back(kEach, tile);
    return builder.variable(name, ElementType::kFloat, parts);
  }
  void add(std::size_t v, const TensorRef& to, std::size_t out) {
    const std::size_t from = v * 7 % (size - 4);
    add_vertex(builder, sum, "Sum", static_cast<std::uint32_t>(v / kEach),
               {{"in", slice(x, from, from + 4)},
                {"far", slice(x, size - 1 - v, size - v)},
                {"out", slice(to, out, out + 1)}});
  }
  // An exchange worth threads of its own, since no element follows its neighbour, and several others.
  ProgramRef programs() const {
    const std::array<std::size_t, 2> matrix{kEach, kTiles};
    const std::array<unsigned, 2> turn{1, 0};
    const TensorRef turned{ElementType::kFloat, y.view.reshape(matrix).dim_shuffle(turn).flatten()};
    return sequence({execute(sum), copy(turned, z), copy(z, x), copy(y, z)});
  }
};

std::vector<std::uint8_t> compiled(const Everywhere& e, unsigned threads) {
  compiler::GraphCompileOptions options;
  options.threads = threads;
  return image::serialize(compiler::compile(e.builder.graph, {e.programs()}, spec::load_machine("mk2-64"), options));
}

std::string complaint(const Everywhere& e, unsigned threads) {
  try {
    graph::validate(e.builder.graph, {e.programs()}, threads);
  } catch (const graph::GraphError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("one, two and seven threads make the same executable") {
  const Everywhere everywhere;
  const auto alone = compiled(everywhere, 1);
  CHECK(compiled(everywhere, 2) == alone);
  CHECK(compiled(everywhere, 7) == alone);
  CHECK(compiled(everywhere, 0) == alone);
}

TEST_CASE("of several faults every number of threads tells the same") {
  Everywhere everywhere;
  for (const std::size_t v : {std::size_t{40}, std::size_t{9000}, std::size_t{15000}})
    everywhere.builder.graph.vertices[v].connections.pop_back();
  const std::string alone = complaint(everywhere, 1);
  CHECK(alone.find("Not connected") == 0);
  for (const unsigned threads : {2u, 7u}) CHECK(complaint(everywhere, threads) == alone);
}

TEST_CASE("two elements that are written twice are told of as with one thread") {
  Everywhere everywhere;
  everywhere.add(18000, everywhere.z, 9000);
  everywhere.add(17000, everywhere.z, 9000);
  everywhere.add(200, everywhere.y, 9000);
  const std::string alone = complaint(everywhere, 1);
  CHECK(alone.find("Element 9000 of ") == 0);
  for (const unsigned threads : {2u, 7u}) CHECK(complaint(everywhere, threads) == alone);
}

TEST_CASE("parts run on as many threads as are asked for") {
  std::latch both(2);
  parallel(2, 2, [&](std::size_t) { both.arrive_and_wait(); });  // ends only if both run at once
  std::set<std::thread::id> ids;
  parallel(1, 100, [&](std::size_t) { ids.insert(std::this_thread::get_id()); });
  CHECK(ids == std::set{std::this_thread::get_id()});
  std::vector<int> done(1000);
  parallel(0, done.size(), [&](std::size_t i) { ++done[i]; });
  CHECK(done == std::vector<int>(1000, 1));
  parallel(4, 0, [](std::size_t) { FAIL("there is no part"); });
}

TEST_CASE("of several exceptions that of the lowest part is thrown") {
  for (const unsigned threads : {1u, 2u, 7u})
    for (unsigned turn = 0; turn < 50; ++turn)
      CHECK_THROWS_WITH(parallel(threads, 200,
                                 [](std::size_t i) {
                                   if (i % 10 == 3) throw std::runtime_error("part " + std::to_string(i));
                                 }),
                        "part 3");
}

TEST_CASE("things are grouped by tile in their order, and those of no tile left out") {
  const std::size_t count = 200'000;
  const auto tile_of = [](std::size_t i) { return i % 11 == 0 ? ir::kNone : static_cast<std::uint32_t>(i * i % 150); };
  for (const unsigned threads : {1u, 3u}) {
    const compiler::ByTile by_tile(count, 150, threads, tile_of);
    std::size_t found = 0;
    for (std::uint32_t tile = 0; tile < 150; ++tile) {
      const auto numbers = by_tile[tile];
      found += numbers.size();
      for (std::size_t k = 0; k < numbers.size(); ++k)
        if (tile_of(numbers[k]) != tile || (k > 0 && numbers[k - 1] >= numbers[k])) FAIL("tile " << tile);
    }
    CHECK(found == count - (count + 10) / 11);
  }
}
