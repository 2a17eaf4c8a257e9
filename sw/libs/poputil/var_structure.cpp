// Groups of elements in memory, and tensors made of contiguous parts.
#include <algorithm>
#include <numeric>

#include <poputil/Util.hpp>
#include <poputil/VarStructure.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using Shape = std::vector<std::size_t>;

namespace {

void check_parts(std::size_t rank, const Shape& parts, const char* function) {
  if (rank != parts.size())
    throw poplibs_error(std::string(function) + ": " + std::to_string(parts.size()) + " numbers of partitions for " +
                        std::to_string(rank) + " dimensions");
  if (std::find(parts.begin(), parts.end(), std::size_t{0}) != parts.end())
    throw poplibs_error(std::string(function) + ": 0 partitions of a dimension");
}

// Part i of a dimension.
Interval part_of(std::size_t size, std::size_t parts, std::size_t i) {
  const std::size_t most = (size + parts - 1) / parts;
  return {std::min(i * most, size), std::min((i + 1) * most, size)};
}

// Calls f with every tuple below the limits, the first entry fastest.
template <class F>
void for_each_tuple(const Shape& limits, F f) {
  Shape at(limits.size());
  while (true) {
    f(at);
    std::size_t d = 0;
    while (d < at.size() && ++at[d] == limits[d]) at[d++] = 0;
    if (d == at.size()) return;
  }
}

// A variable for parts that all have this shape, so many in each dimension.
Tensor equal_parts(Graph& graph, const poplar::Type& type, const Shape& counts, const Shape& part,
                   const poplar::DebugContext& debugContext) {
  Shape all = counts;
  all.insert(all.end(), part.begin(), part.end());
  std::vector<unsigned> order;
  Shape shape;
  for (unsigned d = 0; d < part.size(); ++d) {
    order.insert(order.end(), {d, d + static_cast<unsigned>(part.size())});
    shape.push_back(counts[d] * part[d]);
  }
  return graph.addVariable(type, all, debugContext).dimShuffle(order).reshape(shape);
}

// From dimension d on, the tensor put together: in each dimension equal parts, then a smaller last one.
Tensor put_together(Graph& graph, const poplar::Type& type, const Shape& shape, const Shape& nPartitions, Shape& counts,
                    Shape& part, const poplar::DebugContext& debugContext) {
  const std::size_t d = counts.size();
  if (d == shape.size()) return equal_parts(graph, type, counts, part, debugContext);
  const std::size_t most = (shape[d] + nPartitions[d] - 1) / nPartitions[d];
  std::vector<Tensor> pieces;
  const auto add = [&](std::size_t count, std::size_t size) {
    if (count == 0 || size == 0) return;
    counts.push_back(count);
    part.push_back(size);
    pieces.push_back(put_together(graph, type, shape, nPartitions, counts, part, debugContext));
    counts.pop_back();
    part.pop_back();
  };
  add(shape[d] / most, most);
  add(1, shape[d] % most);
  return concat(pieces, static_cast<unsigned>(d));
}

}  // namespace

Tensor createPartitionableTensor(Graph& graph, const poplar::Type& type, const Shape& shape, const Shape& nPartitions,
                                 const poplar::DebugContext& debugContext) {
  check_parts(shape.size(), nPartitions, "createPartitionableTensor");
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end())
    return graph.addVariable(type, shape, debugContext);
  Shape counts;
  Shape part;
  return put_together(graph, type, shape, nPartitions, counts, part, debugContext);
}

void iterateTensorPartitions(const Tensor& t, const Shape& nPartitions,
                             const std::function<void(const Shape& i, const Tensor& s)>& f) {
  check_parts(t.rank(), nPartitions, "iterateTensorPartitions");
  for_each_tuple(nPartitions, [&](const Shape& i) {
    Tensor part = t;
    for (unsigned d = 0; d < i.size(); ++d) part = part.slice(part_of(t.dim(d), nPartitions[d], i[d]), d);
    f(i, part);
  });
}

unsigned detectInnermostGrouping(const Graph& graph, const Tensor& t) {
  if (t.rank() == 0) throw poplibs_error("detectInnermostGrouping: a tensor of rank 0");
  if (t.numElements() == 0) return 1;
  // The first row speaks for all.
  Tensor row = t;
  while (row.rank() > 1) row = row[0];
  const std::size_t together = row.getContiguousRegions().front().size();
  std::size_t on_a_tile = 0;
  for (const std::vector<Interval>& regions : graph.getTileMapping(row)) {
    for (const Interval& region : regions) on_a_tile = std::max(on_a_tile, region.size());
  }
  const std::size_t group = std::gcd(together, on_a_tile);
  return row.numElements() % group == 0 ? static_cast<unsigned>(group) : 1;
}

std::vector<GroupingInfo> detectDimGroupings(const Graph& graph, const Tensor& t) {
  if (t.rank() == 0) throw poplibs_error("detectDimGroupings: a tensor of rank 0");
  std::vector<GroupingInfo> out;
  const unsigned rank = t.rank();
  Tensor rest = t;  // the groups found so far are dimensions behind those of t, the innermost last
  std::size_t found = 1;
  while (true) {
    GroupingInfo best(0, 1);
    for (unsigned d = 0; d < rank; ++d) {
      if (rest.dim(d) <= 1) continue;
      const Tensor last = rest.dimRoll(d, rank - 1).flatten(rank - 1, rest.rank());
      const unsigned together = detectInnermostGrouping(graph, last);
      const std::size_t group = together % found == 0 ? std::gcd(together / found, rest.dim(d)) : 1;
      if (group > best.second) best = {d, static_cast<unsigned>(group)};
    }
    if (best.second == 1) return out;
    out.push_back(best);
    found *= best.second;
    rest = rest.reshapePartial(best.first, best.first + 1, {rest.dim(best.first) / best.second, best.second})
               .dimRoll(best.first + 1, rank);
  }
}

}  // namespace poputil
