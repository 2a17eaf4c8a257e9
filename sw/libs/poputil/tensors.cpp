// Copies and reshapes of tensors, and values as the device holds them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <poplar/HalfFloat.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::TensorCloneMethod;

namespace {

bool keeps_aliases(TensorCloneMethod method) {
  return method == TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES ||
         method == TensorCloneMethod::GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES;
}

}  // namespace

Tensor duplicate(Graph& graph, const Tensor& in, poplar::program::Sequence& p, const DebugContext& debugContext,
                 TensorCloneMethod method) {
  const PoplibsOpDebugInfo info(debugContext, DI_ARGS(in, method));
  const Tensor out = graph.clone(in, {info}, method);
  Tensor source = in.flatten();
  Tensor destination = out.flatten();
  if (keeps_aliases(method) && in.containsAliases()) {
    // An element that is there twice is copied once.
    const auto regions = flattenIntervals(graph.getSortedContiguousRegions(source, {{0, source.numElements()}}, true));
    source = concat(source.slices(regions));
    destination = concat(destination.slices(regions));
  }
  p.add(poplar::program::Copy(source, destination, false, {info}));
  return out;
}

Tensor cloneN(Graph& graph, const Tensor& t, unsigned N, const DebugContext& debugContext, TensorCloneMethod method) {
  return graph.cloneN(t, N, debugContext, method);
}

double castToDeviceHalfValue(const poplar::Target&, double input) {
  constexpr float kLargest = 65504;
  const float value = static_cast<float>(input);
  return static_cast<float>(poplar::half(std::isnan(value) ? value : std::max(-kLargest, std::min(kLargest, value))));
}

bool checkAccuracyWhenCast(const poplar::Target& target, double input, poplar::Type inputType, poplar::Type outputType,
                           double tolerance) {
  if (inputType == poplar::HALF && outputType == poplar::FLOAT) return true;
  if (inputType != poplar::FLOAT || outputType != poplar::HALF)
    throw poplibs_error("checkAccuracyWhenCast: from " + inputType.toString().cloneAsString() + " to " +
                        outputType.toString().cloneAsString() + "; it is for float to half and half to float");
  const float value = static_cast<float>(input);
  return std::fabs(castToDeviceHalfValue(target, value) - value) < std::fabs(value) * tolerance;
}

Tensor factorDims(const Tensor& t, const std::vector<std::size_t>& factors, unsigned startDim) {
  const unsigned n = static_cast<unsigned>(factors.size());
  if (startDim + n > t.rank())
    throw poplibs_error("factorDims: tensor of shape " + t.shapeToString() + " has no " + std::to_string(n) +
                        " dimensions from " + std::to_string(startDim) + " on");
  std::vector<std::size_t> split;
  std::vector<unsigned> order(startDim);
  std::iota(order.begin(), order.end(), 0U);
  for (unsigned d = 0; d < n; ++d) {
    const std::size_t size = t.dim(startDim + d);
    if (factors[d] == 0 || size % factors[d] != 0)
      throw poplibs_error("factorDims: " + std::to_string(factors[d]) + " does not divide dimension " +
                          std::to_string(startDim + d) + " of shape " + t.shapeToString());
    split.insert(split.end(), {size / factors[d], factors[d]});
    order.push_back(startDim + 2 * d);
  }
  for (unsigned d = 0; d < n; ++d) order.push_back(startDim + 2 * d + 1);
  const Tensor out = t.reshapePartial(startDim, startDim + n, split);
  for (unsigned d = startDim + 2 * n; d < out.rank(); ++d) order.push_back(d);
  return out.dimShuffle(order);
}

Tensor unfactorDims(const Tensor& t, unsigned numDims, unsigned startDim) {
  if (startDim + 2 * numDims > t.rank())
    throw poplibs_error("unfactorDims: tensor of shape " + t.shapeToString() + " has no " +
                        std::to_string(2 * numDims) + " dimensions from " + std::to_string(startDim) + " on");
  std::vector<unsigned> order(startDim);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::size_t> joined;
  for (unsigned d = startDim; d < startDim + numDims; ++d) {
    order.insert(order.end(), {d, d + numDims});
    joined.push_back(t.dim(d) * t.dim(d + numDims));
  }
  for (unsigned d = startDim + 2 * numDims; d < t.rank(); ++d) order.push_back(d);
  return t.dimShuffle(order).reshapePartial(startDim, startDim + 2 * numDims, joined);
}

}  // namespace poputil
