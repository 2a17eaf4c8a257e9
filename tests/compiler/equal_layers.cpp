#include "tests/compiler/equal_layers.h"

#include <string>

#include "tests/compiler/codelet_source.h"

namespace tessera::test {
namespace {

std::uint32_t weight(std::uint32_t layer, std::uint32_t set) { return (7 * layer + 3 * set) % 11; }

std::uint32_t source_of(const EqualLayers& shape, std::uint32_t set) {
  return (set + (shape.exchanges ? 1 : 0)) % shape.tiles;
}

}  // namespace

EqualLayersProgram build_layers(const EqualLayers& shape) {
  EqualLayersProgram p{GraphBuilder(shape.tiles), nullptr};
  GraphBuilder& b = p.builder;
  add_codelets(b, R"(
    struct AddScaled : Vertex {
      Input<int> from, weight; InOut<int> to;
      void compute() { *to += *weight * *from; }
    };)");
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  for (std::uint32_t tile = 0; tile < shape.tiles; ++tile) parts.push_back({1, tile});
  const TensorRef x = b.variable("x", ElementType::kInt, parts);
  b.handles("x", x);
  parts.clear();
  for (std::uint32_t set = 0; set < shape.sets; ++set) parts.push_back({1, set % shape.tiles});
  std::vector<ProgramRef> steps;
  for (std::uint32_t layer = 0; layer < shape.layers; ++layer) {
    const std::string name = "layer" + std::to_string(layer);
    const TensorRef weights = b.variable(name + "/weights", ElementType::kInt, parts);
    std::vector<std::uint32_t> values;
    for (std::uint32_t set = 0; set < shape.sets; ++set) values.push_back(weight(layer, set));
    b.initial(weights, values);
    for (std::uint32_t set = 0; set < shape.sets; ++set) {
      const auto id = add_compute_set(b, name + "/set" + std::to_string(set));
      const std::uint32_t tile = set % shape.tiles, source = source_of(shape, set);
      add_vertex(b, id, "AddScaled", tile,
                 {{"from", slice(x, source, source + 1)},
                  {"weight", slice(weights, set, set + 1)},
                  {"to", slice(x, tile, tile + 1)}});
      steps.push_back(execute(id));
    }
  }
  p.program = sequence(std::move(steps));
  return p;
}

std::vector<std::int32_t> run_layers(const EqualLayers& shape, std::vector<std::int32_t> x) {
  for (std::uint32_t layer = 0; layer < shape.layers; ++layer)
    for (std::uint32_t set = 0; set < shape.sets; ++set) {
      const auto product = weight(layer, set) * static_cast<std::uint32_t>(x[source_of(shape, set)]);
      std::int32_t& to = x[set % shape.tiles];
      to = static_cast<std::int32_t>(static_cast<std::uint32_t>(to) + product);
    }
  return x;
}

}  // namespace tessera::test
