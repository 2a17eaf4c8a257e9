// Floats stand for themselves, but for NaNs, which are counted and are the last ones of their row in the end. Integers
// have keys of UNSIGNED_INT (sw/device/include/popops/sorting.h).
#include "sw/libs/popops/sort_keys.h"

#include <algorithm>
#include <string>

#include <popops/Cast.hpp>
#include <poputil/Util.hpp>
#include <poputil/VertexTemplates.hpp>

#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/key_network.h"

namespace popops {

using namespace poplar;
using namespace poplar::program;

namespace {

// A vertex for each worker's share of each row. f(vertex, its tile, row, begin, end) connects it.
template <class F>
void execute(Graph& graph, const Tensor& rows, const char* header, const std::string& vertex, Sequence& prog,
             const DebugContext& context, F f) {
  const ComputeSet cs = graph.addComputeSet(context);
  const std::string name = instantiated(graph, header, vertex);
  const std::size_t n = rows.dim(1);
  const auto mapping = graph.getTileMapping(rows.flatten());
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const auto& share : poputil::splitRegionsBetweenWorkers(graph.getTarget(), mapping[tile], 2)) {
      for (const Interval& region : share) {
        for (std::size_t at = region.begin(); at != region.end();) {
          const std::size_t row = at / n, end = std::min(region.end(), (row + 1) * n);
          const VertexRef v = graph.addVertex(cs, name);
          graph.setTileMapping(v, tile);
          f(v, tile, row, at - row * n, end - row * n);
          at = end;
        }
      }
    }
  }
  prog.add(Execute(cs, context));
}

// Of each row's numbers, [1] each, the sum. A program for each step, of which each is short.
std::vector<Sequence> sum(Graph& graph, std::vector<std::vector<Tensor>>& rows, const DebugContext& context) {
  constexpr std::size_t kMost = 64;  // summands: no longer than a window takes
  const std::string vertex = instantiated(graph, "key_network.h", poputil::templateVertex("popops::SumNumbers", FLOAT));
  // The tiles at the end have fewer keys than others, or none.
  const unsigned tiles = graph.getTarget().getNumTiles();
  unsigned next = 0;
  std::vector<Sequence> steps;
  const auto done = [](const std::vector<Tensor>& row) { return row.size() == 1; };
  while (!std::all_of(rows.begin(), rows.end(), done)) {
    const ComputeSet cs = graph.addComputeSet(context);
    for (std::vector<Tensor>& row : rows) {
      if (done(row)) continue;
      std::vector<Tensor> sums;
      for (std::size_t at = 0; at < row.size(); at += kMost) {
        const unsigned tile = tiles - 1 - next++ % tiles;
        sums.push_back(graph.addVariable(FLOAT, {1}, context));
        graph.setTileMapping(sums.back(), tile);
        const VertexRef v = graph.addVertex(cs, vertex);
        const std::size_t end = std::min(row.size(), at + kMost);
        graph.connect(v["in"], concat(std::vector<Tensor>(&row[at], &row[at] + (end - at))));
        graph.connect(v["out"], sums.back()[0]);
        graph.setTileMapping(v, tile);
      }
      row = sums;
    }
    steps.push_back(Sequence(Execute(cs, context)));
  }
  return steps;
}

Tensor sort_floats(Graph& graph, const Tensor& in, bool descending, Sequence& prog, const DebugContext& context) {
  KeyNetwork network(graph, in.dim(0), in.dim(1), FLOAT, context);
  const Tensor keys = network.keys();
  prog.add(Copy(in, keys, false, context));
  network.fill(prog);
  std::vector<std::vector<Tensor>> counts(in.dim(0));
  execute(graph, keys, "key_network.h", poputil::templateVertex("popops::StartFloats", descending), prog,
          {context, "keys"},
          [&](const VertexRef& v, unsigned tile, std::size_t row, std::size_t begin, std::size_t end) {
            graph.connect(v["keys"], keys[row].slice(begin, end));
            const Tensor count = graph.addVariable(FLOAT, {1}, {context, "numbers"});
            graph.setTileMapping(count, tile);
            graph.connect(v["numbers"], count[0]);
            counts[row].push_back(count);
          });
  const std::vector<Sequence> sums = sum(graph, counts, {context, "numbers"});
  const Tensor out = network.order(prog, sums);
  execute(graph, out, "key_network.h", poputil::templateVertex("popops::FinishFloats", descending), prog,
          {context, "values"}, [&](const VertexRef& v, unsigned, std::size_t row, std::size_t begin, std::size_t end) {
            graph.connect(v["keys"], out[row].slice(begin, end));
            graph.connect(v["numbers"], counts[row][0][0]);
            graph.setInitialValue(v["from"], static_cast<unsigned>(begin));
          });
  return out;
}

Tensor sort_integers(Graph& graph, const Tensor& keys, bool descending, Sequence& prog, const DebugContext& context) {
  KeyNetwork network(graph, keys.dim(0), keys.dim(1), UNSIGNED_INT, context);
  const Type type = keys.elementType();
  const Tensor in = network.beside_keys(type), numbers = network.keys();
  prog.add(Copy(keys, in, false, context));
  network.fill(prog);
  execute(graph, in, "sorting.h", poputil::templateVertex("popops::SortKeys", type, descending), prog,
          {context, "keys"}, [&](const VertexRef& v, unsigned, std::size_t row, std::size_t begin, std::size_t end) {
            graph.connect(v["in"], in[row].slice(begin, end));
            graph.connect(v["keys"], numbers[row].slice(begin, end));
          });
  const Tensor found = network.order(prog), out = network.beside_keys(type);
  execute(graph, out, "sorting.h", poputil::templateVertex("popops::SortedValues", type, descending), prog,
          {context, "values"}, [&](const VertexRef& v, unsigned, std::size_t row, std::size_t begin, std::size_t end) {
            graph.connect(v["keys"], found[row].slice(begin, end));
            graph.connect(v["out"], out[row].slice(begin, end));
          });
  return out;
}

}  // namespace

Tensor sort_keys(Graph& graph, const Tensor& keys, bool descending, Sequence& prog, const DebugContext& context) {
  if (keys.elementType() == FLOAT) return sort_floats(graph, keys, descending, prog, context);
  if (keys.elementType() != HALF) return sort_integers(graph, keys, descending, prog, context);
  const Tensor floats = cast(graph, keys, FLOAT, prog, context);
  return cast(graph, sort_floats(graph, floats, descending, prog, context), HALF, prog, context);
}

}  // namespace popops
