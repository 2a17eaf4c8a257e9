// Where tensors live: mappings made for you, and copies that live somewhere else.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/Type.hpp>

namespace poputil {

// Elements in their flattened order, spread over the tiles in nearly equal parts of whole grains, at least
// minElementsPerTile on each tile that has any. The first part goes to tile `offset` (counted from the last tile down
// when ascendingOrder is false) and the others follow, around the end. Gives one entry a tile.
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph,
                                                                 std::vector<std::size_t> shape,
                                                                 unsigned minElementsPerTile, unsigned grainSize,
                                                                 unsigned offset = 0, bool ascendingOrder = true);
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Target& target,
                                                                 std::vector<std::size_t> shape,
                                                                 unsigned minElementsPerTile, unsigned grainSize,
                                                                 unsigned offset = 0, bool ascendingOrder = true);
// The same with a grain of the vector width of the type and at least 128 bytes on a tile.
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Graph& graph, const poplar::Tensor& t,
                                                                 unsigned offset = 0, bool ascendingOrder = true);
std::vector<std::vector<poplar::Interval>> calcLinearTileMapping(const poplar::Target& target,
                                                                 const std::vector<std::size_t> shape,
                                                                 poplar::Type elementType, unsigned offset = 0,
                                                                 bool ascendingOrder = true);
// The mapping from tile `offset` on, and the tile after the last one used: the offset for the next tensor.
std::pair<poplar::Graph::TileToTensorMapping, unsigned> calcLinearTileMappingAndNewOffset(const poplar::Graph& graph,
                                                                                          const poplar::Tensor& t,
                                                                                          unsigned offset = 0);

// Set these mappings.
void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile, unsigned grainSize);
void mapTensorLinearly(poplar::Graph& graph, const poplar::Tensor& t);
void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile,
                                 unsigned grainSize, unsigned offset, bool ascendingOrder = true);
void mapTensorLinearlyWithOffset(poplar::Graph& graph, const poplar::Tensor& t, unsigned offset = 0,
                                 bool ascendingOrder = true);

// A tile that follows from the shape (and seed) alone, so that tensors of different shapes begin at different tiles.
std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape);
std::size_t chooseMappingOffset(std::size_t numTiles, const std::vector<std::size_t>& shape, std::size_t seed);

// By how many elements the fullest tile exceeds an even spread over all tiles, where a tile may always hold a grain and
// the least number of elements. 0 for a balanced tensor.
unsigned getTileImbalance(const poplar::Graph::TileToTensorMapping& mapping, unsigned minElementsPerTile = 0,
                          unsigned grainSize = 1);
unsigned getTileImbalance(const poplar::Graph& graph, const poplar::Tensor& t, unsigned minElementsPerTile = 0,
                          unsigned grainSize = 1);

// Which tiles use which elements, gathered first; from it a mapping near the users.
class TensorUseTrackerState;
class TensorUseTracker {
 public:
  enum class MappingMethod {
    OptimizeHaloRegions,          // elements that several tiles use go to a tile that holds elements beside them
    ConstrainMappingToUsedTiles,  // only tiles that use an element of a group may hold it
    None
  };

  // Mapped, what tile t uses goes to tile t + startTile; descending, to numTiles - startTile - t; both around the end.
  explicit TensorUseTracker(unsigned numTiles, unsigned startTile = 0, bool ascendingMappingOrder = true);
  TensorUseTracker(const TensorUseTracker& other);
  TensorUseTracker(TensorUseTracker&& other) noexcept;
  TensorUseTracker& operator=(const TensorUseTracker& other);
  TensorUseTracker& operator=(TensorUseTracker&& other) noexcept;
  ~TensorUseTracker();

  // The tile uses all elements of t. Throws poplibs_error for a tile the tracker does not have.
  void add(const poplar::Graph& graph, unsigned tile, const poplar::Tensor& t);
  void add(TensorUseTracker other);  // all its uses

  // Makes every element have one tile: of elements with the same users each user gets a part, in whole grains and at
  // least minElementsPerTile. With extendPartialUsage the elements of a variable that nobody uses go to the tile of
  // their neighbours.
  void resolve(const poplar::Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
               bool extendPartialUsage = false, MappingMethod mappingMethod = MappingMethod::None);
  // Resolves and sets the mapping.
  void mapTensorsByUse(poplar::Graph& graph, unsigned grainSize, unsigned minElementsPerTile,
                       bool extendPartialUsage = false, MappingMethod mappingMethod = MappingMethod::None);
  bool empty() const;  // no use was added

 private:
  std::unique_ptr<TensorUseTrackerState> st;
};

// A clone on IPU dstIPU: each element on the tile there that has the number of its own tile.
poplar::Tensor cloneToIpu(poplar::Graph& graph, const poplar::Tensor& t, unsigned dstIPU,
                          const poplar::DebugContext& debugContext = {},
                          poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
// A clone on the tiles of dstGraph that have the numbers which t's tiles have in srcGraph; both are virtual graphs of
// one graph. Throws poplibs_error where dstGraph has no such tile.
poplar::Tensor cloneToGraph(
    poplar::Graph& srcGraph, poplar::Graph& dstGraph, const poplar::Tensor& t,
    const poplar::DebugContext& debugContext = {},
    poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
// A clone without repeated elements: the first of each keeps its tile, the others are mapped linearly from tile
// `offset`. Gives the next offset too.
std::pair<poplar::Tensor, unsigned> cloneAndExpandAliasing(poplar::Graph& graph, const poplar::Tensor& t,
                                                           unsigned offset = 0,
                                                           const poplar::DebugContext& debugContext = {});
// A clone on IPU dstIPU with t's values; prog gets the copy.
poplar::Tensor copyToIpu(poplar::Graph& masterGraph, const poplar::Tensor& t, poplar::program::Sequence& prog,
                         unsigned dstIPU, const poplar::DebugContext& debugContext = {},
                         poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);
// The same without the copy: copySrc and copyDst are what is to be copied.
poplar::Tensor createIpuCopy(poplar::Graph& graph, const poplar::Tensor& t, unsigned dstIpu, poplar::Tensor& copySrc,
                             poplar::Tensor& copyDst, const poplar::DebugContext& debugContext = {},
                             poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_AND_ALIASES);

// Whether elements that differ only in this dimension lie on different tiles, or IPUs.
bool dimIsSplitOverTiles(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);
bool dimIsSplitOverIPUs(const poplar::Graph& graph, const poplar::Tensor& t, unsigned dimension);

// A vector with one element for each index of dimension dim, mapped near the elements of fullTensor that it is
// broadcast to. With ditherMapping the tiles are turned by chooseMappingOffset of fullTensor's shape.
poplar::Tensor createBroadcastOperand(poplar::Graph& graph, const poplar::Tensor& fullTensor, const poplar::Type& type,
                                      unsigned dim, bool ditherMapping = false,
                                      const poplar::DebugContext& debugContext = {});

// The place of a tile in the order that begins at tile `offset`, and back.
unsigned transformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);
unsigned invTransformTileIndex(unsigned tile, unsigned numTiles, unsigned offset, bool ascending);

}  // namespace poputil
