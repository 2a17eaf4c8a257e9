// Keys alone are left to a network of their own (sort_keys.h), if there are enough. Else every chunk is sorted where it
// lies. All of a row: the chunks of a tile are merged there, then a bitonic network of the tiles' runs, whose
// comparators merge two and keep the first or the last half of them. The first k only: a tree of merges that keep k.
#include "sw/libs/popops/sort_network.h"

#include <algorithm>

#include <popops/Cast.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/slice_rows.h"
#include "sw/libs/popops/sort_keys.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::VertexRef;
using poplar::program::Copy;
using poplar::program::Execute;
using poplar::program::Sequence;

namespace {

constexpr std::size_t kLeastChunk = 8;  // below that another merge costs more than it saves
constexpr std::size_t kChunksOfTile = 4;

// Keys of a chunk and what goes with them.
struct Run {
  unsigned tile;
  Tensor keys;  // vectors of UNSIGNED_INT
  std::vector<Tensor> payloads;
  std::size_t size() const { return keys.numElements(); }
  Run slice(std::size_t begin, std::size_t end) const {
    Run out{tile, keys.slice(begin, end), {}};
    for (const Tensor& payload : payloads) out.payloads.push_back(payload.slice(begin, end));
    return out;
  }
};

class Network {
 public:
  Network(Graph& graph, const SortLayout& layout, std::size_t payloads, Sequence& prog, const DebugContext& context)
      : graph_(graph), layout_(layout), payloads_(payloads), prog_(prog), context_(context) {}

  // rows[r]: the sorted chunks of a row, which come to be one run a tile, in order.
  void sort_all(std::vector<std::vector<Run>>& rows) {
    for (std::vector<Run>& row : rows) row = joined_of_tiles(row);
    std::vector<std::vector<Run>> other = rows;
    for (std::vector<Run>& row : other)
      for (Run& run : row) run = make(run.tile, run.size());
    const std::size_t runs = rows[0].size(), size = rows[0][0].size();
    for (std::size_t half = layout_.size; half < size; half *= 2) {
      step(rows, other, [&](ComputeSet cs, const std::vector<Run>& from, const std::vector<Run>& to) {
        for (std::size_t t = 0; t < runs; ++t) {
          for (std::size_t at = 0; at < size; at += 2 * half) {
            const Run a = from[t].slice(at, at + half), b = from[t].slice(at + half, at + 2 * half);
            merge_halves(cs, a, b, to[t].slice(at, at + half), false);
            merge_halves(cs, a, b, to[t].slice(at + half, at + 2 * half), true);
          }
        }
      });
    }
    for (std::size_t block = 2; block <= runs; block *= 2) {
      for (std::size_t distance = block / 2; distance != 0; distance /= 2) {
        step(rows, other, [&](ComputeSet cs, const std::vector<Run>& from, const std::vector<Run>& to) {
          for (std::size_t t = 0; t < runs; ++t) {
            const bool ascending = (t & block) == 0, lower = (t & distance) == 0;
            // Both see the two in one order.
            const std::size_t first = t & ~distance;
            merge_halves(cs, from[first], from[first | distance], to[t], lower != ascending);
          }
        });
      }
    }
  }

  // The same for the first k, which come to be one run.
  void select(std::vector<std::vector<Run>>& rows, std::size_t k) {
    for (std::vector<Run>& row : rows)
      for (Run& run : row) run = run.slice(0, std::min(k, run.size()));
    while (rows[0].size() > 1) {
      const ComputeSet cs = graph_.addComputeSet({context_, "merge"});
      for (std::vector<Run>& row : rows) {
        std::vector<Run> merged;
        for (std::size_t c = 0; c + 1 < row.size(); c += 2) {
          merged.push_back(make(row[c].tile, std::min(k, row[c].size() + row[c + 1].size())));
          merge(cs, "popops::MergeChunks", row[c], row[c + 1], merged.back());
        }
        row = merged;
      }
      prog_.add(Execute(cs, {context_, "merge"}));
    }
  }

  std::string vertex(const char* name) const {
    return instantiated(graph_, "sorting.h",
                        poputil::templateVertex(name, static_cast<unsigned>(payloads_), payloads_ != 0));
  }

 private:
  // f(compute set, row, what it becomes) for all rows; `rows` and `other` change places.
  template <class F>
  void step(std::vector<std::vector<Run>>& rows, std::vector<std::vector<Run>>& other, F f) {
    const ComputeSet cs = graph_.addComputeSet({context_, "merge"});
    for (std::size_t r = 0; r < rows.size(); ++r) f(cs, rows[r], other[r]);
    prog_.add(Execute(cs, {context_, "merge"}));
    std::swap(rows, other);
  }
  // Chunks of a tile, which lie one after another, as one.
  std::vector<Run> joined_of_tiles(const std::vector<Run>& chunks) const {
    const std::size_t together = std::min(layout_.chunks, layout_.chunks_of_tile);
    std::vector<Run> out;
    for (std::size_t c = 0; c < chunks.size(); c += together) {
      std::vector<Tensor> keys;
      std::vector<std::vector<Tensor>> payloads(payloads_);
      for (std::size_t i = c; i < c + together; ++i) {
        keys.push_back(chunks[i].keys);
        for (std::size_t p = 0; p < payloads_; ++p) payloads[p].push_back(chunks[i].payloads[p]);
      }
      out.push_back({chunks[c].tile, concat(keys), {}});
      for (const std::vector<Tensor>& parts : payloads) out.back().payloads.push_back(concat(parts));
    }
    return out;
  }
  Run make(unsigned tile, std::size_t n) {
    Run out{tile, variable(tile, n), {}};
    for (std::size_t p = 0; p < payloads_; ++p) out.payloads.push_back(variable(tile, n));
    return out;
  }
  Tensor variable(unsigned tile, std::size_t n) {
    const Tensor t = graph_.addVariable(poplar::UNSIGNED_INT, {n}, {context_, "run"});
    graph_.setTileMapping(t, tile);
    return t;
  }
  void merge_halves(ComputeSet cs, const Run& a, const Run& b, const Run& out, bool last) {
    const VertexRef v = merge(cs, "popops::MergeHalves", a, b, out);
    // The bisection that the other workers begin with takes as long as a key for each of its steps and three more.
    const std::size_t workers = graph_.getTarget().getNumWorkerContexts(), n = out.size();
    std::size_t more = 3;
    for (std::size_t left = n; left > 1; left /= 2) ++more;
    if (more > n) more = 0;
    graph_.setInitialValue(v["share"], static_cast<unsigned>((n - more + workers - 1) / workers));
    graph_.setInitialValue(v["more"], static_cast<unsigned>(more));
    graph_.setInitialValue(v["last"], last);
  }
  VertexRef merge(ComputeSet cs, const char* name, const Run& a, const Run& b, const Run& out) {
    const VertexRef v = graph_.addVertex(cs, vertex(name));
    graph_.connect(v["a"], a.keys);
    graph_.connect(v["b"], b.keys);
    graph_.connect(v["out"], out.keys);
    connect_list(v, "of_a", a.payloads);
    connect_list(v, "of_b", b.payloads);
    connect_list(v, "of_out", out.payloads);
    graph_.setTileMapping(v, out.tile);
    return v;
  }

 public:
  void connect_list(const VertexRef& v, const char* field, const std::vector<Tensor>& tensors) {
    graph_.setFieldSize(v[field], static_cast<unsigned>(tensors.size()));
    for (unsigned i = 0; i < tensors.size(); ++i) graph_.connect(v[field][i], tensors[i]);
  }

 private:
  Graph& graph_;
  const SortLayout& layout_;
  std::size_t payloads_;
  Sequence& prog_;
  const DebugContext& context_;
};

// f(row, chunk, first element, end) for all chunks; those of elements that are there.
template <class F>
void for_each_chunk(const SortLayout& layout, F f) {
  for (std::size_t r = 0; r < layout.rows; ++r) {
    for (std::size_t c = 0; c < layout.chunks; ++c)
      f(r, c, std::min(layout.n, c * layout.size), std::min(layout.n, (c + 1) * layout.size));
  }
}

// Values as 32 bits, and back.
Tensor widened(Graph& graph, const Tensor& t, Sequence& prog, const DebugContext& context) {
  const Tensor bits = t.reinterpret(bits_of(graph, t));
  return bits.elementType() == poplar::UNSIGNED_INT ? bits : cast(graph, bits, poplar::UNSIGNED_INT, prog, context);
}
Tensor narrowed(Graph& graph, const Tensor& bits, const Tensor& like, Sequence& prog, const DebugContext& context) {
  const poplar::Type type = bits_of(graph, like);
  const Tensor t = type == poplar::UNSIGNED_INT ? bits : cast(graph, bits, type, prog, context);
  return t.reinterpret(like.elementType());
}

// One tensor of what the runs of all rows hold: [rows, k].
template <class Part>
Tensor joined(const std::vector<std::vector<Run>>& rows, std::size_t k, Part part) {
  std::vector<Tensor> out;
  for (const std::vector<Run>& row : rows) {
    std::vector<Tensor> parts;
    for (const Run& run : row) parts.push_back(part(run));
    out.push_back(concat(parts).slice(0, k).expand({0}));
  }
  return concat(out);
}

void check_width(const Graph& graph, const Tensor& t) {
  if (graph.getTarget().getTypeSize(t.elementType()) > 4)
    throw poputil::poplibs_error("sort: '" + t.getDebugStr() + "' of type " + text_of(t.elementType()) +
                                 ": types of up to 32 bits are sorted");
}

}  // namespace

SortLayout::SortLayout(const Graph& graph, std::size_t rows, std::size_t n) : rows(rows), n(n), chunks(1) {
  const std::size_t tiles = graph.getTarget().getNumTiles();
  while (chunks * 2 * rows <= tiles * kChunksOfTile && n / (chunks * 2) >= kLeastChunk) chunks *= 2;
  size = (n + chunks - 1) / chunks;
  chunks_of_tile = 1;
  while (chunks_of_tile * tiles < rows * chunks) chunks_of_tile *= 2;
}

Tensor make_rows(Graph& graph, const SortLayout& layout, const poplar::Type& type, const DebugContext& debugContext) {
  const Tensor t = graph.addVariable(type, {layout.rows, layout.n}, debugContext);
  for_each_chunk(layout, [&](std::size_t r, std::size_t c, std::size_t begin, std::size_t end) {
    if (begin != end) graph.setTileMapping(t[r].slice(begin, end), layout.tile(r, c));
  });
  return t;
}

SortedRows sort_rows(Graph& graph, const Tensor& keys, const Tensor& values, bool with_places, std::size_t k,
                     bool descending, Sequence& prog, const DebugContext& context) {
  check_width(graph, keys);
  if (values.valid()) check_width(graph, values);
  // Merges of a tree go on on fewer and fewer workers.
  const bool all = k * 4 > keys.dim(1);
  if (all && !values.valid() && !with_places && keys.dim(1) >= kLeastRowOfNetwork && keys.dim(1) <= kMostRowOfNetwork)
    return {sort_keys(graph, keys, descending, prog, context).slice(0, k, 1), Tensor(), Tensor()};
  const SortLayout layout(graph, keys.dim(0), keys.dim(1));
  const std::size_t payloads = values.valid() ? 2 : with_places ? 1 : 0;
  Network network(graph, layout, payloads, prog, context);
  const Tensor in = make_rows(graph, layout, keys.elementType(), {context, "keys"});
  prog.add(Copy(keys, in, false, context));
  // Chunks of one size; what a row lacks comes after all.
  SortLayout whole = layout;
  whole.n = layout.chunks * layout.size;
  const auto padded = [&](const char* name) {
    const Tensor t = make_rows(graph, whole, poplar::UNSIGNED_INT, {context, name});
    if (whole.n != layout.n) {
      const Tensor pad = graph.addConstant(poplar::UNSIGNED_INT, {1, 1}, ~0U, {context, "pad"});
      graph.setTileMapping(pad, 0);
      const Tensor rest = t.slice(layout.n, whole.n, 1);
      prog.add(
          Copy(pad.broadcast(static_cast<unsigned>(rest.dim(0)), 0).broadcast(static_cast<unsigned>(rest.dim(1)), 1),
               rest, false, context));
    }
    return t;
  };
  const Tensor numbers = padded("numbers"), places = payloads != 0 ? padded("places") : Tensor(),
               bits = values.valid() ? padded("values") : Tensor();
  if (values.valid()) prog.add(Copy(widened(graph, values, prog, context), bits.slice(0, layout.n, 1), false, context));
  const std::string make_keys =
      instantiated(graph, "sorting.h", poputil::templateVertex("popops::SortKeys", keys.elementType(), descending));
  const std::string make_places =
      payloads != 0 ? instantiated(graph, "encoding.h", poputil::templateVertex("popops::Iota", poplar::UNSIGNED_INT))
                    : "";
  const ComputeSet start = graph.addComputeSet({context, "keys"}), sort = graph.addComputeSet({context, "chunks"});
  std::vector<std::vector<Run>> rows(layout.rows);
  for_each_chunk(layout, [&](std::size_t r, std::size_t c, std::size_t begin, std::size_t end) {
    const unsigned tile = layout.tile(r, c);
    if (begin != end) {
      const VertexRef v = graph.addVertex(start, make_keys);
      graph.connect(v["in"], in[r].slice(begin, end));
      graph.connect(v["keys"], numbers[r].slice(begin, end));
      graph.setTileMapping(v, tile);
      if (payloads != 0) {
        const VertexRef iota = graph.addVertex(start, make_places);
        graph.connect(iota["out"], places[r].slice(begin, end));
        graph.setInitialValue(iota["first"], static_cast<unsigned>(begin));
        graph.setTileMapping(iota, tile);
      }
    }
    const auto chunk = [&](const Tensor& t) { return t[r].slice(c * layout.size, (c + 1) * layout.size); };
    Run run{tile, chunk(numbers), {}};
    if (payloads != 0) run.payloads.push_back(chunk(places));
    if (values.valid()) run.payloads.push_back(chunk(bits));
    const VertexRef v = graph.addVertex(sort, network.vertex("popops::SortChunk"));
    graph.connect(v["keys"], run.keys);
    network.connect_list(v, "payloads", run.payloads);
    graph.setTileMapping(v, tile);
    rows[r].push_back(run);
  });
  prog.add(Execute(start, context));
  prog.add(Execute(sort, context));
  if (all)
    network.sort_all(rows);
  else
    network.select(rows, k);

  SortedRows out;
  const Tensor found = joined(rows, k, [](const Run& run) { return run.keys; });
  out.keys = graph.clone(keys.elementType(), found, {context, "sorted"});
  const std::string make_values =
      instantiated(graph, "sorting.h", poputil::templateVertex("popops::SortedValues", keys.elementType(), descending));
  const ComputeSet finish = graph.addComputeSet({context, "values"});
  const Tensor flat = found.flatten(), flat_out = out.keys.flatten();
  const auto mapping = graph.getTileMapping(flat);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const auto& share : poputil::splitRegionsBetweenWorkers(graph.getTarget(), mapping[tile], 2)) {
      for (const poplar::Interval& region : share) {
        const VertexRef v = graph.addVertex(finish, make_values);
        graph.connect(v["keys"], flat.slice(region));
        graph.connect(v["out"], flat_out.slice(region));
        graph.setTileMapping(v, tile);
      }
    }
  }
  prog.add(Execute(finish, context));
  if (payloads != 0) out.places = joined(rows, k, [](const Run& run) { return run.payloads[0]; });
  if (values.valid())
    out.values =
        narrowed(graph, joined(rows, k, [](const Run& run) { return run.payloads[1]; }), values, prog, context);
  return out;
}

}  // namespace popops
