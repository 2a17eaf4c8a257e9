#include <popops/Pad.hpp>

#include <algorithm>
#include <functional>

#include "sw/libs/popops/fail.h"

namespace popops {

using padding::MappingMethod;
using poplar::Graph;
using poplar::Tensor;
using Numbers = std::vector<std::ptrdiff_t>;

namespace {

// Negative padding taken away; the rest.
Tensor truncated(const Tensor& t, std::ptrdiff_t& lower, std::ptrdiff_t& upper, unsigned dim) {
  if (dim >= t.rank()) fail("pad", t, "dimension " + std::to_string(dim) + " is not there");
  const auto size = static_cast<std::ptrdiff_t>(t.dim(dim));
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, -lower), end = size - std::max<std::ptrdiff_t>(0, -upper);
  if (begin > end)
    fail("pad", t,
         "dimension " + std::to_string(dim) + " has fewer elements than the " + std::to_string(begin + size - end) +
             " that are taken away");
  lower = std::max<std::ptrdiff_t>(0, lower);
  upper = std::max<std::ptrdiff_t>(0, upper);
  return t.slice(static_cast<std::size_t>(begin), static_cast<std::size_t>(end), dim);
}

// A new tensor of `number` elements in dim, on the tiles of `edge`, which has one there.
void map_as(Graph& graph, const Tensor& added, const Tensor& edge, unsigned dim) {
  const auto mapping = graph.getTileMapping(edge);
  for (std::size_t i = 0; i < added.dim(dim); ++i) {
    const Tensor slice = added.slice(i, i + 1, dim).flatten();
    for (unsigned tile = 0; tile < mapping.size(); ++tile) {
      for (const poplar::Interval& region : mapping[tile]) graph.setTileMapping(slice.slice(region), tile);
    }
  }
}

// What makes the added elements of a shape. Where they are constants the graph has one for each.
using Make = std::function<Tensor(const std::vector<std::size_t>& shape)>;

Tensor constant_padded(Graph& graph, const Tensor& whole, std::ptrdiff_t lower, std::ptrdiff_t upper, unsigned dim,
                       const Make& make, MappingMethod method) {
  const Tensor t = truncated(whole, lower, upper, dim);
  const auto side = [&](std::ptrdiff_t number, bool first) {
    std::vector<std::size_t> shape = t.shape();
    shape[dim] = static_cast<std::size_t>(number);
    const Tensor added = make(shape);
    if (method == MappingMethod::ZERO) graph.setTileMapping(added, 0);
    if (method == MappingMethod::EDGE) {
      if (t.numElements() == 0) fail("pad", whole, "nothing is left whose mapping the padding could have");
      const std::size_t edge = first ? 0 : t.dim(dim) - 1;
      map_as(graph, added, t.slice(edge, edge + 1, dim), dim);
    }
    return added;
  };
  std::vector<Tensor> parts;
  if (lower > 0) parts.push_back(side(lower, true));
  parts.push_back(t);
  if (upper > 0) parts.push_back(side(upper, false));
  return concat(parts, dim);
}

template <class Pad>
Tensor all_dimensions(Tensor t, const Numbers& lower, const Numbers& upper, Pad pad_one) {
  if (lower.size() != t.rank() || upper.size() != t.rank())
    fail("pad", t,
         "padding of " + std::to_string(lower.size()) + " and " + std::to_string(upper.size()) + " dimensions");
  for (unsigned d = 0; d < lower.size(); ++d) t = pad_one(t, lower[d], upper[d], d);
  return t;
}

template <class T>
Make constants(Graph& graph, const Tensor& t, T value) {
  return [&graph, type = t.elementType(), value](const std::vector<std::size_t>& shape) {
    return graph.addConstant(type, shape, value, "padding");
  };
}

// pad of one dimension with a value.
template <class T>
struct With {
  Graph& graph;
  const T& value;
  MappingMethod method;
  Tensor operator()(const Tensor& t, std::ptrdiff_t lower, std::ptrdiff_t upper, unsigned dim) const {
    return pad(graph, t, lower, upper, dim, value, method);
  }
};

// One tensor, repeated: its mapping is its own.
Tensor tensor_padded(Graph& graph, const Tensor& t, std::ptrdiff_t lower, std::ptrdiff_t upper, unsigned dim,
                     const Tensor& value) {
  if (value.numElements() != 1 || value.elementType() != t.elementType())
    fail("pad", t, "the value '" + value.getDebugStr() + "' is not one element of its type");
  const Make repeated = [&](const std::vector<std::size_t>& shape) {
    std::size_t n = 1;
    for (const std::size_t d : shape) n *= d;
    return value.flatten().broadcast(static_cast<unsigned>(n), 0).reshape(shape);
  };
  return constant_padded(graph, t, lower, upper, dim, repeated, MappingMethod::NONE);
}

}  // namespace

Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper, unsigned dim,
           float val, MappingMethod mappingMethod) {
  return constant_padded(graph, t, paddingLower, paddingUpper, dim, constants(graph, t, val), mappingMethod);
}
Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper, unsigned dim,
           int val, MappingMethod mappingMethod) {
  return constant_padded(graph, t, paddingLower, paddingUpper, dim, constants(graph, t, val), mappingMethod);
}
Tensor pad(Graph& graph, const Tensor& t, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper, unsigned dim,
           const Tensor& val, MappingMethod) {
  return tensor_padded(graph, t, paddingLower, paddingUpper, dim, val);
}

Tensor pad(Graph& graph, const Tensor& t, const Numbers& paddingLower, const Numbers& paddingUpper, float val,
           MappingMethod mappingMethod) {
  return all_dimensions(t, paddingLower, paddingUpper, With<float>{graph, val, mappingMethod});
}
Tensor pad(Graph& graph, const Tensor& t, const Numbers& paddingLower, const Numbers& paddingUpper, int val,
           MappingMethod mappingMethod) {
  return all_dimensions(t, paddingLower, paddingUpper, With<int>{graph, val, mappingMethod});
}
Tensor pad(Graph& graph, const Tensor& t, const Numbers& paddingLower, const Numbers& paddingUpper, const Tensor& val,
           MappingMethod mappingMethod) {
  return all_dimensions(t, paddingLower, paddingUpper, With<Tensor>{graph, val, mappingMethod});
}

Tensor pad(const Tensor& whole, std::ptrdiff_t paddingLower, std::ptrdiff_t paddingUpper, unsigned dim,
           padding::Type type) {
  const Tensor t = truncated(whole, paddingLower, paddingUpper, dim);
  const auto lower = static_cast<std::size_t>(paddingLower), upper = static_cast<std::size_t>(paddingUpper);
  const std::size_t size = t.dim(dim);
  std::vector<Tensor> parts;
  if (type == padding::Type::EDGE) {
    if (size == 0 && lower + upper != 0) fail("pad", whole, "nothing is left whose edge could be repeated");
    if (lower != 0) parts.push_back(t.slice(0, 1, dim).broadcast(static_cast<unsigned>(lower), dim));
    parts.push_back(t);
    if (upper != 0) parts.push_back(t.slice(size - 1, size, dim).broadcast(static_cast<unsigned>(upper), dim));
    return concat(parts, dim);
  }
  if (std::max(lower, upper) >= std::max<std::size_t>(1, size))
    fail("pad", whole,
         "dimension " + std::to_string(dim) + " of " + std::to_string(size) + " elements cannot be mirrored to " +
             std::to_string(std::max(lower, upper)) + " more");
  if (lower != 0) parts.push_back(t.slice(1, lower + 1, dim).reverse(dim));
  parts.push_back(t);
  if (upper != 0) parts.push_back(t.slice(size - 1 - upper, size - 1, dim).reverse(dim));
  return concat(parts, dim);
}
Tensor pad(const Tensor& t, const Numbers& paddingLower, const Numbers& paddingUpper, padding::Type type) {
  return all_dimensions(t, paddingLower, paddingUpper,
                        [&](const Tensor& part, std::ptrdiff_t low, std::ptrdiff_t high, unsigned dim) {
                          return pad(part, low, high, dim, type);
                        });
}

}  // namespace popops
