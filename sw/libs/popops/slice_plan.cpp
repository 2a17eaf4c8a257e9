// A tile that holds columns of all rows gives finished slices. A tile that holds few rows gives parts of slices, and
// all tiles that share its columns must be joined: words moved grow with the number of parts of the rows. So columns
// are cut as finely as they can be, and rows only to use the tiles that are left; where slices are read, not so far
// that a tile's parts of slices outweigh the rows it holds.
#include "sw/libs/popops/slice_plan.h"

#include <algorithm>
#include <ostream>

#include <poputil/OptionParsing.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/types.h"

namespace popops {

using poplar::Graph;
using poplar::OptionFlags;
using poplar::Type;

SlicePlan::SlicePlan() : internal(new SlicePlanInternal) {}
SlicePlan::SlicePlan(std::unique_ptr<SlicePlanInternal> internal) : internal(std::move(internal)) {}
SlicePlan::~SlicePlan() = default;
SlicePlan::SlicePlan(const SlicePlan& other) : internal(new SlicePlanInternal(*other.internal)) {}
SlicePlan::SlicePlan(SlicePlan&& other) noexcept = default;
SlicePlan& SlicePlan::operator=(const SlicePlan& other) {
  internal.reset(new SlicePlanInternal(*other.internal));
  return *this;
}
SlicePlan& SlicePlan::operator=(SlicePlan&& other) noexcept = default;

bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept { return a.internal->key() < b.internal->key(); }
bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept { return a.internal->key() == b.internal->key(); }
bool operator!=(const SlicePlan& a, const SlicePlan& b) noexcept { return !(a == b); }

std::ostream& operator<<(std::ostream& o, const SlicePlan& p) {
  const SlicePlanInternal& plan = *p.internal;
  if (!plan.planned) return o << "no plan";
  return o << plan.groups << " x " << text_of(plan.type) << "[" << plan.rows << "," << plan.columns << "]: rows in "
           << plan.row_parts << " parts, columns in " << plan.column_parts;
}

void check_plan(const SlicePlan& plan, const char* function, std::size_t groups, std::size_t rows,
                std::size_t columns) {
  const SlicePlanInternal& p = plan.getImpl();
  if (!p.planned) return;
  if (p.groups == groups && p.rows == rows && p.columns == columns) return;
  throw poputil::poplibs_error(std::string(function) + ": the plan is for " + std::to_string(p.groups) +
                               " groups of [" + std::to_string(p.rows) + "," + std::to_string(p.columns) +
                               "] elements, not " + std::to_string(groups) + " of [" + std::to_string(rows) + "," +
                               std::to_string(columns) + "]");
}

void map_planned(Graph& graph, const poplar::Tensor& t, const SlicePlanInternal& plan, std::size_t group) {
  const std::size_t first =
      plan.groups <= graph.getTarget().getNumTiles() ? group * plan.tiles : group % graph.getTarget().getNumTiles();
  const std::size_t rows = t.dim(0), columns = t.dim(1);
  for (std::size_t r = 0; r < plan.row_parts; ++r) {
    for (std::size_t c = 0; c < plan.column_parts; ++c) {
      const poplar::Tensor part = t.slice(r * rows / plan.row_parts, (r + 1) * rows / plan.row_parts)
                                      .slice(c * columns / plan.column_parts, (c + 1) * columns / plan.column_parts, 1);
      if (part.numElements() != 0) graph.setTileMapping(part, static_cast<unsigned>(first + r * plan.column_parts + c));
    }
  }
}

namespace embedding {

SlicePlan plan(const Graph& graph, const Type& dataType, std::size_t numEntries, std::size_t outputSize,
               const std::vector<std::size_t>& numLookups, const OptionFlags& options) {
  return plan(graph, dataType, 1, numEntries, outputSize, numLookups, options);
}

SlicePlan plan(const Graph& graph, const Type& dataType, std::size_t groupSize, std::size_t numEntries,
               std::size_t outputSize, const std::vector<std::size_t>& numLookups, const OptionFlags& options) {
  if (groupSize == 0 || numEntries == 0 || outputSize == 0 || numLookups.empty())
    throw poputil::poplibs_error("embedding::plan: " + std::to_string(groupSize) + " groups of [" +
                                 std::to_string(numEntries) + "," + std::to_string(outputSize) + "] elements, " +
                                 std::to_string(numLookups.size()) + " numbers of lookups");
  std::unique_ptr<SlicePlanInternal> p(new SlicePlanInternal);
  const poplibs::OptionSpec spec{
      {"usedForSlice", poplibs::OptionHandler::createWithBool(p->for_slice)},
      {"usedForUpdate", poplibs::OptionHandler::createWithBool(p->for_update)},
  };
  for (const auto& option : options) spec.parse(option.first, option.second);
  const poplar::Target& target = graph.getTarget();
  p->planned = true;
  p->type = dataType;
  p->groups = groupSize;
  p->rows = numEntries;
  p->columns = outputSize;
  p->tiles = std::max<std::size_t>(1, target.getNumTiles() / groupSize);
  // What is exchanged is words.
  const std::size_t grain = std::max<std::size_t>(1, 4 / target.getTypeSize(dataType));
  p->column_parts = std::min(p->tiles, (outputSize + grain - 1) / grain);
  p->row_parts = std::min(std::max<std::size_t>(1, p->tiles / p->column_parts), numEntries);
  const std::size_t lookups = *std::max_element(numLookups.begin(), numLookups.end());
  if (p->for_slice && lookups != 0)
    p->row_parts = std::min(p->row_parts, std::max<std::size_t>(1, numEntries / lookups));
  return SlicePlan(std::move(p));
}

std::vector<SlicePlan> planMultiple(const std::vector<SlicePlanningParameters>& spds) {
  std::vector<SlicePlan> out;
  for (const SlicePlanningParameters& p : spds)
    out.push_back(plan(p.graph, p.dataType, p.groupSize, p.numEntries, p.outputSize, p.numLookups, p.optionFlags));
  return out;
}

}  // namespace embedding
}  // namespace popops

namespace poputil {
template <>
poplar::ProfileValue toProfileValue(const popops::SlicePlan& plan) {
  const popops::SlicePlanInternal& p = plan.getImpl();
  poplar::ProfileValue::Map out;
  out.insert({"planned", toProfileValue(p.planned)});
  out.insert({"groups", toProfileValue(p.groups)});
  out.insert({"rowParts", toProfileValue(p.row_parts)});
  out.insert({"columnParts", toProfileValue(p.column_parts)});
  return out;
}
}  // namespace poputil
