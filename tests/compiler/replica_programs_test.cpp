// Programs that several replicas run: the same images but for what differs, each with its own host data, and copies
// from replica to replica.
#include <array>
#include <catch2/catch.hpp>
#include <numeric>

#include "compiler/graph/validate.h"
#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/system_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

using Words = std::vector<std::uint32_t>;
using Each = std::vector<Words>;  // by replica

struct Replicas : GraphBuilder {
  spec::System system;
  std::uint32_t chips;  // of one

  Replicas(const std::string& device, std::uint32_t replicas)
      : GraphBuilder(0),
        system(spec::load_system(device)),
        chips(static_cast<std::uint32_t>(system.chips.size()) / replicas) {
    graph.num_tiles = chips * system.chips[0].tiles();
    graph.replicas = replicas;
  }

  // A constant of one element that has the number of its replica.
  TensorRef index(std::uint32_t tile) {
    const TensorRef index = variable("replica", ElementType::kUnsignedInt, {{1, tile}});
    graph::Variable& constant = graph.variables.back();
    constant.constant = true;
    constant.constant_bytes = {0, 0, 0, 0};
    graph::InitialData data{0, {0, 0, 0, 0}};
    for (std::uint8_t r = 1; r < graph.replicas; ++r) data.other_replicas.push_back({r, 0, 0, 0});
    constant.initial.push_back(data);
    return index;
  }

  image::Executable compile(const std::vector<ProgramRef>& programs, compiler::GraphCompileOptions options = {}) const {
    options.chips = chips;
    return compiler::compile(graph, programs, system.chips[0], options);
  }
  SystemRunner start(const std::vector<ProgramRef>& programs, chip::Backend backend = chip::Backend::kModel) const {
    return SystemRunner(compile(programs), system, backend);
  }
};

Each numbered(std::uint32_t replicas, std::size_t n) {
  Each all(replicas, Words(n));
  for (std::uint32_t r = 0; r < replicas; ++r) std::iota(all[r].begin(), all[r].end(), 1000 * (r + 1));
  return all;
}

struct Case {
  const char* device;
  std::uint32_t replicas;
};

}  // namespace

TEST_CASE("each replica has its index, its host data and its initial values") {
  const auto [device, replicas] = GENERATE(Case{"mk2-4x2", 2}, Case{"mk2-4x4", 4}, Case{"mk2-4x4", 2});
  const chip::Backend backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  Replicas g(device, replicas);
  add_codelets(g, R"(
    struct Add : Vertex {
      Input<unsigned> index; InOut<Vector<unsigned>> x;
      void compute() { for (unsigned i = 0; i < x.size(); ++i) x[i] += *index; }
    };)");
  const std::uint32_t last = g.graph.num_tiles - 1;
  const TensorRef x = g.variable("x", ElementType::kUnsignedInt, {{10, last}});
  const TensorRef shorts = g.variable("shorts", ElementType::kUnsignedShort, {{5, 1}});
  graph::InitialData data{1, {1, 2, 3, 4}};
  for (std::uint8_t r = 1; r < replicas; ++r) data.other_replicas.push_back({r, 2, r, 4});
  g.graph.variables.back().initial.push_back({0, {9, 9, 9, 9, 9, 9, 9, 9, 9, 9}});
  g.graph.variables.back().initial.push_back(data);
  g.handles("x", x);
  g.read_handle("shorts", shorts);
  const auto set = add_compute_set(g, "add");
  add_vertex(g, set, "Add", last, {{"index", g.index(last)}, {"x", x}});
  SystemRunner runner = g.start({program(graph::Repeat{3, execute(set)})}, backend);
  runner.write("x", numbered(replicas, 10));
  runner.run(0);
  const Each result = runner.read_all<std::uint32_t>("x");
  const auto initial = runner.read_all<std::uint8_t>("shorts");
  for (std::uint32_t r = 0; r < replicas; ++r) {
    for (std::uint32_t i = 0; i < 10; ++i) CHECK(result[r][i] == 1000 * (r + 1) + i + 3 * r);
    const auto b = static_cast<std::uint8_t>(r);
    CHECK(initial[r] == (r == 0 ? std::vector<std::uint8_t>{9, 9, 1, 2, 3, 4, 9, 9, 9, 9}
                                : std::vector<std::uint8_t>{9, 9, b, 2, b, 4, 9, 9, 9, 9}));
  }
}

TEST_CASE("a copy between replicas brings what the map says, as often as it is wanted") {
  const auto [device, replicas] = GENERATE(Case{"mk2-4x2", 2}, Case{"mk2-4x4", 4}, Case{"mk2-4x4", 2});
  const chip::Backend backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  std::vector<std::vector<std::uint32_t>> maps;
  if (replicas == 2)
    maps = {{1, 0}, {0, 1}, {0, 0}, {1, 1}};
  else
    maps = {{1, 2, 3, 0}, {0, 1, 2, 3}, {0, 0, 0, 0}, {2, 3, 3, 0}, {1, 0, 2, 2}};
  Replicas g(device, replicas);
  const std::uint32_t last = g.graph.num_tiles - 1;
  const TensorRef x = g.variable("x", ElementType::kUnsignedInt, {{50, 0}, {80, last}, {3, 2}});
  const TensorRef y = g.variable("y", ElementType::kUnsignedInt, {{100, 0}, {33, 2}});
  g.handles("x", x);
  g.handles("y", y);
  std::vector<ProgramRef> programs;
  for (const auto& map : maps) programs.push_back(program(graph::CrossReplicaCopy{x, y, map}));
  SystemRunner runner = g.start(programs, backend);
  const Each sources = numbered(replicas, 133);
  runner.write("x", sources);
  for (std::uint32_t m = 0; m < maps.size(); ++m) {
    runner.write("y", Words(133, 7));
    runner.run(m);
    const Each result = runner.read_all<std::uint32_t>("y");
    for (std::uint32_t r = 0; r < replicas; ++r) {
      INFO("map " << m << " replica " << r);
      CHECK(result[r] == sources[maps[m][r]]);
    }
    CHECK(runner.read_all<std::uint32_t>("x") == sources);
  }
}

TEST_CASE("copies of several lanes take what each replica has at other places, and put it there") {
  const auto [device, replicas] = GENERATE(Case{"mk2-4x2", 2}, Case{"mk2-4x4", 4}, Case{"mk2-4x4", 2});
  const chip::Backend backend = GENERATE(chip::Backend::kModel, chip::Backend::kRtl);
  Replicas g(device, replicas);
  const std::uint32_t last = g.graph.num_tiles - 1;
  // Of each tile a part for each replica: all to all.
  constexpr std::size_t kPart = 90, kTiles = 2;
  const TensorRef x = g.variable("x", ElementType::kUnsignedInt, {{kPart * replicas, 0}, {kPart * replicas, last}});
  const TensorRef y = g.variable("y", ElementType::kUnsignedInt, {{kPart * replicas, 0}, {kPart * replicas, last}});
  g.handles("x", x);
  g.handles("y", y);
  const auto part = [&](const TensorRef& t, std::size_t replica) {
    const TensorRef first = slice(t, kPart * replica, kPart * (replica + 1)),
                    second = slice(t, kPart * (replicas + replica), kPart * (replicas + replica + 1));
    return TensorRef{t.type, graph::TensorView::concat(std::array{&first.view, &second.view}, 0)};
  };
  std::vector<graph::CrossReplicaCopy::Part> parts;
  for (std::uint32_t step = 0; step < replicas; ++step) {
    graph::CrossReplicaCopy::Part& one = parts.emplace_back();
    for (std::uint32_t r = 0; r < replicas; ++r) {
      one.sources.push_back(part(x, (r + step) % replicas));
      one.destinations.push_back(part(y, (r + replicas - step) % replicas));
      one.from.push_back((r + replicas - step) % replicas);
    }
  }
  SystemRunner runner = g.start({program(graph::CrossReplicaCopy(parts))}, backend);
  const std::size_t all = kPart * kTiles * replicas;
  const Each sources = numbered(replicas, all);
  runner.write("x", sources);
  runner.run(0);
  const Each result = runner.read_all<std::uint32_t>("y");
  for (std::uint32_t r = 0; r < replicas; ++r)
    for (std::uint32_t i = 0; i < all; ++i) {
      const std::uint32_t of = i / kPart % replicas, tile = i / kPart / replicas;
      CHECK(result[r][i] == sources[of][kPart * (tile * replicas + r) + i % kPart]);
    }
}

TEST_CASE("a ring of copies and sums makes the sum of all replicas in each") {
  const auto [device, replicas] = GENERATE(Case{"mk2-4x2", 2}, Case{"mk2-4x4", 4}, Case{"mk2-4x4", 2});
  Replicas g(device, replicas);
  add_codelets(g, R"(
    struct Sum : Vertex {
      Input<Vector<unsigned short>> in; InOut<Vector<unsigned short>> out;
      void compute() { for (unsigned i = 0; i < out.size(); ++i) out[i] += in[i]; }
    };)");
  const std::uint32_t last = g.graph.num_tiles - 1;
  // Odd sizes: what does not fill words is staged.
  const TensorRef own = g.variable("own", ElementType::kUnsignedShort, {{7, 0}, {21, last}});
  const TensorRef going = g.variable("going", ElementType::kUnsignedShort, {{7, 0}, {21, last}});
  const TensorRef coming = g.variable("coming", ElementType::kUnsignedShort, {{7, 0}, {21, last}});
  g.handles("own", own);
  g.read_handle("going", going);
  const auto set = add_compute_set(g, "sum");
  add_vertex(g, set, "Sum", 0, {{"in", slice(coming, 0, 7)}, {"out", slice(own, 0, 7)}});
  add_vertex(g, set, "Sum", last, {{"in", slice(coming, 7, 28)}, {"out", slice(own, 7, 28)}});
  std::vector<std::uint32_t> from;
  for (std::uint32_t r = 0; r < replicas; ++r) from.push_back((r + replicas - 1) % replicas);
  SystemRunner runner = g.start(
      {sequence({copy(own, going),
                 program(graph::Repeat{replicas - 1, sequence({program(graph::CrossReplicaCopy{going, coming, from}),
                                                               copy(coming, going), execute(set)})})})});
  std::vector<std::vector<std::uint16_t>> values(replicas, std::vector<std::uint16_t>(28));
  std::vector<std::uint16_t> sum(28);
  for (std::uint32_t r = 0; r < replicas; ++r)
    for (std::size_t i = 0; i < 28; ++i) sum[i] += values[r][i] = static_cast<std::uint16_t>(100 * r + i);
  runner.write("own", values);
  runner.run(0);
  const auto result = runner.read_all<std::uint16_t>("own");
  for (std::uint32_t r = 0; r < replicas; ++r) CHECK(result[r] == sum);
}

TEST_CASE("replicas of one chip decide each by itself") {
  Replicas g("mk2-4x4", 4);
  add_codelets(g, R"(
    struct Step : Vertex {
      InOut<unsigned> count; Input<unsigned> limit; Output<int> more;
      void compute() { *count += 3; *more = *count < *limit; }
    };)");
  const TensorRef count = g.variable("count", ElementType::kUnsignedInt, {{1, 1}});
  const TensorRef limit = g.variable("limit", ElementType::kUnsignedInt, {{1, 2}});
  const TensorRef more = g.variable("more", ElementType::kInt, {{1, 3}});
  g.read_handle("count", count);
  g.handles("limit", limit);
  const auto set = add_compute_set(g, "step");
  add_vertex(g, set, "Step", 0, {{"count", count}, {"limit", limit}, {"more", more}});
  SystemRunner runner =
      g.start({program(graph::RepeatWhile{execute(set), more, true, sequence({})}),
               program(graph::Switch{limit, {{2, program(graph::Repeat{5, execute(set)})}}, execute(set)})});
  runner.write("limit", Each{{5}, {50}, {1}, {7}});
  runner.run(0);
  CHECK(runner.read_all<std::uint32_t>("count") == Each{{6}, {51}, {3}, {9}});
  runner.write("limit", Each{{2}, {0}, {2}, {3}});
  runner.run(1);
  CHECK(runner.read_all<std::uint32_t>("count") == Each{{21}, {54}, {18}, {12}});
}

TEST_CASE("replicas of several chips decide each by itself, and their chips together") {
  const auto [device, replicas] = GENERATE(Case{"mk2-4x4", 2}, Case{"mk2-4x8", 4}, Case{"mk2-4x8", 2});
  std::vector<std::uint64_t> seen;  // cycles and memory, of the model
  for (const chip::Backend backend : {chip::Backend::kModel, chip::Backend::kRtl}) {
    Replicas g(device, replicas);
    add_codelets(g, R"(
      struct Step : Vertex {
        InOut<unsigned> count; Input<unsigned> limit; Output<int> more;
        void compute() { *count += 3; *more = *count < *limit; }
      };
      struct Small : Vertex {
        Input<unsigned> x;
        bool compute() { return *x < 60; }
      };)");
    const std::uint32_t last = g.graph.num_tiles - 1;
    const TensorRef count = g.variable("count", ElementType::kUnsignedInt, {{1, 1}});
    const TensorRef seconds = g.variable("seconds", ElementType::kUnsignedInt, {{40, last}});
    const TensorRef limit = g.variable("limit", ElementType::kUnsignedInt, {{1, last}});
    const TensorRef more = g.variable("more", ElementType::kInt, {{1, last - 1}});
    const TensorRef small = g.variable("small", ElementType::kInt, {{1, 0}});
    g.read_handle("count", count);
    g.read_handle("seconds", seconds);
    g.read_handle("small", small);
    g.handles("limit", limit);
    const auto set = add_compute_set(g, "step");
    add_vertex(g, set, "Step", last, {{"count", count}, {"limit", limit}, {"more", more}});
    const auto question = add_compute_set(g, "question");
    add_vertex(g, question, "Small", 0, {{"x", count}});
    add_vertex(g, question, "Small", last, {{"x", limit}});
    // What goes from one chip to the other in each turn is the replica's own.
    std::vector<ProgramRef> copies;
    for (std::size_t i = 0; i < 40; ++i) copies.push_back(copy(count, slice(seconds, i, i + 1)));
    SystemRunner runner =
        g.start({sequence({program(graph::RepeatWhile{execute(set), more, true, sequence(std::move(copies))}),
                           program(graph::Execute{question, small})}),
                 program(graph::Switch{limit, {{2, program(graph::Repeat{5, execute(set)})}}, execute(set)})},
                backend);
    Each limits(replicas), counts(replicas), before(replicas), is_small(replicas);
    for (std::uint32_t r = 0; r < replicas; ++r) {
      limits[r] = {5 + 37 * r};
      counts[r] = {(limits[r][0] + 2) / 3 * 3};
      before[r] = Words(40, counts[r][0] - 3);
      is_small[r] = {counts[r][0] < 60 && limits[r][0] < 60};
    }
    runner.write("limit", limits);
    runner.run(0);
    CHECK(runner.read_all<std::uint32_t>("count") == counts);
    CHECK(runner.read_all<std::uint32_t>("seconds") == before);
    CHECK(runner.read_all<std::uint32_t>("small") == is_small);
    for (std::uint32_t r = 0; r < replicas; ++r) {
      limits[r] = {r % 2 == 0 ? 2U : 9U};
      counts[r][0] += r % 2 == 0 ? 15 : 3;
    }
    runner.write("limit", limits);
    runner.run(1);
    CHECK(runner.read_all<std::uint32_t>("count") == counts);
    std::vector<std::uint64_t> now = runner.memory_hashes();
    now.push_back(runner.cycle());
    if (seen.empty()) seen = now;
    CHECK(now == seen);
  }
}

TEST_CASE("what replicas cannot do is one error") {
  compiler::GraphCompileOptions how;
  const auto refusal = [&](const Replicas& g, const ProgramRef& program) {
    try {
      g.compile({program}, how);
      return std::string("compiled");
    } catch (const graph::GraphError& error) {
      return std::string(error.what());
    }
  };
  Replicas two("mk2-4x2", 2);
  const TensorRef x = two.variable("x", ElementType::kInt, {{1, 0}}),
                  y = two.variable("y", ElementType::kInt, {{1, 1}});
  two.graph.streams.push_back({"in", ElementType::kInt, 1, true, {}});
  CHECK(refusal(two, program(graph::CrossReplicaCopy{x, y, {1}})) ==
        "CrossReplicaCopy names a source for 1 replicas; the graph has 2");
  CHECK(refusal(two, program(graph::CrossReplicaCopy{x, y, {1, 2}})) ==
        "CrossReplicaCopy from replica 2; the graph has 2, from 0 on");
  CHECK(refusal(two, program(graph::If{x, program(graph::CopyFromStream{0, y}), sequence({})}, "maybe")) ==
        "If 'maybe' branches to Copy(stream in, y), for which all replicas must meet, but each replica decides by "
        "itself");
  CHECK(refusal(two, program(graph::If{x, program(graph::CrossReplicaCopy{x, y, {1, 0}}), sequence({})})) ==
        "If branches to CrossReplicaCopy(x, y), for which all replicas must meet, but each replica decides by itself");
  CHECK(refusal(two, program(graph::AbortOnCondition{x, "no"})) == "compiled");
  const TensorRef u = two.variable("u", ElementType::kInt, {{2, 0}, {2, 1}}),
                  v = two.variable("v", ElementType::kInt, {{2, 0}, {2, 1}});
  const auto by_replica = [&](const std::vector<TensorRef>& sources, std::vector<std::uint32_t> from) {
    return refusal(two, program(graph::CrossReplicaCopy({{sources, {slice(v, 0, 1)}, std::move(from)}})));
  };
  CHECK(by_replica({slice(u, 0, 1), slice(u, 1, 2)}, {1, 0}) == "compiled");
  CHECK(by_replica({slice(u, 0, 1), slice(u, 1, 2)}, {0, 1}) == "compiled");
  CHECK_THAT(by_replica({slice(u, 0, 1), slice(u, 2, 3)}, {1, 0}),
             Catch::Matchers::ContainsText(
                 "what replica 1 sends or gets does not lie on the tiles of replica 0, whole words from there"));
  CHECK(by_replica({slice(u, 0, 1), slice(u, 1, 2)}, {1, 1}) ==
        "CrossReplicaCopy to variable 'v' of some replicas to themselves, with tensors by replica");
  CHECK(by_replica({u, u, u}, {1, 0}) == "CrossReplicaCopy names 3 tensors; the graph has 2 replicas");
  two.graph.variables[0].initial.push_back({0, {1, 0, 0, 0}, {{1, 0, 0, 0}, {1, 0, 0, 0}}});
  CHECK(refusal(two, sequence({})) == "Initial values for 3 replicas of variable 'x'; the graph has 2");
  two.graph.variables[0].initial.clear();

  Replicas of_two_chips("mk2-4x4", 2);
  const TensorRef z = of_two_chips.variable("z", ElementType::kInt, {{1, 0}});
  of_two_chips.graph.streams.push_back({"in", ElementType::kInt, 1, true, {}});
  const ProgramRef asks = program(graph::If{z, program(graph::CopyFromStream{0, z}), sequence({})});
  CHECK(refusal(of_two_chips, asks) ==
        "If branches to Copy(stream in, z), for which all replicas must meet, but each replica decides by itself");
  CHECK(refusal(of_two_chips, program(graph::If{z, sequence({}), sequence({})})) == "compiled");
  how.replicas_independent = true;
  CHECK(refusal(of_two_chips, asks) == "compiled");
  CHECK(refusal(two, program(graph::If{x, program(graph::CopyFromStream{0, y}), sequence({})})) == "compiled");
  CHECK(refusal(two, program(graph::If{x, program(graph::CrossReplicaCopy{x, y, {1, 0}}), sequence({})})) ==
        "If branches to CrossReplicaCopy(x, y), for which all replicas must meet, but each replica decides by itself");
  CHECK(refusal(two, program(graph::If{x, program(graph::Sync{graph::Sync::Span::kExternal}), sequence({})})) ==
        "If branches to Sync, for which all replicas must meet, but each replica decides by itself");
  how.replica_syncs = false;
  CHECK(refusal(of_two_chips, sequence({})) ==
        "Engine option target.syncReplicasIndependently: each of 2 replicas of 2 chips decides by itself, and the "
        "system has no sync group of zone GS2 for the chips of one");
  how.replicas_independent = false;
  CHECK(refusal(of_two_chips, program(graph::If{z, sequence({}), sequence({})}, "maybe")) ==
        "If 'maybe': each of 2 replicas of 2 chips decides by itself, and the system has no sync group of zone GS2 for "
        "the chips of one");
  CHECK(refusal(two, program(graph::If{x, sequence({}), sequence({})})) == "compiled");
}
