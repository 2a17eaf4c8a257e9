// How the elements that a vertex writes are split between its workers.
#pragma once

#include <poplar/Vertex.hpp>

namespace popops {

// Workers write whole words of 8 bytes, so that no two write to one: a worker's part of n elements.
struct Share {
  unsigned begin, end;
  bool empty() const { return begin == end; }
};
template <class T>
[[gnu::always_inline]] inline Share share_of(unsigned worker, unsigned n) {
  constexpr unsigned kUnit = sizeof(T) < 8 ? 8 / sizeof(T) : 1;
  constexpr unsigned kWorkers = poplar::MultiVertex::numWorkers();
  const unsigned share = ((n + kUnit - 1) / kUnit + kWorkers - 1) / kWorkers * kUnit;
  const unsigned begin = worker * share < n ? worker * share : n;
  return {begin, n - begin < share ? n : begin + share};
}

}  // namespace popops
