#include <algorithm>
#include <gcl/TileAllocation.hpp>
#include <numeric>
#include <poputil/exceptions.hpp>
#include <string>

namespace gcl {

std::vector<unsigned> perIPUTiles(const poplar::Graph& graph, unsigned offset, unsigned count, bool sorted, bool) {
  const poplar::Target& target = graph.getTarget();
  const unsigned tiles = target.getTilesPerIPU();
  if (count > tiles || offset > tiles - count)
    throw poputil::poplibs_error("perIPUTiles: an IPU has " + std::to_string(tiles) + " tiles, and not " +
                                 std::to_string(count) + " from number " + std::to_string(offset) + " on");
  std::vector<unsigned> order(tiles);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return target.getTileHostExchangeContextPosition(a) < target.getTileHostExchangeContextPosition(b);
  });
  std::vector<unsigned> chosen;
  for (unsigned ipu = 0; ipu < target.getNumIPUs(); ++ipu)
    for (unsigned i = offset; i < offset + count; ++i) chosen.push_back(ipu * tiles + order[i]);
  if (sorted) std::sort(chosen.begin(), chosen.end());
  return chosen;
}

unsigned getMinIoTiles(const poplar::Graph& graph) {
  const poplar::Target& target = graph.getTarget();
  const unsigned blocks = target.getTileHostExchangeXB(target.getTilesPerIPU() - 1) + 1;
  return std::min(blocks, 2u);
}

}  // namespace gcl
