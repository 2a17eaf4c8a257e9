// How many exchange phases a program takes that says nothing of phases.
#include <catch2/catch.hpp>
#include <optional>

#include "compiler/passes/memory/out_of_tile_memory.h"
#include "tests/compiler/layers.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

// Two compute sets on tile 1, which holds `filling` bytes besides; each gathers 12 kB from tile 0.
struct TwoGathers : GraphBuilder {
  ProgramRef program;

  explicit TwoGathers(std::size_t filling) : GraphBuilder(4) {
    add_codelets(*this, R"(
      struct Last : Vertex {
        Input<Vector<int>> in;
        Output<int> out;
        bool compute() { *out = in[in.size() - 1]; return true; }
      };)");
    constexpr std::size_t kElements = 3000;
    handles("filling", variable("filling", ElementType::kUnsignedChar, {{filling, 1}}));
    std::vector<ProgramRef> steps;
    for (const std::string n : {"0", "1"}) {
      const TensorRef in = variable("in " + n, ElementType::kInt, {{kElements, 0}});
      const TensorRef out = variable("out " + n, ElementType::kInt, {{1, 1}});
      std::vector<std::uint32_t> words(kElements, 5);
      words.back() = 7;
      initial(in, words);
      read_handle("out " + n, out);
      const auto set = add_compute_set(*this, "set " + n);
      add_vertex(*this, set, "Last", 1, {{"in", in}, {"out", out}});
      steps.push_back(execute(set));
    }
    program = sequence(std::move(steps));
  }
};

// Phases of a run; none: it does not fit.
std::optional<std::uint64_t> phases(std::size_t filling, bool merge) {
  const spec::Machine machine = spec::load_machine("mk2-4");
  const TwoGathers gathers(filling);
  compiler::GraphCompileOptions options;
  options.optimise.merge_phases = merge;
  try {
    ProgramRunner runner(compiler::compile(gathers.graph, {gathers.program}, machine, options), machine);
    const std::uint64_t before = runner.chip().counters().supersteps;
    runner.run(0);
    const std::uint64_t taken = runner.chip().counters().supersteps - before;
    for (const char* out : {"out 0", "out 1"}) CHECK(runner.read<std::uint32_t>(out).at(0) == 7);
    return taken;
  } catch (const compiler::OutOfTileMemory&) {
    return std::nullopt;
  }
}

}  // namespace

TEST_CASE("a tile that has no room for buffers that are filled early has its phases apart") {
  std::size_t filling = spec::load_machine("mk2-4").memory_bytes;
  while (!phases(filling, false)) filling -= 4096;
  CHECK(phases(filling, false) == 2u);
  CHECK(phases(filling, true) == 2u);
  CHECK(phases(filling - 16384, true) == 1u);
}

TEST_CASE("twenty layers take one phase a layer, and fewer cycles") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  const auto [data, phases_apart] = GENERATE(std::pair(Layers::Data::kCopied, 3u * Layers::kLayers),
                                             std::pair(Layers::Data::kInPlace, 2u * Layers::kLayers));
  const Layers layers(machine.tiles(), data);
  const PhaseCount merged = count_phases(layers, machine, {});
  const PhaseCount apart = count_phases(layers, machine, {.merge_phases = false});
  CHECK(merged.out == expected_out());
  CHECK(apart.out == expected_out());
  CHECK(apart.phases == phases_apart);
  CHECK(merged.phases <= 1.2 * Layers::least_phases(data));
  CHECK(merged.cycles < apart.cycles);
}
