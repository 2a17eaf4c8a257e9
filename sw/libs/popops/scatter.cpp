#include <popops/Scatter.hpp>

#include <algorithm>

#include <popops/DynamicSlice.hpp>
#include <popops/Loop.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/index_vectors.h"
#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/types.h"

namespace popops {

using Shape = std::vector<std::size_t>;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

namespace {

template <class T>
bool has(const std::vector<T>& list, std::size_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// The sizes of a slice in the operand's dimensions.
Shape slice_sizes(const Tensor& operand, const Tensor& updates, const std::vector<unsigned>& windows,
                  const Shape& inserted) {
  if (windows.size() + inserted.size() != operand.rank() || windows.size() > updates.rank())
    fail("scatter", operand,
         std::to_string(windows.size()) + " dimensions of windows and " + std::to_string(inserted.size()) +
             " inserted ones");
  check_dims("scatter", updates.getDebugStr(), updates.shape(), Shape(windows.begin(), windows.end()),
             Shape(windows.size()));
  check_dims("scatter", operand.getDebugStr(), operand.shape(), inserted, Shape(inserted.size()));
  Shape sizes;
  std::size_t next = 0;
  for (std::size_t d = 0; d < operand.rank(); ++d) sizes.push_back(has(inserted, d) ? 1 : updates.dim(windows[next++]));
  return sizes;
}

// [batch..., slice...] with the dimensions of a slice as in the operand.
Tensor arranged(const Tensor& updates, const std::vector<unsigned>& windows, const Shape& sizes) {
  std::vector<unsigned> order;
  Shape shape;
  for (unsigned d = 0; d < updates.rank(); ++d) {
    if (has(windows, d)) continue;
    order.push_back(d);
    shape.push_back(updates.dim(d));
  }
  order.insert(order.end(), windows.begin(), windows.end());
  shape.insert(shape.end(), sizes.begin(), sizes.end());
  return updates.dimShuffle(order).reshape(shape);
}

// computation: null to replace.
void scattered(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
               std::size_t vector_dim, const std::vector<unsigned>& windows, const Shape& inserted,
               const std::vector<unsigned>& index_map, UpdateComputationFunc* computation, Sequence& prog,
               const DebugContext& context, const poplar::OptionFlags& flags) {
  const OffsetOptions options = parse_offset_options(flags);
  if (options.padding) throw poputil::poplibs_error("scatter: index vectors have no padding index (paddingIndexUsed)");
  if (updates.elementType() != operand.elementType())
    fail("scatter", updates,
         "of type " + text_of(updates.elementType()) + " for '" + operand.getDebugStr() + "' of type " +
             text_of(operand.elementType()));
  const Shape sizes = slice_sizes(operand, updates, windows, inserted);
  IndexVectors vectors("scatter", graph, operand, indices, vector_dim, sizes, index_map, Beyond::Skip);
  Shape batch;
  for (unsigned d = 0; d < updates.rank(); ++d) {
    if (!has(windows, d)) batch.push_back(updates.dim(d));
  }
  if (batch != vectors.batch())
    fail("scatter", updates,
         "without its windows it is not of the shape of the index vectors of '" + indices.getDebugStr() +
             "' of shape " + indices.shapeToString());
  if (updates.numElements() == 0) return;
  const Tensor rows = vectors.to_rows(arranged(updates, windows, sizes)), table = vectors.table();
  const Tensor offsets = vectors.indexed() ? vectors.offsets(options, prog, context).expand({1}) : [&] {
    const Tensor zeros = graph.addConstant(poplar::UNSIGNED_INT, {rows.dim(0), 1}, 0U, {context, "offsets"});
    graph.setTileMapping(zeros, 0);
    return zeros;
  }();
  const std::size_t size = vectors.size();
  if (computation == nullptr) {
    multiUpdate(graph, table, rows, offsets, {0}, {size}, prog, SlicePlan(), {}, context);
    return;
  }
  prog.add(countedLoop(
      graph, rows.dim(0),
      [&](const Tensor& turn) {
        Sequence body({}, context);
        const Tensor which = turn.reshape({1});
        const Tensor offset = dynamicSlice(graph, offsets, which, {0}, {1}, body, {context, "offset"});
        Tensor update = dynamicSlice(graph, rows, which, {0}, {1}, body, {context, "update"});
        Tensor elements = multiSlice(graph, table, offset, {0}, {size}, body, SlicePlan(), {}, {context, "elements"});
        const Tensor joined = (*computation)(graph, elements, update, body);
        if (joined.shape() != update.shape() || joined.elementType() != update.elementType())
          fail("scatter", joined, "not what the computation of updates was given");
        multiUpdate(graph, table, joined, offset, {0}, {size}, body, SlicePlan(), {}, {context, "write"});
        return body;
      },
      context));
}

}  // namespace

void scatter(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
             std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims, Shape insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims, Sequence& prog, const DebugContext& debugContext,
             const poplar::OptionFlags& optionFlags) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(operand, indices, updates, optionFlags));
  scattered(graph, operand, indices, updates, indexVectorDim, updateWindowDims, insertWindowDims,
            scatterDimsToOperandDims, nullptr, prog, {info}, optionFlags);
}

void scatter(Graph& graph, const Tensor& operand, const Tensor& indices, const Tensor& updates,
             std::size_t indexVectorDim, std::vector<unsigned> updateWindowDims, Shape insertWindowDims,
             std::vector<unsigned> scatterDimsToOperandDims, UpdateComputationFunc& updateComputation, Sequence& prog,
             const DebugContext& debugContext, const poplar::OptionFlags& optionFlags) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(operand, indices, updates, optionFlags));
  scattered(graph, operand, indices, updates, indexVectorDim, updateWindowDims, insertWindowDims,
            scatterDimsToOperandDims, &updateComputation, prog, {info}, optionFlags);
}

}  // namespace popops
