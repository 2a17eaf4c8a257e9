// Tensors spread evenly over tiles, and how even a mapping is.
#include <algorithm>
#include <numeric>

#include <poputil/TileMapping.hpp>
#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

#include "formats/fnv.h"

namespace poputil {

using poplar::Graph;
using poplar::Interval;
using poplar::Target;
using poplar::Tensor;
using Mapping = Graph::TileToTensorMapping;

namespace {

constexpr std::size_t kLeastBytesOnATile = 128;

std::size_t elements(const std::vector<Interval>& regions) {
  std::size_t n = 0;
  for (const Interval& i : regions) n += i.size();
  return n;
}

}  // namespace

Mapping calcLinearTileMapping(const Target& target, std::vector<std::size_t> shape, unsigned minElementsPerTile,
                              unsigned grainSize, unsigned offset, bool ascendingOrder) {
  const unsigned tiles = target.getNumTiles();
  if (tiles == 0) throw poplibs_error("calcLinearTileMapping: the target has no tiles");
  const std::size_t n = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
  Mapping parts = splitRegions({{0, n}}, grainSize, tiles, minElementsPerTile);
  Mapping mapping(tiles);
  for (unsigned i = 0; i < parts.size(); ++i) {
    const unsigned place = (offset % tiles + i) % tiles;
    mapping[ascendingOrder ? place : tiles - 1 - place] = std::move(parts[i]);
  }
  return mapping;
}

Mapping calcLinearTileMapping(const Graph& graph, std::vector<std::size_t> shape, unsigned minElementsPerTile,
                              unsigned grainSize, unsigned offset, bool ascendingOrder) {
  return calcLinearTileMapping(graph.getTarget(), std::move(shape), minElementsPerTile, grainSize, offset,
                               ascendingOrder);
}

Mapping calcLinearTileMapping(const Target& target, const std::vector<std::size_t> shape, poplar::Type elementType,
                              unsigned offset, bool ascendingOrder) {
  const std::size_t bytes = target.getTypeSize(elementType);
  return calcLinearTileMapping(target, shape, static_cast<unsigned>((kLeastBytesOnATile + bytes - 1) / bytes),
                               target.getVectorWidth(elementType), offset, ascendingOrder);
}

Mapping calcLinearTileMapping(const Graph& graph, const Tensor& t, unsigned offset, bool ascendingOrder) {
  return calcLinearTileMapping(graph.getTarget(), t.shape(), t.elementType(), offset, ascendingOrder);
}

std::pair<Mapping, unsigned> calcLinearTileMappingAndNewOffset(const Graph& graph, const Tensor& t, unsigned offset) {
  Mapping mapping = calcLinearTileMapping(graph, t, offset);
  const auto used = std::count_if(mapping.begin(), mapping.end(),
                                  [](const std::vector<Interval>& regions) { return !regions.empty(); });
  return {std::move(mapping), (offset + static_cast<unsigned>(used)) % graph.getTarget().getNumTiles()};
}

void mapTensorLinearlyWithOffset(Graph& graph, const Tensor& t, unsigned minElementsPerTile, unsigned grainSize,
                                 unsigned offset, bool ascendingOrder) {
  graph.setTileMapping(t,
                       calcLinearTileMapping(graph, t.shape(), minElementsPerTile, grainSize, offset, ascendingOrder));
}

void mapTensorLinearlyWithOffset(Graph& graph, const Tensor& t, unsigned offset, bool ascendingOrder) {
  graph.setTileMapping(t, calcLinearTileMapping(graph, t, offset, ascendingOrder));
}

void mapTensorLinearly(Graph& graph, const Tensor& t, unsigned minElementsPerTile, unsigned grainSize) {
  mapTensorLinearlyWithOffset(graph, t, minElementsPerTile, grainSize, 0);
}

void mapTensorLinearly(Graph& graph, const Tensor& t) { mapTensorLinearlyWithOffset(graph, t, 0); }

std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape, std::size_t seed) {
  if (numTiles == 0) throw poplibs_error("chooseMappingOffset: no tiles");
  tessera::formats::Fnv hash;
  hash.number(seed);
  for (const std::size_t d : shape) hash.number(d);
  return hash.value() % numTiles;
}

std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape) {
  return chooseMappingOffset(numTiles, shape, 0);
}

unsigned getTileImbalance(const Mapping& mapping, unsigned minElementsPerTile, unsigned grainSize) {
  if (mapping.empty()) return 0;
  std::size_t most = 0;
  std::size_t total = 0;
  for (const std::vector<Interval>& regions : mapping) {
    const std::size_t n = elements(regions);
    most = std::max(most, n);
    total += n;
  }
  const std::size_t even =
      std::max<std::size_t>({(total + mapping.size() - 1) / mapping.size(), minElementsPerTile, grainSize});
  return most <= even ? 0 : static_cast<unsigned>(most - even);
}

unsigned getTileImbalance(const Graph& graph, const Tensor& t, unsigned minElementsPerTile, unsigned grainSize) {
  return getTileImbalance(graph.getTileMapping(t), minElementsPerTile, grainSize);
}

unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending) {
  if (numTiles == 0) throw poplibs_error("transformTileIndex: no tiles");
  return ascending ? (tile + numTiles - offset) % numTiles : (2 * numTiles - offset - tile) % numTiles;
}

unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending) {
  if (numTiles == 0) throw poplibs_error("invTransformTileIndex: no tiles");
  return ascending ? (tile + offset) % numTiles : (2 * numTiles - offset - tile) % numTiles;
}

}  // namespace poputil
