// Each tile reads the rows that it holds, wherever a matrix lies. Where a column's rows are on several tiles each of
// them makes slices with zeros for the rows of others, and their sum is the slice: of bits, so that it is exact.
#include "sw/libs/popops/slice_rows.h"

#include <algorithm>
#include <limits>
#include <utility>

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

constexpr std::size_t kMostParts = 64;  // of a slice that are joined in one step, however small it is

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

// Pieces of `columns` for each of the parts that share it, of n rows one after another: on tiles of their own, as
// evenly as words of 8 bytes are. f(tile, elements).
template <class F>
void for_each_share(const Graph& graph, std::size_t piece, std::size_t pieces, std::size_t elements, std::size_t grain,
                    F f) {
  const std::size_t tiles = graph.getTarget().getNumTiles();
  const std::size_t first = piece * tiles / pieces, end = std::max(first + 1, (piece + 1) * tiles / pieces);
  const std::size_t grains = (elements + grain - 1) / grain, share = (grains + end - first - 1) / (end - first) * grain;
  for (std::size_t tile = first, at = 0; at < elements; ++tile, at += share)
    f(static_cast<unsigned>(tile), Interval(at, std::min(elements, at + share)));
}

// The slices that the parts have made zeros but for their own rows of, in one compute set: each tile joins a share of
// all parts' pieces. [n, columns], column pieces one after another in memory.
Tensor joined_slices(Graph& graph, const Tensor& matrix, const std::vector<Stretch>& parts,
                     const std::vector<Tensor>& partial, std::size_t n, SliceStages& stages,
                     const poplar::DebugContext& debugContext) {
  const Type type = partial[0].elementType();
  const std::string name = instantiated(graph, "slice.h", poputil::templateVertex("popops::JoinSlices", type));
  if (stages.joins.empty()) stages.joins.push_back(graph.addComputeSet({debugContext, "join"}));
  std::vector<std::pair<Interval, std::vector<std::size_t>>> pieces;
  for_each_part(parts, {}, [&](const Interval& columns, const std::vector<std::size_t>& numbers) {
    pieces.emplace_back(columns, numbers);
  });
  std::vector<Tensor> out;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const auto& [columns, numbers] = pieces[p];
    out.push_back(graph.addVariable(matrix.elementType(), {n, columns.size()}, {debugContext, "slices"}));
    std::vector<Tensor> operands;
    for (const std::size_t i : numbers) {
      const std::size_t begin = parts[i].columns.begin();
      operands.push_back(partial[i].slice(columns.begin() - begin, columns.end() - begin, 1).flatten().expand({0}));
    }
    const Tensor all = concat(operands), piece = out.back().flatten();
    const std::size_t grain = 8 / graph.getTarget().getTypeSize(type);
    for_each_share(graph, p, pieces.size(), piece.numElements(), grain, [&](unsigned tile, const Interval& share) {
      graph.setTileMapping(piece.slice(share), tile);
      const poplar::VertexRef v = graph.addVertex(stages.joins[0], name);
      graph.connect(v["in"], all.slice(share, 1).flatten());
      graph.connect(v["out"], piece.slice(share).reinterpret(type));
      graph.setTileMapping(v, tile);
    });
  }
  return concat(out, 1);
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
  const Type type = bits_of(graph, matrix);
  const Tensor bits = matrix.reinterpret(type);
  if (most_blocks(parts, columns) <= 1) {
    if (!out.valid()) {
      out = graph.addVariable(matrix.elementType(), {n, columns}, {debugContext, "slices"});
      for (const Stretch& part : parts) graph.setTileMapping(out.slice(part.columns, 1), part.tile);
    }
    const Tensor out_bits = out.reinterpret(type);
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
  if (!out.valid()) {
    // All parts of few elements would come to few tiles: they are joined step by step.
    if (most_blocks(parts, columns) <= kMostParts || n * columns >= graph.getTarget().getNumTiles())
      return joined_slices(graph, matrix, parts, partial, n, stages, debugContext);
    out = graph.addVariable(matrix.elementType(), {n, columns}, {debugContext, "slices"});
    poputil::mapTensorLinearly(graph, out);
  }
  join_stretches(graph, parts, partial, out.reinterpret(type), stages.joins, debugContext);
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
