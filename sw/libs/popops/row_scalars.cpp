// One element of each row read or changed, by the tiles that hold the rows. Where a row is on several tiles each of
// them gives zeros for what the others have, and the sum of the bits is the element.
#include <popops/SelectScalarFromRows.hpp>
#include <popops/UpdateScalarInRows.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/slice_rows.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Execute;

namespace {

void check_rows(const char* function, const Tensor& params, const Tensor& indices) {
  if (params.rank() != 2 || params.numElements() == 0 || !is_float(params.elementType()))
    fail(function, params, "of type " + text_of(params.elementType()) + ", not a matrix of float or half");
  if (indices.elementType() != poplar::UNSIGNED_INT || indices.rank() != 1 || indices.dim(0) != params.dim(0))
    fail(function, indices,
         "of type " + text_of(indices.elementType()) + ", not an unsigned int for each of " +
             std::to_string(params.dim(0)) + " rows");
}

// A vertex for a stretch of params, whose rows are the stretch's columns.
poplar::VertexRef add_vertex_of_rows(Graph& graph, ComputeSet cs, const std::string& name, const Tensor& params,
                                     const Tensor& indices, const Stretch& part) {
  const poplar::VertexRef v = graph.addVertex(cs, instantiated(graph, "row_scalars.h", name));
  graph.setTileMapping(v, part.tile);
  graph.connect(v["block"], params.slice(part.columns).slice(part.rows, 1).flatten());
  graph.connect(v["indices"], indices.slice(part.columns));
  graph.setInitialValue(v["first"], static_cast<unsigned>(part.rows.begin()));
  graph.setInitialValue(v["size"], static_cast<unsigned>(part.rows.size()));
  graph.setInitialValue(v["width"], static_cast<unsigned>(params.dim(1)));
  return v;
}

}  // namespace

Tensor selectScalarFromRows(Graph& graph, const Tensor& params, const Tensor& indices, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext) {
  check_rows("selectScalarFromRows", params, indices);
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(params, indices));
  const std::size_t rows = params.dim(0);
  const poplar::Type type = bits_of(graph, params);
  const Tensor out = graph.addVariable(params.elementType(), {rows}, {info, "selected"});
  const Tensor bits = params.reinterpret(type), out_bits = out.reinterpret(type).expand({0});
  const std::vector<Stretch> parts = stretches_of(graph, params);
  const bool one_tile = most_blocks(parts, rows) <= 1;
  if (!one_tile) poputil::mapTensorLinearly(graph, out);
  const ComputeSet cs = graph.addComputeSet({info, "select"});
  std::vector<Tensor> partial;
  for (const Stretch& part : parts) {
    Tensor to = out_bits.slice(part.columns, 1);
    if (!one_tile) {
      to = graph.addVariable(type, {1, part.columns.size()}, {info, "partial"});
      partial.push_back(to);
    }
    graph.setTileMapping(to, part.tile);
    const poplar::VertexRef v =
        add_vertex_of_rows(graph, cs, poputil::templateVertex("popops::SelectInRows", type), bits, indices, part);
    graph.connect(v["out"], to.flatten());
    // The first of a row's parts tells of the error.
    const unsigned nan = type == poplar::UNSIGNED_INT ? 0x7FC00000U : 0x7E00U;
    graph.setInitialValue(v["wrong"], part.rows.begin() == 0 ? nan : 0U);
  }
  prog.add(Execute(cs, {info}));
  if (!one_tile) {
    std::vector<ComputeSet> joins;
    join_stretches(graph, parts, partial, out_bits, joins, {info});
    for (const ComputeSet join : joins) prog.add(Execute(join, {info}));
  }
  info.addOutput(out);
  return out;
}

void updateScalarInRows(Graph& graph, const Tensor& params, const Tensor& indices, poplar::program::Sequence& program,
                        const poplar::DebugContext& debugContext) {
  check_rows("updateScalarInRows", params, indices);
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(params, indices));
  const ComputeSet cs = graph.addComputeSet({info, "update"});
  const std::string name = poputil::templateVertex("popops::DecrementInRows", params.elementType());
  for (const Stretch& part : stretches_of(graph, params)) add_vertex_of_rows(graph, cs, name, params, indices, part);
  program.add(Execute(cs, {info}));
}

}  // namespace popops
