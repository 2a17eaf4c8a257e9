// What a tensor view should show, kept one element at a time: the plain reference for views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

namespace index_model {

struct Element {
  std::uint32_t variable;
  std::size_t element;
  bool operator==(const Element&) const = default;
  auto operator<=>(const Element&) const = default;
};

struct Model {
  std::vector<std::size_t> shape;
  std::vector<Element> elements;  // row-major
};

inline std::size_t count(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

inline Model whole(std::uint32_t variable, std::vector<std::size_t> shape) {
  Model m{std::move(shape), {}};
  for (std::size_t i = 0; i < count(m.shape); ++i) m.elements.push_back({variable, i});
  return m;
}

// A model of the shape whose element at each position is that of `from` at the position that `source` makes of it.
template <class Source>
Model gather(const Model& from, std::vector<std::size_t> shape, const Source& source) {
  Model m{std::move(shape), {}};
  const std::size_t n = count(m.shape);
  for (std::size_t flat = 0; flat < n; ++flat) {
    std::vector<std::size_t> at(m.shape.size());
    std::size_t rest = flat;
    for (std::size_t d = m.shape.size(); d > 0; --d) {
      at[d - 1] = rest % m.shape[d - 1];
      rest /= m.shape[d - 1];
    }
    const std::vector<std::size_t> there = source(at);
    std::size_t index = 0;
    for (std::size_t d = 0; d < there.size(); ++d) index = index * from.shape[d] + there[d];
    m.elements.push_back(from.elements[index]);
  }
  return m;
}

inline Model slice(const Model& m, unsigned dim, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> shape = m.shape;
  shape[dim] = end - begin;
  return gather(m, shape, [&](std::vector<std::size_t> at) {
    at[dim] += begin;
    return at;
  });
}

inline Model dim_shuffle(const Model& m, const std::vector<unsigned>& permutation) {
  std::vector<std::size_t> shape;
  for (const unsigned d : permutation) shape.push_back(m.shape[d]);
  return gather(m, shape, [&](const std::vector<std::size_t>& at) {
    std::vector<std::size_t> there(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) there[permutation[i]] = at[i];
    return there;
  });
}

inline Model broadcast(const Model& m, unsigned dim, std::size_t n) {
  std::vector<std::size_t> shape = m.shape;
  shape[dim] *= n;
  return gather(m, shape, [&](std::vector<std::size_t> at) {
    at[dim] %= m.shape[dim];
    return at;
  });
}

inline Model upsample(const Model& m, unsigned dim, std::size_t scale) {
  std::vector<std::size_t> shape = m.shape;
  shape[dim] *= scale;
  return gather(m, shape, [&](std::vector<std::size_t> at) {
    at[dim] /= scale;
    return at;
  });
}

inline Model sub_sample(const Model& m, unsigned dim, std::size_t stride) {
  std::vector<std::size_t> shape = m.shape;
  shape[dim] = (shape[dim] + stride - 1) / stride;
  return gather(m, shape, [&](std::vector<std::size_t> at) {
    at[dim] *= stride;
    return at;
  });
}

inline Model reverse(const Model& m, unsigned dim) {
  return gather(m, m.shape, [&](std::vector<std::size_t> at) {
    at[dim] = m.shape[dim] - 1 - at[dim];
    return at;
  });
}

inline Model concat(const std::vector<Model>& parts, unsigned dim) {
  Model joined{parts[0].shape, {}};
  joined.shape[dim] = 0;
  std::size_t outer = 1;
  for (unsigned d = 0; d < dim; ++d) outer *= joined.shape[d];
  for (const Model& p : parts) joined.shape[dim] += p.shape[dim];
  for (std::size_t o = 0; o < outer; ++o) {
    for (const Model& p : parts) {
      const std::size_t row = p.elements.size() / outer;
      joined.elements.insert(joined.elements.end(), p.elements.begin() + static_cast<std::ptrdiff_t>(o * row),
                             p.elements.begin() + static_cast<std::ptrdiff_t>((o + 1) * row));
    }
  }
  return joined;
}

}  // namespace index_model
