// Which tiles of each IPU do what: some for transfers from and to remote buffers and the host (I/O tiles), the others
// for compute, each as a virtual graph (docs/user/streaming-memory.md).
#pragma once

#include <vector>

#include <poplar/Graph.hpp>

namespace gcl {

// So many tiles of every IPU, from number `offset` on of an order in which tiles that follow each other are of
// different exchange blocks, which send beside each other. Calls with other parts of that order have other tiles.
// `sorted`: ascending, else IPU by IPU in that order. `tilePairs` changes nothing: all tiles of an IPU are in the
// order. Throws poputil::poplibs_error where an IPU has not as many.
std::vector<unsigned> perIPUTiles(const poplar::Graph& graph, unsigned offset, unsigned count, bool sorted = true,
                                  bool tilePairs = true);

// The fewest tiles of an IPU that carry all words which its gateway or host takes and gives: one sends while the
// exchange block of the other gets ready for its next packet.
unsigned getMinIoTiles(const poplar::Graph& graph);

}  // namespace gcl
