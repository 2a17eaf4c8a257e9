// Questions about all elements of a tensor.
#include <numeric>

#include <popops/AllTrue.hpp>
#include <popops/ElementWise.hpp>
#include <popops/NaN.hpp>
#include <popops/Reduce.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/types.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

namespace {

Tensor over_all(Graph& graph, const Tensor& t, Operation op, Sequence& prog, const DebugContext& debugContext) {
  std::vector<std::size_t> dims(t.rank());
  std::iota(dims.begin(), dims.end(), std::size_t{0});
  return reduce(graph, t, dims, op, prog, debugContext);
}

}  // namespace

Tensor allTrue(Graph& graph, Tensor A, Sequence& prog, const DebugContext& debugContext) {
  if (A.elementType() != poplar::BOOL)
    throw poputil::poplibs_error("allTrue: '" + A.getDebugStr() + "' is of type " + text_of(A.elementType()) +
                                 ", not bool");
  return over_all(graph, A, Operation::LOGICAL_AND, prog, debugContext);
}

Tensor hasNaN(Graph& graph, const Tensor& src, Sequence& prog, const DebugContext& debugContext) {
  const Tensor found = map(graph, expr::IsNaN(expr::_1), {src}, prog, debugContext);
  return over_all(graph, found, Operation::LOGICAL_OR, prog, debugContext);
}

Tensor hasNaNOrInf(Graph& graph, const Tensor& src, Sequence& prog, const DebugContext& debugContext) {
  const Tensor found = map(graph, !expr::IsFinite(expr::_1), {src}, prog, debugContext);
  return over_all(graph, found, Operation::LOGICAL_OR, prog, debugContext);
}

}  // namespace popops
