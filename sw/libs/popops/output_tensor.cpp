#include <algorithm>

#include <popops/ElementWiseUtil.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/exceptions.hpp>

namespace popops {

using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;

namespace {

// How well a tensor is spread: less is better.
struct Spread {
  std::size_t fullest = 0;  // elements on the tile with the most
  std::size_t regions = 0;
  bool operator<(const Spread& other) const {
    return fullest != other.fullest ? fullest < other.fullest : regions < other.regions;
  }
};

Spread spread_of(const Graph::TileToTensorMapping& mapping) {
  Spread out;
  for (const std::vector<Interval>& regions : mapping) {
    std::size_t elements = 0;
    for (const Interval& region : regions) elements += region.size();
    out.fullest = std::max(out.fullest, elements);
    out.regions += regions.size();
  }
  return out;
}

}  // namespace

Tensor createOutputForElementWiseOp(Graph& graph, const std::vector<Tensor>& inputs, const poplar::Type& outputType,
                                    const poplar::DebugContext& debugContext) {
  if (inputs.empty()) throw poputil::poplibs_error("createOutputForElementWiseOp: no inputs");
  const Tensor* best = nullptr;
  Spread least;
  for (const Tensor& input : inputs) {
    if (input.shape() != inputs[0].shape())
      throw poputil::poplibs_error("createOutputForElementWiseOp: shapes " + inputs[0].shapeToString() + " of '" +
                                   inputs[0].getDebugStr() + "' and " + input.shapeToString() + " of '" +
                                   input.getDebugStr() + "'");
    bool complete = false;
    const auto mapping = graph.getTileMapping(input, &complete);
    if (!complete || !input.isParallelWriteable()) continue;
    const Spread spread = spread_of(mapping);
    if (best != nullptr && !(spread < least)) continue;
    best = &input;
    least = spread;
  }
  if (best != nullptr) return graph.clone(outputType, *best, debugContext);
  const Tensor out = graph.addVariable(outputType, inputs[0].shape(), debugContext);
  poputil::mapTensorLinearly(graph, out);
  return out;
}

}  // namespace popops
