// Reductions. Operands are seen as a matrix with a column for each element of the result. What a tile holds is cut into
// blocks of rows and columns; every block becomes a vertex. Where a column has several blocks their results are
// partial: a next stage reduces them, in groups as long as they are many.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <popops/ElementWise.hpp>
#include <popops/Fill.hpp>
#include <popops/Reduce.hpp>
#include <poputil/OptionParsing.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/blocks.h"
#include "sw/libs/popops/reduce_vertex.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::OptionFlags;
using poplar::Tensor;
using poplar::Type;
using poplar::program::Sequence;
using Shape = std::vector<std::size_t>;

namespace {

constexpr std::size_t kMostPartials = 64;  // of a column in the last stage
constexpr std::size_t kLeastRows = 64;     // of a worker's share when the rows of a block are split

// Operands on a tile, or on their way to it.
struct Block {
  unsigned tile;
  Interval columns;
  Tensor elements;  // [columns, rows]
};

// The compute sets of the stages, made as they are needed.
class Stages {
 public:
  Stages(Graph& graph, std::vector<ComputeSet>& sets, const DebugContext& debugContext)
      : graph_(graph), sets_(sets), name_(debugContext.getPathName()) {}
  ComputeSet operator[](std::size_t stage) {
    while (sets_.size() <= stage)
      sets_.push_back(graph_.addComputeSet(name_ + "/stage " + std::to_string(sets_.size())));
    return sets_[stage];
  }

 private:
  Graph& graph_;
  std::vector<ComputeSet>& sets_;
  std::string name_;
};

bool sums(Operation op) { return op == Operation::ADD || op == Operation::SQUARE_ADD; }

class Reduction {
 public:
  Reduction(Graph& graph, const ReduceParams& params, Stages& stages, const DebugContext& debugContext)
      : graph_(graph), params_(params), stages_(stages), context_(debugContext) {}

  // matrix: [columns, rows]; out: a vector, or not valid: then one is made, where the results arise.
  Tensor run(const Tensor& matrix, Tensor out, Type out_type) {
    std::vector<Block> blocks = blocks_of(matrix);
    // The matrix engine's weights are loaded in a compute set of their own.
    first_ = std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) { return by_engine(block); }) ? 1 : 0;
    std::size_t stage = first_;
    while (true) {
      const std::size_t most = most_blocks(blocks, matrix.dim(0));
      const bool shared = stage == first_ && worth_sharing(blocks);
      if (most == 1 && !shared) break;
      if (stage != first_ && most <= kMostPartials) {
        out = made(out, matrix.dim(0), out_type, blocks);
        blocks = gathered(blocks, out);
        break;
      }
      if (stage != first_) blocks = grouped(blocks);
      blocks = partial_results(blocks, stage++);
      // What the workers of a tile have found is joined there, before it is exchanged.
      if (shared && most != 1) blocks = partial_results(blocks, stage++);
    }
    out = made(out, matrix.dim(0), out_type, blocks);
    for (const Block& block : blocks) add_vertices(block, out.slice(block.columns), stage, true);
    return out;
  }

 private:
  // Squares are taken once.
  Operation op(std::size_t stage) const {
    return params_.op == Operation::SQUARE_ADD && stage != first_ ? Operation::ADD : params_.op;
  }

  // Whether a block's operands are summed by the matrix engine: halves whose rows lie one after another.
  bool by_engine(const Block& block) const {
    const ReduceVertex vertex{params_.op, block.elements.elementType(), poplar::FLOAT, params_.useScale,
                              params_.update};
    return vertex.by_engine(block.elements.dim(1), block.elements.dim(0)) &&
           block.elements.transpose().flatten().isContiguous();
  }

  std::vector<Block> blocks_of(const Tensor& matrix) {
    std::vector<Block> out;
    for (const Rectangle& held : rectangles_of(graph_, matrix))
      out.push_back({held.tile, held.columns, concat(matrix.slice(held.columns).slices(held.rows, 1), 1)});
    return out;
  }

  // How many workers the rows of a block are split between, where it has too few columns for all of them.
  std::size_t shares(const Block& block) const {
    const std::size_t columns = block.columns.size(), workers = graph_.getTarget().getNumWorkerContexts();
    if (columns >= workers) return 1;
    return std::max<std::size_t>(1, std::min(workers / columns, block.elements.dim(1) / kLeastRows));
  }
  bool worth_sharing(const std::vector<Block>& blocks) const {
    return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) { return shares(block) > 2; });
  }

  // Each block reduced where it lies: blocks of one row, or of one for each worker where columns are few and rows many.
  std::vector<Block> partial_results(const std::vector<Block>& blocks, std::size_t stage) {
    std::vector<Block> out;
    for (const Block& block : blocks) {
      const std::size_t n = shares(block), rows = block.elements.dim(1);
      const Tensor partial = graph_.addVariable(accumulated(params_.op, block.elements.elementType()),
                                                {n, block.columns.size()}, {context_, "partial"});
      graph_.setTileMapping(partial, block.tile);
      for (std::size_t i = 0; i < n; ++i) {
        const Block share{block.tile, block.columns, block.elements.slice(i * rows / n, (i + 1) * rows / n, 1)};
        add_vertices(share, partial[i], stage, false);
      }
      out.push_back({block.tile, block.columns, partial.transpose()});
    }
    return out;
  }

  static Tensor joined(const std::vector<Block>& blocks, const std::vector<std::size_t>& numbers, std::size_t begin,
                       std::size_t end, const Interval& columns) {
    std::vector<Tensor> parts;
    for (std::size_t i = begin; i < end; ++i) {
      const Block& block = blocks[numbers[i]];
      parts.push_back(
          block.elements.slice(columns.begin() - block.columns.begin(), columns.end() - block.columns.begin()));
    }
    return concat(parts, 1);
  }

  // Many partial results of a column: in groups of about the square root of their number, each on the tile of its
  // first.
  std::vector<Block> grouped(const std::vector<Block>& blocks) {
    std::vector<Block> out;
    for_each_part(blocks, {}, [&](const Interval& columns, const std::vector<std::size_t>& numbers) {
      const std::size_t groups = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(numbers.size()))));
      for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t begin = g * numbers.size() / groups, end = (g + 1) * numbers.size() / groups;
        if (begin < end)
          out.push_back({blocks[numbers[begin]].tile, columns, joined(blocks, numbers, begin, end, columns)});
      }
    });
    return out;
  }

  // All partial results of a column, on the tile where its result lives.
  std::vector<Block> gathered(const std::vector<Block>& blocks, const Tensor& result) {
    const auto mapping = graph_.getTileMapping(result);
    std::set<std::size_t> cuts;
    std::map<std::size_t, unsigned> tile_from;
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const Interval& region : mapping[tile]) {
        cuts.insert({region.begin(), region.end()});
        tile_from[region.begin()] = tile;
      }
    }
    std::vector<Block> out;
    for_each_part(blocks, cuts, [&](const Interval& columns, const std::vector<std::size_t>& numbers) {
      const unsigned tile = std::prev(tile_from.upper_bound(columns.begin()))->second;
      out.push_back({tile, columns, joined(blocks, numbers, 0, numbers.size(), columns)});
    });
    return out;
  }

  // The tensor of results: where each arises if its operands are on one tile, else spread evenly.
  Tensor made(const Tensor& out, std::size_t columns, Type type, const std::vector<Block>& blocks) {
    if (out.valid()) return out;
    const Tensor result = graph_.addVariable(type, {columns}, {context_, "result"});
    if (most_blocks(blocks, columns) == 1) {
      for (const Block& block : blocks) graph_.setTileMapping(result.slice(block.columns), block.tile);
    } else {
      poputil::mapTensorLinearly(graph_, result, 1, 1);
    }
    return result;
  }

  // Vertices of the block's tile that reduce it, between them the columns.
  void add_vertices(const Block& block, const Tensor& out, std::size_t stage, bool last) {
    const ReduceVertex vertex{op(stage), block.elements.elementType(), out.elementType(), last && params_.useScale,
                              last && params_.update};
    vertex.add_to(graph_);
    // Rows of many columns that lie together are read row by row.
    const Tensor rows = block.elements.transpose();
    const bool by_rows = rows.dim(1) > 1 && rows.dim(0) != 0 && rows[0].isContiguous();
    const std::size_t row_bytes = rows.dim(1) * graph_.getTarget().getTypeSize(rows.elementType());
    if (stage == first_ && by_engine(block)) {
      vertex.add_by_engine(graph_, block.tile, stages_[stage - 1], stages_[stage], rows, out);
      return;
    }
    if (by_rows && vertex.packed() && row_bytes % 8 == 0 && rows.flatten().isContiguous()) {
      const poplar::VertexRef v = graph_.addVertex(stages_[stage], vertex.matrix());
      graph_.connect(v["in"], rows.flatten());
      graph_.connect(v["out"], out);
      graph_.setInitialValue(v["rows"], static_cast<unsigned>(rows.dim(0)));
      if (vertex.scale) graph_.connect(v["scale"], params_.scale.flatten()[0]);
      graph_.setTileMapping(v, block.tile);
      return;
    }
    for (const auto& share : poputil::splitRegionsBetweenWorkers(graph_.getTarget(), {{0, block.columns.size()}}, 2)) {
      for (const Interval& columns : share) {
        const poplar::VertexRef v = graph_.addVertex(stages_[stage], by_rows ? vertex.rows() : vertex.columns());
        graph_.connect(v["in"], by_rows ? rows.slice(columns, 1) : block.elements.slice(columns));
        graph_.connect(v["out"], out.slice(columns));
        if (vertex.scale) graph_.connect(v["scale"], params_.scale.flatten()[0]);
        graph_.setTileMapping(v, block.tile);
      }
    }
  }

  Graph& graph_;
  const ReduceParams& params_;
  Stages& stages_;
  const DebugContext& context_;
  std::size_t first_ = 0;  // stage of the operands' own vertices
};

// The operands as a matrix [columns, rows], and the shape of the result.
Tensor matrix_of(const Tensor& in, const std::vector<std::size_t>& dims, Shape& result) {
  std::vector<bool> reduced(in.rank());
  for (const std::size_t d : dims) {
    if (d >= in.rank() || reduced[d])
      throw poputil::poplibs_error("reduce: dimension " + std::to_string(d) + " of '" + in.getDebugStr() +
                                   "' of shape " + in.shapeToString() +
                                   (d >= in.rank() ? " is not there" : " is named twice"));
    reduced[d] = true;
  }
  std::vector<unsigned> order;
  result.clear();
  std::size_t rows = 1;
  for (unsigned d = 0; d < in.rank(); ++d) {
    if (reduced[d]) {
      rows *= in.dim(d);
      continue;
    }
    order.push_back(d);
    result.push_back(in.dim(d));
  }
  for (unsigned d = 0; d < in.rank(); ++d) {
    if (reduced[d]) order.push_back(d);
  }
  const std::size_t columns =
      std::accumulate(result.begin(), result.end(), std::size_t{1}, std::multiplies<std::size_t>());
  return in.dimShuffle(order).reshape({columns, rows});
}

// out: not valid for a new tensor.
void check(const Tensor& in, const Tensor& out, const Type& out_type, const ReduceParams& params,
           const OptionFlags& options) {
  // Halves are summed in float whatever is asked for, so nothing else can be.
  Type partial = poplar::FLOAT;
  const auto float_alone = [&] { return poplibs::OptionHandler::createWithEnum(partial, {{"float", poplar::FLOAT}}); };
  const poplibs::OptionSpec spec{{"accumType.interTile", float_alone()}, {"accumType.inVertex", float_alone()}};
  for (const auto& option : options) spec.parse(option.first, option.second);
  const Type type = in.elementType();
  const bool logical = params.op == Operation::LOGICAL_AND || params.op == Operation::LOGICAL_OR;
  const bool of_floats = params.op == Operation::LOG_ADD;
  if (logical != (type == poplar::BOOL) || (of_floats && !is_float(type)))
    throw poputil::poplibs_error(std::string("reduce: ") + name_of(params.op) + " of '" + in.getDebugStr() +
                                 "' of type " + text_of(type));
  if (out_type != type && !(is_float(type) && is_float(out_type)))
    throw poputil::poplibs_error("reduce: of '" + in.getDebugStr() + "' of type " + text_of(type) + " to " +
                                 (out.valid() ? "'" + out.getDebugStr() + "' of " : "") + "type " + text_of(out_type));
  if ((params.update || params.useScale) && !sums(params.op))
    throw poputil::poplibs_error(std::string("reduce: ") + name_of(params.op) + " has neither scale nor update");
  if (params.useScale &&
      (!is_float(type) || params.scale.elementType() != poplar::FLOAT || params.scale.numElements() != 1))
    throw poputil::poplibs_error("reduce: a scale is one float, for float and half; '" + params.scale.getDebugStr() +
                                 "' of shape " + params.scale.shapeToString() + " for '" + in.getDebugStr() + "'");
}

// The neutral element, where there is nothing to reduce.
template <class Set>
void set_neutral(Operation op, Type type, Set set) {
  const std::size_t bits = type == poplar::INT || type == poplar::UNSIGNED_INT       ? 32
                           : type == poplar::SHORT || type == poplar::UNSIGNED_SHORT ? 16
                                                                                     : 8;
  const bool is_signed = type == poplar::INT || type == poplar::SHORT || type == poplar::SIGNED_CHAR;
  const long long most = (1LL << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  switch (op) {
    case Operation::ADD:
    case Operation::SQUARE_ADD:
      return set(0);
    case Operation::MUL:
      return set(1);
    case Operation::LOGICAL_AND:
      return set(true);
    case Operation::LOGICAL_OR:
      return set(false);
    case Operation::MIN:
      return is_float(type) ? set(std::numeric_limits<float>::infinity()) : set(most);
    case Operation::MAX:
      return is_float(type) ? set(-std::numeric_limits<float>::infinity()) : set(least);
    case Operation::LOG_ADD:
      return set(-std::numeric_limits<float>::infinity());
  }
}

// out: not valid for a new one. Gives the result.
Tensor reduce_in(Graph& graph, const Tensor& in, Tensor out, const Type& type, const std::vector<std::size_t>& dims,
                 const ReduceParams& params, std::vector<ComputeSet>& css, const DebugContext& debugContext,
                 const OptionFlags& options) {
  check(in, out, type, params, options);
  Shape shape;
  const Tensor matrix = matrix_of(in, dims, shape);
  if (out.valid() && out.shape() != shape)
    throw poputil::poplibs_error("reduce: '" + out.getDebugStr() + "' of shape " + out.shapeToString() +
                                 " does not have the shape of the result");
  if (out.valid() && !out.isParallelWriteable())
    throw poputil::poplibs_error("reduce: " + out.getVarStr() +
                                 " is to be written and has constant or repeated elements");
  if (out.valid() && out.intersectsWith(in))
    throw poputil::poplibs_error("reduce: '" + out.getDebugStr() + "' shares elements with the operands '" +
                                 in.getDebugStr() + "'");
  Stages stages(graph, css, debugContext);
  const auto flat = [](const Tensor& t) { return t.valid() ? t.flatten() : t; };
  if (matrix.numElements() != 0) {
    return Reduction(graph, params, stages, debugContext).run(matrix, flat(out), type).reshape(shape);
  }
  if (!out.valid()) {
    out = graph.addVariable(type, shape, {debugContext, "result"});
    poputil::mapTensorLinearly(graph, out);
  }
  if (out.numElements() != 0 && !params.update) {
    const auto mapping = graph.getTileMapping(out);
    set_neutral(params.op, type, [&](auto value) { fill(graph, out, mapping, stages[0], value); });
  }
  return out;
}

void execute(const std::vector<ComputeSet>& css, Sequence& prog, const DebugContext& debugContext) {
  for (const ComputeSet cs : css) prog.add(poplar::program::Execute(cs, debugContext));
}

void check_updates_output(const ReduceParams& params) {
  if (params.update) throw poputil::poplibs_error("reduce: an update needs an output; see reduceWithOutput");
}

}  // namespace

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType, const std::vector<std::size_t>& dims,
              ReduceParams params, std::vector<ComputeSet>& css, const DebugContext& debugContext,
              const OptionFlags& options) {
  check_updates_output(params);
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(in, outType, dims, options));
  const Tensor out = reduce_in(graph, in, Tensor(), outType, dims, params, css, {info}, options);
  info.addOutput(out);
  return out;
}

Tensor reduce(Graph& graph, const Tensor& in, const std::vector<std::size_t>& dims, ReduceParams params,
              std::vector<ComputeSet>& css, const DebugContext& debugContext, const OptionFlags& options) {
  return reduce(graph, in, in.elementType(), dims, params, css, debugContext, options);
}

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out, const std::vector<std::size_t>& dims,
                      ReduceParams params, std::vector<ComputeSet>& css, const DebugContext& debugContext,
                      const OptionFlags& options) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(in, out, dims, options));
  reduce_in(graph, in, out, out.elementType(), dims, params, css, {info}, options);
}

Tensor reduce(Graph& graph, const Tensor& in, const Type& outType, const std::vector<std::size_t>& dims,
              ReduceParams params, Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  std::vector<ComputeSet> css;
  const Tensor out = reduce(graph, in, outType, dims, params, css, debugContext, options);
  execute(css, prog, debugContext);
  return out;
}

Tensor reduce(Graph& graph, const Tensor& in, const std::vector<std::size_t>& dims, ReduceParams params, Sequence& prog,
              const DebugContext& debugContext, const OptionFlags& options) {
  return reduce(graph, in, in.elementType(), dims, params, prog, debugContext, options);
}

void reduceWithOutput(Graph& graph, const Tensor& in, const Tensor& out, const std::vector<std::size_t>& dims,
                      ReduceParams params, Sequence& prog, const DebugContext& debugContext,
                      const OptionFlags& options) {
  std::vector<ComputeSet> css;
  reduceWithOutput(graph, in, out, dims, params, css, debugContext, options);
  execute(css, prog, debugContext);
}

void reduceMany(Graph& graph, const std::vector<SingleReduceOp>& reductions, std::vector<Tensor>& outputs,
                Sequence& prog, const DebugContext& debugContext, const OptionFlags& options) {
  if (!outputs.empty() && outputs.size() != reductions.size())
    throw poputil::poplibs_error("reduceMany: " + std::to_string(outputs.size()) + " outputs for " +
                                 std::to_string(reductions.size()) + " reductions");
  const bool make = outputs.empty();
  std::vector<ComputeSet> css;
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const SingleReduceOp& one = reductions[i];
    const DebugContext context(debugContext, one.debugName);
    if (make)
      outputs.push_back(reduce(graph, one.in, one.useOutType ? one.outType : one.in.elementType(), one.dims, one.params,
                               css, context, options));
    else
      reduceWithOutput(graph, one.in, outputs[i], one.dims, one.params, css, context, options);
  }
  execute(css, prog, debugContext);
}

}  // namespace popops
