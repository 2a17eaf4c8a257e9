// Positions in tensors of any shape, row by row.
#pragma once

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace popops_test {

using Shape = std::vector<std::size_t>;

inline std::size_t elements_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<std::size_t>());
}
inline Shape coordinates(const Shape& shape, std::size_t index) {
  Shape out(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; index /= shape[d]) out[d] = index % shape[d];
  return out;
}
inline std::size_t index_of(const Shape& shape, const Shape& at) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + at[d];
  return index;
}

}  // namespace popops_test
