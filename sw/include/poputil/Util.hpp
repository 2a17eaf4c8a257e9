// Intervals split between tiles and workers, positions in shapes, copies and reshapes of tensors.
#pragma once

#include <climits>
#include <cstddef>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Interval.hpp>
#include <poplar/Program.hpp>
#include <poplar/Target.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/TensorCloneMethod.hpp>
#include <poplar/Type.hpp>

namespace poputil {

// Their older names.
using poplar::createConstantMetadataTensor;
using poplar::createVariableMetadataTensor;

// Sorts the regions, drops empty ones and joins those that touch. They may not overlap.
void mergeAdjacentRegions(std::vector<poplar::Interval>& regions);
void mergeAdjacentRegions(std::vector<std::vector<poplar::Interval>>& mapping);  // each tile's

// All intervals in one list, in order.
std::vector<poplar::Interval> flattenIntervals(const std::vector<std::vector<poplar::Interval>>& intervals);

// Splits regions, in order, into at most maxPartitions parts of nearly equal size. Each part but the last is a multiple
// of grainSize elements. There are as few parts as the largest part's size allows; with minElementsPerPartition no part
// is smaller than that (unless all together are, and the last by less than a grain), and then maxElementsPerPartition
// gives way; that limit comes before maxPartitions. A piece longer than maxElementsPerRegion is cut. Nothing to split
// gives no part. Throws poplibs_error for a grain size or number of partitions of 0, or a limit below the grain size.
std::vector<std::vector<poplar::Interval>> splitRegions(const std::vector<poplar::Interval>& regions,
                                                        unsigned grainSize, unsigned maxPartitions,
                                                        unsigned minElementsPerPartition = 0,
                                                        unsigned maxElementsPerPartition = UINT_MAX,
                                                        unsigned maxElementsPerRegion = UINT_MAX);
// The same with one part for each worker of a tile at most.
std::vector<std::vector<poplar::Interval>> splitRegionsBetweenWorkers(const poplar::Target& target,
                                                                      const std::vector<poplar::Interval>& regions,
                                                                      unsigned grainSize,
                                                                      unsigned minElementsPerPartition = 0,
                                                                      unsigned maxElementsPerPartition = UINT_MAX,
                                                                      unsigned maxElementsPerRegion = UINT_MAX);
// The same of sequences: the intervals of one sequence follow each other in memory and are cut only where a part ends.
std::vector<std::vector<std::vector<poplar::Interval>>> splitRegions(
    const std::vector<std::vector<poplar::Interval>>& regions, unsigned grainSize, unsigned maxPartitions,
    unsigned minElementsPerPartition = 0, unsigned maxElementsPerPartition = UINT_MAX,
    unsigned maxElementsPerRegion = UINT_MAX);
std::vector<std::vector<std::vector<poplar::Interval>>> splitRegionsBetweenWorkers(
    const poplar::Target& target, const std::vector<std::vector<poplar::Interval>>& regions, unsigned grainSize,
    unsigned minElementsPerPartition = 0, unsigned maxElementsPerPartition = UINT_MAX,
    unsigned maxElementsPerRegion = UINT_MAX);

std::size_t intervalSequenceNumElements(const std::vector<std::vector<poplar::Interval>>& sequences);

// The coordinates of an element of the flattened tensor, and back.
template <class T>
std::vector<T> unflattenIndex(const std::vector<T>& shape, std::size_t index) {
  std::vector<T> coordinates(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = static_cast<T>(index % shape[d]);
    index /= shape[d];
  }
  return coordinates;
}
template <class T>
std::size_t flattenIndex(const std::vector<T>& shape, const std::vector<T>& indices) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) index = index * shape[d] + indices[d];
  return index;
}

// A new tensor with in's values and tile mapping; p gets the copy.
poplar::Tensor duplicate(poplar::Graph& graph, const poplar::Tensor& in, poplar::program::Sequence& p,
                         const poplar::DebugContext& debugContext = {},
                         poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

// N clones in a new outermost dimension.
poplar::Tensor cloneN(poplar::Graph& graph, const poplar::Tensor& t, unsigned N,
                      const poplar::DebugContext& debugContext = {},
                      poplar::TensorCloneMethod method = poplar::TensorCloneMethod::PRESERVE_ORDER_UNLESS_ALIASES);

// The range [0, rangeUpperBound) cut into splitCount parts whose sizes differ by one at most; gives the sizes, the
// larger ones first.
std::vector<int> balancedPartition(int rangeUpperBound, int splitCount);

// The value as a half of the device holds it: rounded to nearest, and beyond the largest half clipped to it.
double castToDeviceHalfValue(const poplar::Target& target, double input);
// Whether a FLOAT or HALF converted to outputType keeps its value but for a relative error of `tolerance`. Throws
// poplibs_error for other types.
bool checkAccuracyWhenCast(const poplar::Target& target, double input, poplar::Type inputType, poplar::Type outputType,
                           double tolerance);

// Splits dimensions from startDim on by factors: a shape {.., d, ..} becomes {.., d / f, .., f, ..}, all quotients
// before all factors. Throws poplibs_error where a factor does not divide its dimension. unfactorDims undoes it for
// numDims dimensions.
poplar::Tensor factorDims(const poplar::Tensor& t, const std::vector<std::size_t>& factors, unsigned startDim = 0);
poplar::Tensor unfactorDims(const poplar::Tensor& t, unsigned numDims, unsigned startDim = 0);

// For intervals of a tensor that together hold each element once: the intervals that put concat(t.slices(intervals))
// back into t's order.
std::vector<poplar::Interval> calculateUnshufflingIntervals(const std::vector<poplar::Interval>& intervals);

}  // namespace poputil
