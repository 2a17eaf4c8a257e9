// Clones on other IPUs and in other virtual graphs, clones without aliases, and across what dimensions are split.
#include <algorithm>

#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Target;
using poplar::Tensor;
using poplar::TensorCloneMethod;
using Mapping = Graph::TileToTensorMapping;

namespace {

// The tile of each element of the flattened tensor.
std::vector<unsigned> tile_of_elements(const Graph& graph, const Tensor& t) {
  std::vector<unsigned> tiles(t.numElements());
  const Mapping mapping = graph.getTileMapping(t);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& i : mapping[tile]) std::fill(tiles.begin() + i.begin(), tiles.begin() + i.end(), tile);
  }
  return tiles;
}

// Whether elements that differ only in the dimension differ in what `place` says of their tiles.
template <class Place>
bool is_split(const Graph& graph, const Tensor& t, unsigned dimension, Place place) {
  const std::size_t n = t.dim(dimension);
  if (t.numElements() == 0) return false;
  const std::vector<unsigned> tiles = tile_of_elements(graph, t.dimRoll(dimension, t.rank() - 1));
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (place(tiles[i]) != place(tiles[i - i % n])) return true;
  }
  return false;
}

}  // namespace

Tensor cloneToIpu(Graph& graph, const Tensor& t, unsigned dstIPU, const DebugContext& debugContext,
                  TensorCloneMethod method) {
  PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, dstIPU, method));
  const Target& target = graph.getTarget();
  if (dstIPU >= target.getNumIPUs())
    throw poplibs_error("cloneToIpu: there is no IPU " + std::to_string(dstIPU) + "; the target has " +
                        std::to_string(target.getNumIPUs()));
  const unsigned tiles = target.getTilesPerIPU();
  const Mapping from = graph.getTileMapping(t);
  Mapping to(from.size());
  for (unsigned tile = 0; tile < from.size(); ++tile) {
    std::vector<Interval>& regions = to[dstIPU * tiles + tile % tiles];
    regions.insert(regions.end(), from[tile].begin(), from[tile].end());
  }
  const Tensor out = graph.clone(t, {info}, method);
  graph.setTileMapping(out, to);
  info.addOutput(out);
  return out;
}

Tensor cloneToGraph(Graph& srcGraph, Graph& dstGraph, const Tensor& t, const DebugContext& debugContext,
                    TensorCloneMethod method) {
  PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, method));
  if (srcGraph.getReplicationFactor() != dstGraph.getReplicationFactor())
    throw poplibs_error("cloneToGraph: the graphs' replication factors are " +
                        std::to_string(srcGraph.getReplicationFactor()) + " and " +
                        std::to_string(dstGraph.getReplicationFactor()));
  Mapping mapping = srcGraph.getTileMapping(t);
  const unsigned tiles = dstGraph.getTarget().getNumTiles();
  for (std::size_t tile = tiles; tile < mapping.size(); ++tile) {
    if (!mapping[tile].empty())
      throw poplibs_error("cloneToGraph: '" + t.getDebugStr() + "' has elements on tile " + std::to_string(tile) +
                          ", and the destination graph has " + std::to_string(tiles) + " tiles");
  }
  mapping.resize(tiles);
  const Tensor out = srcGraph.clone(t, {info}, method);
  dstGraph.setTileMapping(out, mapping);
  info.addOutput(out);
  return out;
}

std::pair<Tensor, unsigned> cloneAndExpandAliasing(Graph& graph, const Tensor& t, unsigned offset,
                                                   const DebugContext& debugContext) {
  if (!t.containsAliases()) return {graph.clone(t, debugContext), offset};
  const Tensor out = graph.clone(t, debugContext, TensorCloneMethod::CREATE_NEW_ORDER);
  const Tensor flat = out.flatten();
  // What is left of the elements when the first of each is taken out.
  std::vector<Interval> firsts =
      flattenIntervals(graph.getSortedContiguousRegions(t.flatten(), {{0, t.numElements()}}, true));
  std::sort(firsts.begin(), firsts.end());
  std::vector<Interval> repeats;
  std::size_t at = 0;
  for (const Interval& i : firsts) {
    if (at < i.begin()) repeats.emplace_back(at, i.begin());
    at = i.end();
  }
  if (at < flat.numElements()) repeats.emplace_back(at, flat.numElements());
  const Tensor repeated = concat(flat.slices(repeats));
  const auto mapping = calcLinearTileMappingAndNewOffset(graph, repeated, offset);
  graph.setTileMapping(repeated, mapping.first);
  return {out, mapping.second};
}

Tensor createIpuCopy(Graph& graph, const Tensor& t, unsigned dstIpu, Tensor& copySrc, Tensor& copyDst,
                     const DebugContext& debugContext, TensorCloneMethod method) {
  const Tensor out = cloneToIpu(graph, t, dstIpu, debugContext, method);
  copySrc = t;
  copyDst = out;
  if (out.containsAliases()) {
    // An element that is there twice is copied once.
    const Tensor source = t.flatten();
    const auto regions = flattenIntervals(graph.getSortedContiguousRegions(source, {{0, source.numElements()}}, true));
    copySrc = concat(source.slices(regions));
    copyDst = concat(out.flatten().slices(regions));
  }
  return out;
}

Tensor copyToIpu(Graph& masterGraph, const Tensor& t, poplar::program::Sequence& prog, unsigned dstIPU,
                 const DebugContext& debugContext, TensorCloneMethod method) {
  Tensor source;
  Tensor destination;
  const Tensor out = createIpuCopy(masterGraph, t, dstIPU, source, destination, debugContext, method);
  prog.add(poplar::program::Copy(source, destination, false, debugContext));
  return out;
}

bool dimIsSplitOverTiles(const Graph& graph, const Tensor& t, unsigned dimension) {
  return is_split(graph, t, dimension, [](unsigned tile) { return tile; });
}

bool dimIsSplitOverIPUs(const Graph& graph, const Tensor& t, unsigned dimension) {
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  return is_split(graph, t, dimension, [tiles](unsigned tile) { return tile / tiles; });
}

}  // namespace poputil
