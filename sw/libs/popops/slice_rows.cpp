// Each tile reads the rows that it holds, wherever a matrix lies. Where a column's rows are on several tiles each of
// them makes slices with zeros for the rows of others, and their sum is the slice: of bits, so that it is exact.
#include "sw/libs/popops/slice_rows.h"

#include <limits>

#include <popops/Reduce.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/blocks.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::ComputeSet;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using poplar::Type;

namespace {

// A block of the matrix with its fields connected, but for the slices.
poplar::VertexRef add_vertex(Graph& graph, ComputeSet cs, const std::string& name, const Tensor& matrix, unsigned tile,
                             const Interval& columns, const Interval& rows, const Rows& which) {
  const poplar::VertexRef v = graph.addVertex(cs, instantiated(graph, "slice.h", name));
  graph.setTileMapping(v, tile);
  const Tensor offsets = which.offsets.reinterpret(poplar::UNSIGNED_INT);
  graph.connect(v["offsets"], offsets.rank() == 1 ? offsets : offsets.slice(tile, tile + 1, 1).flatten());
  graph.connect(v["base"], matrix.slice(columns).slice(rows, 1).transpose().flatten());
  const std::size_t total = matrix.dim(1);
  const std::size_t last =
      which.options.remap ? total - (which.options.padding ? 0 : 1) : std::numeric_limits<unsigned>::max();
  const auto set = [&](const char* field, std::size_t value) {
    graph.setInitialValue(v[field], static_cast<unsigned>(value));
  };
  set("columns", columns.size());
  set("first", rows.begin());
  set("rows", rows.size());
  set("total", total);
  set("size", which.size);
  set("last", last);
  return v;
}

void add_slice(Graph& graph, ComputeSet cs, const Tensor& bits, const Stretch& part, const Rows& rows,
               const Tensor& out) {
  const std::string name = poputil::templateVertex("popops::Slice", bits.elementType());
  const poplar::VertexRef v = add_vertex(graph, cs, name, bits, part.tile, part.columns, part.rows, rows);
  graph.connect(v["slices"], out.flatten());
}

}  // namespace

Type bits_of(const Graph& graph, const Tensor& t) {
  switch (graph.getTarget().getTypeSize(t.elementType())) {
    case 1:
      return poplar::UNSIGNED_CHAR;
    case 2:
      return poplar::UNSIGNED_SHORT;
    case 4:
      return poplar::UNSIGNED_INT;
    default:
      return poplar::UNSIGNED_LONGLONG;
  }
}

void join_stretches(Graph& graph, const std::vector<Stretch>& parts, const std::vector<Tensor>& partial,
                    const Tensor& out, std::vector<ComputeSet>& joins, const poplar::DebugContext& debugContext) {
  for_each_part(parts, {}, [&](const Interval& here, const std::vector<std::size_t>& numbers) {
    std::vector<Tensor> operands;
    for (const std::size_t i : numbers) {
      const std::size_t begin = parts[i].columns.begin();
      operands.push_back(partial[i].slice(here.begin() - begin, here.end() - begin, 1).expand({0}));
    }
    reduceWithOutput(graph, concat(operands), out.slice(here, 1), {0}, Operation::ADD, joins, {debugContext, "join"});
  });
}

Tensor matrix_along(const Tensor& t, std::size_t dim) {
  const std::size_t size = t.dim(static_cast<unsigned>(dim));
  const Tensor last = t.dimRoll(static_cast<unsigned>(dim), t.rank() - 1);
  return last.reshape({size == 0 ? 0 : t.numElements() / size, size});
}

Tensor slice_rows(Graph& graph, const Tensor& matrix, const Rows& rows, Tensor out, SliceStages& stages,
                  const poplar::DebugContext& debugContext) {
  const std::vector<Stretch> parts = stretches_of(graph, matrix);
  const std::size_t n = rows.offsets.dim(0) * rows.size, columns = matrix.dim(0);
  const bool one_tile = most_blocks(parts, columns) <= 1;
  const bool make = !out.valid();
  if (make) {
    out = graph.addVariable(matrix.elementType(), {n, columns}, {debugContext, "slices"});
    if (one_tile) {
      for (const Stretch& part : parts) graph.setTileMapping(out.slice(part.columns, 1), part.tile);
    } else {
      poputil::mapTensorLinearly(graph, out);
    }
  }
  const Type type = bits_of(graph, matrix);
  const Tensor bits = matrix.reinterpret(type), out_bits = out.reinterpret(type);
  if (one_tile) {
    for (const Stretch& part : parts) add_slice(graph, stages.rows, bits, part, rows, out_bits.slice(part.columns, 1));
    return out;
  }
  if (type == poplar::UNSIGNED_LONGLONG)
    throw poputil::poplibs_error("slices of '" + matrix.getDebugStr() + "' of type " + text_of(matrix.elementType()) +
                                 ": the elements that one offset chooses between are on several tiles");
  std::vector<Tensor> partial;
  for (const Stretch& part : parts) {
    partial.push_back(graph.addVariable(type, {n, part.columns.size()}, {debugContext, "partial"}));
    graph.setTileMapping(partial.back(), part.tile);
    add_slice(graph, stages.rows, bits, part, rows, partial.back());
  }
  join_stretches(graph, parts, partial, out_bits, stages.joins, debugContext);
  return out;
}

void update_rows(Graph& graph, const Tensor& matrix, const Tensor& slices, const Rows& rows, UpdateOp op,
                 const Tensor& scale, ComputeSet cs) {
  const bool replaces = op == UpdateOp::Replace;
  const Type type = replaces ? bits_of(graph, matrix) : matrix.elementType();
  const Tensor base = matrix.reinterpret(type), from = slices.reinterpret(type);
  std::string name;
  if (op == UpdateOp::Add) {
    name = poputil::templateVertex("popops::AddSlices", type, scale.elementType());
  } else {
    const char* join = replaces ? "popops::Replace" : op == UpdateOp::Max ? "popops::Largest" : "popops::Product";
    name = poputil::templateVertex("popops::UpdateSlices", type, join);
  }
  for (const Stretch& part : stretches_of(graph, matrix)) {
    const poplar::VertexRef v = add_vertex(graph, cs, name, base, part.tile, part.columns, part.rows, rows);
    graph.connect(v["slices"], from.slice(part.columns, 1).flatten());
    if (op == UpdateOp::Add) graph.connect(v["scale"], scale.flatten()[0]);
  }
}

}  // namespace popops
