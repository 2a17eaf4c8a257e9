// Groups of neighbours changed: what two groupings together make small matrices of is copied together, and the matrices
// are transposed.
#include <popops/Rearrange.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>

#include "sw/libs/popops/fail.h"

namespace popops {
namespace rearrange {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Copy;
using poplar::program::Sequence;
using poputil::GroupingInfo;

namespace {

// Groups of a dimension become a dimension of their own, the last, and back.
Tensor grouped(const Tensor& t, const GroupingInfo& g) {
  return t.reshapePartial(g.first, g.first + 1, {t.dim(g.first) / g.second, g.second}).dimRoll(g.first + 1, t.rank());
}
Tensor ungrouped(const Tensor& t, unsigned dim, const GroupingInfo& g) {
  return t.dimRoll(dim, g.first + 1).flatten(g.first, g.first + 2);
}

bool divides(const Tensor& t, const GroupingInfo& g) {
  return g.first < t.rank() && g.second != 0 && t.dim(g.first) % g.second == 0;
}

// The groups to regroup from; false if it is not worth it. Groups of one dimension are no matrices.
bool worth_it(const Graph& graph, const Tensor& t, const GroupingInfo& to, GroupingInfo& from) {
  if (t.rank() <= 1 || t.numElements() == 0 || !divides(t, to)) return false;
  const auto groups = poputil::detectDimGroupings(graph, t);
  if (groups.empty() || groups[0].first == to.first) return false;
  from = groups[0];
  return from.second % getMinimumRegroupGrainSize(t.elementType()) == 0;
}

void add_all(Sequence& prog, const std::vector<Copy>& copies) {
  for (const Copy& copy : copies) prog.add(copy);
}

// The groups that ref has; false if they are too small.
bool groups_of(const Graph& graph, const Tensor& in, const Tensor& ref, GroupingInfo& to) {
  if (in.shape() != ref.shape())
    fail("regroupIfBeneficial", in, "not of the shape of '" + ref.getDebugStr() + "', " + ref.shapeToString());
  if (in.rank() <= 1 || in.numElements() == 0) return false;
  const auto groups = poputil::detectDimGroupings(graph, ref);
  if (groups.empty()) return false;
  to = groups[0];
  return to.second % getMinimumRegroupGrainSize(in.elementType()) == 0;
}

}  // namespace

unsigned getMinimumRegroupGrainSize(const poplar::Type& type) {
  if (type == poplar::HALF || type == poplar::SHORT || type == poplar::UNSIGNED_SHORT) return 4;
  if (type == poplar::FLOAT || type == poplar::INT || type == poplar::UNSIGNED_INT) return 2;
  return 1;
}

Tensor regroupTensor(Graph& graph, const Tensor& t, std::vector<Copy>& copies, const ComputeSet& transposeCS,
                     const GroupingInfo& from, const GroupingInfo& to, const DebugContext& debugContext) {
  if (t.rank() <= 1) return t;
  for (const GroupingInfo* g : {&from, &to}) {
    if (!divides(t, *g))
      fail("regroupTensor", t,
           "groups of " + std::to_string(g->second) + " do not divide dimension " + std::to_string(g->first));
  }
  if (from.first == to.first)
    fail("regroupTensor", t, "from and to groups of the same dimension " + std::to_string(to.first));
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, transposeCS, from, to));
  const Tensor matrices = grouped(grouped(t, to), from);
  const Tensor together = graph.addVariable(t.elementType(), matrices.shape(), {info, "groups"});
  const unsigned size = to.second * from.second;
  poputil::mapTensorLinearly(graph, together, size, size);
  copies.emplace_back(matrices, together, false, DebugContext(info));
  const Tensor transposed = partialTranspose(graph, together, transposeCS, {info});
  const Tensor out = ungrouped(ungrouped(transposed, t.rank(), from), t.rank(), to);
  info.addOutput(out);
  return out;
}

Tensor regroupTensor(Graph& graph, const Tensor& t, Sequence& copies, const ComputeSet& transposeCS,
                     const GroupingInfo& from, const GroupingInfo& to, const DebugContext& debugContext) {
  std::vector<Copy> list;
  const Tensor out = regroupTensor(graph, t, list, transposeCS, from, to, debugContext);
  add_all(copies, list);
  return out;
}

Tensor regroupIfPossible(Graph& graph, const Tensor& t, Sequence& prog, const GroupingInfo& to,
                         const DebugContext& debugContext) {
  GroupingInfo from;
  if (!worth_it(graph, t, to, from)) return t;
  const ComputeSet cs = graph.addComputeSet({debugContext, "regroup"});
  const Tensor out = regroupTensor(graph, t, prog, cs, from, to, debugContext);
  prog.add(poplar::program::Execute(cs, debugContext));
  return out;
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, const Tensor& ref, std::vector<Copy>& copies,
                           ComputeSet transposeCS, const DebugContext& debugContext) {
  GroupingInfo from, to;
  if (!groups_of(graph, in, ref, to) || !worth_it(graph, in, to, from)) return in;
  return regroupTensor(graph, in, copies, transposeCS, from, to, debugContext);
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, const Tensor& ref, Sequence& prog,
                           const DebugContext& debugContext) {
  GroupingInfo to;
  return groups_of(graph, in, ref, to) ? regroupIfPossible(graph, in, prog, to, debugContext) : in;
}

Tensor regroupIfBeneficial(Graph& graph, const Tensor& in, std::size_t preferredGrouping, Sequence& prog,
                           const DebugContext& debugContext) {
  if (in.rank() == 0) fail("regroupIfBeneficial", in, "has no dimension");
  const GroupingInfo to(in.rank() - 1, static_cast<unsigned>(preferredGrouping));
  if (!divides(in, to))
    fail("regroupIfBeneficial", in,
         "groups of " + std::to_string(preferredGrouping) + " do not divide the last dimension");
  if (preferredGrouping % getMinimumRegroupGrainSize(in.elementType()) != 0) return in;
  return regroupIfPossible(graph, in, prog, to, debugContext);
}

}  // namespace rearrange
}  // namespace popops
