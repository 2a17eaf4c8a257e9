#include "tests/compiler/layers.h"

#include "tests/compiler/program_runner.h"

namespace tessera::test {
namespace {

constexpr unsigned kWidth = Layers::kWidth;

std::uint32_t weight(unsigned layer, unsigned i) { return (i * 2654435761u >> 28) + layer; }
std::uint32_t bias(unsigned layer, unsigned i) { return 100 * layer + i; }

template <class Value>
std::vector<std::uint32_t> values(unsigned count, const Value& value) {
  std::vector<std::uint32_t> all;
  for (unsigned i = 0; i < count; ++i) all.push_back(value(i));
  return all;
}

// `each` elements on every tile, beginning with tile `first`.
TensorRef spread(GraphBuilder& builder, const std::string& name, std::uint32_t tiles, std::size_t each,
                 std::uint32_t first = 0) {
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) parts.push_back({each, (tile + first) % tiles});
  return builder.variable(name, ElementType::kInt, parts);
}

}  // namespace

Layers::Layers(std::uint32_t tiles, Data data) : builder(tiles) {
  add_codelets(builder, R"(
    struct Rows : Vertex {
      Input<Vector<int>> weights, biases, in;
      Output<Vector<int>> out;
      bool compute() {
        for (unsigned row = 0; row < out.size(); ++row) {
          int sum = biases[row];
          for (unsigned i = 0; i < in.size(); ++i) sum += weights[row * in.size() + i] * in[i];
          out[row] = sum;
        }
        return true;
      }
    };)");
  const std::size_t rows = kWidth / tiles;
  TensorRef before = builder.variable("in", ElementType::kInt, {{kWidth, 0}});
  builder.initial(before, values(kWidth, [](unsigned i) { return i + 1; }));
  std::vector<ProgramRef> steps;
  for (unsigned layer = 0; layer < kLayers; ++layer) {
    const std::string n = std::to_string(layer);
    const TensorRef weights = spread(builder, "weights " + n, tiles, rows * kWidth, 1);
    const TensorRef biases = spread(builder, "biases " + n, tiles, rows, 1);
    builder.initial(weights, values(kWidth * kWidth, [&](unsigned i) { return weight(layer, i); }));
    builder.initial(biases, values(kWidth, [&](unsigned i) { return bias(layer, i); }));
    const bool copied = data == Data::kCopied;
    TensorRef own_weights = weights, own_biases = biases, own_in{before.type, before.view.broadcast(0, tiles)};
    if (copied) {
      own_weights = spread(builder, "own weights " + n, tiles, rows * kWidth);
      own_biases = spread(builder, "own biases " + n, tiles, rows);
      own_in = spread(builder, "own in " + n, tiles, kWidth);
      steps.insert(steps.end(), {copy(weights, own_weights), copy(biases, own_biases),
                                 copy({before.type, before.view.broadcast(0, tiles)}, own_in)});
    }
    const TensorRef out = spread(builder, "out " + n, tiles, rows, copied ? 0 : 1);
    const auto set = add_compute_set(builder, "layer " + n);
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      const auto part = [&](const TensorRef& t, std::size_t each) { return slice(t, tile * each, (tile + 1) * each); };
      add_vertex(builder, set, "Rows", tile,
                 {{"weights", part(own_weights, rows * kWidth)},
                  {"biases", part(own_biases, rows)},
                  {"in", part(own_in, kWidth)},
                  {"out", part(out, rows)}});
    }
    steps.push_back(execute(set));
    before = out;
  }
  builder.read_handle("out", before);
  program = sequence(std::move(steps));
}

PhaseCount count_phases(const Layers& layers, const spec::Machine& machine, const compiler::Optimisations& optimise) {
  compiler::GraphCompileOptions options;
  options.optimise = optimise;
  ProgramRunner runner(compiler::compile(layers.builder.graph, {layers.program}, machine, options), machine);
  const chip::Counters before = runner.chip().counters();
  runner.run(0);
  const chip::Counters after = runner.chip().counters();
  return {after.supersteps - before.supersteps, after.cycles - before.cycles, runner.read<std::uint32_t>("out")};
}

std::vector<std::uint32_t> expected_out() {
  std::vector<std::uint32_t> in = values(kWidth, [](unsigned i) { return i + 1; });
  for (unsigned layer = 0; layer < Layers::kLayers; ++layer) {
    std::vector<std::uint32_t> out;
    for (unsigned row = 0; row < kWidth; ++row) {
      out.push_back(bias(layer, row));
      for (unsigned i = 0; i < kWidth; ++i) out.back() += weight(layer, row * kWidth + i) * in[i];
    }
    in = out;
  }
  return in;
}

}  // namespace tessera::test
