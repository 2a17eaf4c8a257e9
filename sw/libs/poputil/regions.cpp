// Intervals merged, and split between tiles and workers.
#include <algorithm>
#include <numeric>

#include <poputil/Util.hpp>
#include <poputil/exceptions.hpp>

namespace poputil {

using poplar::Interval;
using Intervals = std::vector<Interval>;

namespace {

std::size_t size_of(const Interval& interval) { return interval.size(); }

std::size_t size_of(const Intervals& sequence) {
  return std::accumulate(sequence.begin(), sequence.end(), std::size_t{0},
                         [](std::size_t sum, const Interval& i) { return sum + i.size(); });
}

Interval part_of(const Interval& interval, std::size_t offset, std::size_t size) {
  return {interval.begin() + offset, interval.begin() + offset + size};
}

Intervals part_of(const Intervals& sequence, std::size_t offset, std::size_t size) {
  Intervals out;
  for (const Interval& i : sequence) {
    const std::size_t begin = std::min(offset, i.size());
    const std::size_t end = std::min(offset + size, i.size());
    if (begin < end) out.emplace_back(i.begin() + begin, i.begin() + end);
    size -= end - begin;
    offset -= begin;
  }
  return out;
}

std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

struct Limits {
  unsigned grain;
  unsigned parts;
  unsigned least;
  unsigned most;
  unsigned piece;
};

// How many parts the grains go into.
std::size_t number_of_parts(std::size_t grains, const Limits& limits) {
  std::size_t grains_a_part = std::min<std::size_t>(divide_up(grains, limits.parts), limits.most / limits.grain);
  if (limits.least != 0) {
    const std::size_t parts = std::max<std::size_t>(1, grains / divide_up(limits.least, limits.grain));
    grains_a_part = std::max(grains_a_part, divide_up(grains, parts));
  }
  return divide_up(grains, grains_a_part);
}

// Item: an interval or a sequence of them.
template <class Item>
std::vector<std::vector<Item>> split(const std::vector<Item>& items, const Limits& limits) {
  if (limits.grain == 0) throw poplibs_error("splitRegions: a grain of 0 elements");
  if (limits.parts == 0) throw poplibs_error("splitRegions: 0 partitions");
  if (limits.most < limits.grain || limits.piece < limits.grain)
    throw poplibs_error("splitRegions: the most elements of a partition or region are fewer than the grain of " +
                        std::to_string(limits.grain));
  std::size_t total = 0;
  for (const Item& item : items) total += size_of(item);
  std::vector<std::vector<Item>> out;
  if (total == 0) return out;

  const std::size_t longest = limits.piece / limits.grain * limits.grain;
  const std::size_t grains = divide_up(total, limits.grain);
  out.resize(number_of_parts(grains, limits));
  auto item = items.begin();
  std::size_t offset = 0;  // in *item
  std::size_t at = 0;      // elements dealt out
  for (std::size_t part = 0; part < out.size(); ++part) {
    const std::size_t end = std::min(total, (part + 1) * grains / out.size() * limits.grain);
    while (at < end) {
      while (offset == size_of(*item)) {
        ++item;
        offset = 0;
      }
      const std::size_t size = std::min({end - at, longest, size_of(*item) - offset});
      out[part].push_back(part_of(*item, offset, size));
      offset += size;
      at += size;
    }
  }
  return out;
}

}  // namespace

void mergeAdjacentRegions(std::vector<Interval>& regions) {
  std::sort(regions.begin(), regions.end());
  Intervals merged;
  for (const Interval& region : regions) {
    if (region.size() == 0) continue;
    if (!merged.empty() && merged.back().end() == region.begin())
      merged.back() = {merged.back().begin(), region.end()};
    else
      merged.push_back(region);
  }
  regions = std::move(merged);
}

void mergeAdjacentRegions(std::vector<std::vector<Interval>>& mapping) {
  for (Intervals& regions : mapping) mergeAdjacentRegions(regions);
}

std::vector<Interval> flattenIntervals(const std::vector<std::vector<Interval>>& intervals) {
  Intervals out;
  for (const Intervals& list : intervals) out.insert(out.end(), list.begin(), list.end());
  return out;
}

std::vector<std::vector<Interval>> splitRegions(const std::vector<Interval>& regions, unsigned grainSize,
                                                unsigned maxPartitions, unsigned minElementsPerPartition,
                                                unsigned maxElementsPerPartition, unsigned maxElementsPerRegion) {
  return split(regions,
               {grainSize, maxPartitions, minElementsPerPartition, maxElementsPerPartition, maxElementsPerRegion});
}

std::vector<std::vector<Interval>> splitRegionsBetweenWorkers(const poplar::Target& target,
                                                              const std::vector<Interval>& regions, unsigned grainSize,
                                                              unsigned minElementsPerPartition,
                                                              unsigned maxElementsPerPartition,
                                                              unsigned maxElementsPerRegion) {
  return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                      maxElementsPerPartition, maxElementsPerRegion);
}

std::vector<std::vector<std::vector<Interval>>> splitRegions(const std::vector<std::vector<Interval>>& regions,
                                                             unsigned grainSize, unsigned maxPartitions,
                                                             unsigned minElementsPerPartition,
                                                             unsigned maxElementsPerPartition,
                                                             unsigned maxElementsPerRegion) {
  return split(regions,
               {grainSize, maxPartitions, minElementsPerPartition, maxElementsPerPartition, maxElementsPerRegion});
}

std::vector<std::vector<std::vector<Interval>>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<std::vector<Interval>>& regions, unsigned grainSize,
    unsigned minElementsPerPartition, unsigned maxElementsPerPartition, unsigned maxElementsPerRegion) {
  return splitRegions(regions, grainSize, target.getNumWorkerContexts(), minElementsPerPartition,
                      maxElementsPerPartition, maxElementsPerRegion);
}

std::size_t intervalSequenceNumElements(const std::vector<std::vector<Interval>>& sequences) {
  std::size_t n = 0;
  for (const Intervals& sequence : sequences) n += size_of(sequence);
  return n;
}

std::vector<Interval> calculateUnshufflingIntervals(const std::vector<Interval>& intervals) {
  // Where each interval begins in the shuffled tensor, by where it begins in the original.
  std::vector<std::pair<Interval, std::size_t>> places;
  std::size_t at = 0;
  for (const Interval& i : intervals) {
    places.emplace_back(i, at);
    at += i.size();
  }
  std::sort(places.begin(), places.end());
  Intervals out;
  for (const auto& place : places) out.emplace_back(place.second, place.second + place.first.size());
  return out;
}

std::vector<int> balancedPartition(int rangeUpperBound, int splitCount) {
  if (splitCount <= 0) throw poplibs_error("balancedPartition: " + std::to_string(splitCount) + " parts");
  std::vector<int> sizes(static_cast<std::size_t>(splitCount), rangeUpperBound / splitCount);
  for (int i = 0; i < rangeUpperBound % splitCount; ++i) ++sizes[static_cast<std::size_t>(i)];
  return sizes;
}

}  // namespace poputil
