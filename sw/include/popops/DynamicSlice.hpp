// Slices at offsets that are known only when the program runs: read (dynamicSlice, multiSlice) and written
// (dynamicUpdate, multiUpdate...).
//
// Offsets are UNSIGNED_INT or INT. A slice that goes past the end of its dimension goes on at the beginning. An offset
// that is not in the dimension reads zeros and writes nothing; by the options of every function here
//   remapOutOfBoundIndices (true, false) [=false]  it is offset 0 instead,
//   paddingIndexUsed (true, false) [=false]        but the size of the dimension itself still reads zeros.
// Each tile reads and writes what it holds of a tensor, wherever that lies. It is cheapest where all that an offset
// chooses between is on one tile: for tensors of createSliceableTensor. Else the slices of several tiles are joined,
// which takes an exchange of as many slices as tiles that share a column; a plan balances both.
// Misuse throws poputil::poplibs_error, an option that is not known poplar::invalid_option.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <poputil/DebugInfo.hpp>

namespace popops {

// How a table of many rows is spread over the tiles: columns between tiles first, then rows. A default one plans
// nothing, and tensors made with it are those of the functions without a plan.
class SlicePlanInternal;
class SlicePlan {
 public:
  SlicePlan();
  ~SlicePlan();
  SlicePlan(const SlicePlan& other);
  SlicePlan(SlicePlan&& other) noexcept;
  SlicePlan& operator=(const SlicePlan& other);
  SlicePlan& operator=(SlicePlan&& other) noexcept;

  friend std::ostream& operator<<(std::ostream& o, const SlicePlan& p);
  friend bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept;
  friend bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept;

  explicit SlicePlan(std::unique_ptr<SlicePlanInternal> internal);
  const SlicePlanInternal& getImpl() const { return *internal; }

 private:
  std::unique_ptr<SlicePlanInternal> internal;
};
std::ostream& operator<<(std::ostream& o, const SlicePlan& p);
bool operator<(const SlicePlan& a, const SlicePlan& b) noexcept;
bool operator==(const SlicePlan& a, const SlicePlan& b) noexcept;
bool operator!=(const SlicePlan& a, const SlicePlan& b) noexcept;

// A tensor of that shape to be sliced in dims by sizes: all that an offset chooses between is on one tile, the rest
// spread by at least minGrainSize elements (0: 8 bytes). With a plan the tensor is spread as planned: dims is one
// dimension of size 1 then.
poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                     const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
                                     const std::vector<std::size_t>& sizes, std::size_t minGrainSize = 0,
                                     const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceableTensor(poplar::Graph& graph, const poplar::Type& type,
                                     const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
                                     const std::vector<std::size_t>& sizes, const SlicePlan& plan,
                                     const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
// [groupSize, shape...]: each group on its own share of the tiles.
poplar::Tensor createGroupedSliceableTensor(poplar::Graph& graph, const poplar::Type& type, std::size_t groupSize,
                                            const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
                                            const std::vector<std::size_t>& sizes, const SlicePlan& plan,
                                            const poplar::OptionFlags& options,
                                            const poplar::DebugContext& debugContext = {});
// [numSlices[i] * s.dim(dims[i])...]: a tensor whose slices lie as s does.
poplar::Tensor createSliceableTensorFromSlice(poplar::Graph& graph, const poplar::Tensor& s,
                                              const std::vector<std::size_t>& dims,
                                              const std::vector<std::size_t>& numSlices,
                                              const poplar::DebugContext& debugContext = {});

// [numIndices, shape...] with sizes in dims: slices of t, each mapped as its first elements are; or of a tensor of that
// shape, as planned.
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Tensor& t, const std::vector<std::size_t>& dims,
                                 const std::vector<std::size_t>& sizes, std::size_t numIndices,
                                 const poplar::DebugContext& debugContext = {});
poplar::Tensor createSliceTensor(poplar::Graph& graph, const poplar::Type& type, const std::vector<std::size_t>& shape,
                                 const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                                 std::size_t numIndices, const SlicePlan& plan, const poplar::OptionFlags& options,
                                 const poplar::DebugContext& debugContext = {});
// [groupSize, numIndices, shape...]
poplar::Tensor createGroupedSliceTensor(poplar::Graph& graph, const poplar::Type& type, std::size_t groupSize,
                                        const std::vector<std::size_t>& shape, const std::vector<std::size_t>& dims,
                                        const std::vector<std::size_t>& sizes, std::size_t numIndices,
                                        const SlicePlan& plan, const poplar::OptionFlags& options,
                                        const poplar::DebugContext& debugContext = {});

// [numIndices, dims.size()] and [groupSize, numIndices, dims.size()], UNSIGNED_INT, at least 64 offsets a tile.
poplar::Tensor createIndicesTensor(poplar::Graph& graph, const std::vector<std::size_t>& dims, std::size_t numIndices,
                                   const SlicePlan& plan, const poplar::OptionFlags& options,
                                   const poplar::DebugContext& debugContext = {});
poplar::Tensor createGroupedIndicesTensor(poplar::Graph& graph, std::size_t groupSize,
                                          const std::vector<std::size_t>& dims, std::size_t numIndices,
                                          const SlicePlan& plan, const poplar::OptionFlags& options,
                                          const poplar::DebugContext& debugContext = {});

// sizes[i] elements of t in dims[i] from offset[i] on; the other dimensions whole. offset: [dims.size()], or
// [dims.size(), tiles] with the same offset for each tile, which saves exchanging it. The result is new, or goes to
// output, of its shape.
poplar::Tensor dynamicSlice(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& offset,
                            const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                            poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                            const poplar::OptionFlags& options = {});
void dynamicSliceWithOutput(poplar::Graph& graph, const poplar::Tensor& output, const poplar::Tensor& t,
                            const poplar::Tensor& offset, const std::vector<std::size_t>& dims,
                            const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                            const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});
// A tensor for dynamicSliceWithOutput, mapped as t's first elements are.
poplar::Tensor createDynamicSliceOutput(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& offset,
                                        const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
// The mapping of such a tensor.
poplar::Graph::TileToTensorMapping getSliceMapping(poplar::Graph& graph, const poplar::Tensor& t,
                                                   const std::vector<std::size_t>& dims,
                                                   const std::vector<std::size_t>& sizes);

// s, of the shape of such a slice, written to t.
void dynamicUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s, const poplar::Tensor& offset,
                   const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                   poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                   const poplar::OptionFlags& options = {});

// Many slices at once: offsets is [n, dims.size()]; [n, shape of a slice...]. A plan is for tables of one dimension of
// slices; of several, which is a step more at run time, it is for the product of those. Slices lie where the table's
// columns do if those are whole on their tiles; else spread over all tiles, the slices of columns that tiles share one
// after another.
poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& offsets,
                          const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                          poplar::program::Sequence& prog, const SlicePlan& plan, const poplar::OptionFlags& options,
                          const poplar::DebugContext& debugContext = {});
// t and offsets have a first dimension more, the group's: dims counts without it. [groups, n, shape of a slice...].
poplar::Tensor groupedMultiSlice(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& offsets,
                                 const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                                 poplar::program::Sequence& prog, const SlicePlan& plan,
                                 const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
// Slices of size 1 at offsets known now.
poplar::Tensor multiSlice(poplar::Graph& graph, const poplar::Tensor& t, poplar::ArrayRef<unsigned> offsets,
                          std::size_t dim, poplar::program::Sequence& prog,
                          const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& optionFlags = {});

// The slices s, [n, shape of a slice...], written to t one after the other: where offsets repeat or overlap the last
// one stays.
void multiUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s, const poplar::Tensor& offsets,
                 const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                 poplar::program::Sequence& prog, const SlicePlan& plan, const poplar::OptionFlags& options,
                 const poplar::DebugContext& debugContext = {});
void groupedMultiUpdate(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                        const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                        const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog, const SlicePlan& plan,
                        const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
// The slices times scale (one element of t's type, or FLOAT for halves: then computed as floats) added to t.
void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const poplar::Tensor& scale, const std::vector<std::size_t>& dims,
                    const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog, const SlicePlan& plan,
                    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const poplar::Tensor& scale,
                           const std::vector<std::size_t>& dims, const std::vector<std::size_t>& sizes,
                           poplar::program::Sequence& prog, const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});
void multiUpdateAdd(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    poplar::ArrayRef<unsigned> offsets, const poplar::Tensor& scale, std::size_t dim,
                    poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                    const poplar::OptionFlags& optionFlags = {});
// t's elements replaced by the larger ones of the slices, or multiplied by them.
void multiUpdateMax(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                    const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog, const SlicePlan& plan,
                    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateMax(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});
void multiUpdateMul(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                    const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                    const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog, const SlicePlan& plan,
                    const poplar::OptionFlags& options, const poplar::DebugContext& debugContext = {});
void groupedMultiUpdateMul(poplar::Graph& graph, const poplar::Tensor& t, const poplar::Tensor& s,
                           const poplar::Tensor& offsets, const std::vector<std::size_t>& dims,
                           const std::vector<std::size_t>& sizes, poplar::program::Sequence& prog,
                           const SlicePlan& plan, const poplar::OptionFlags& options,
                           const poplar::DebugContext& debugContext = {});

namespace embedding {

// A plan for tables of numEntries rows of outputSize elements, in groupSize groups, from which numLookups rows are read
// or updated at a time: where rows are read, their largest number bounds into how many parts of at least as many rows
// the table's rows are cut. Options: usedForSlice, usedForUpdate (true, false) [=true]: what it is for; an operation
// that it is not for throws.
SlicePlan plan(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t numEntries, std::size_t outputSize,
               const std::vector<std::size_t>& numLookups, const poplar::OptionFlags& options);
SlicePlan plan(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t groupSize, std::size_t numEntries,
               std::size_t outputSize, const std::vector<std::size_t>& numLookups, const poplar::OptionFlags& options);

struct SlicePlanningParameters {
  const poplar::Graph& graph;
  const poplar::Type dataType;
  const std::size_t groupSize = 1;
  const std::size_t numEntries;
  const std::size_t outputSize;
  const std::vector<std::size_t> numLookups;
  const poplar::OptionFlags optionFlags;

  SlicePlanningParameters(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t groupSize,
                          std::size_t numEntries, std::size_t outputSize, const std::vector<std::size_t>& numLookups,
                          const poplar::OptionFlags& optionFlags)
      : graph(graph),
        dataType(dataType),
        groupSize(groupSize),
        numEntries(numEntries),
        outputSize(outputSize),
        numLookups(numLookups),
        optionFlags(optionFlags) {}
  SlicePlanningParameters(const poplar::Graph& graph, const poplar::Type& dataType, std::size_t numEntries,
                          std::size_t outputSize, const std::vector<std::size_t>& numLookups,
                          const poplar::OptionFlags& optionFlags)
      : SlicePlanningParameters(graph, dataType, 1, numEntries, outputSize, numLookups, optionFlags) {}
};
std::vector<SlicePlan> planMultiple(const std::vector<SlicePlanningParameters>& spds);

}  // namespace embedding
}  // namespace popops
namespace poputil {
template <>
poplar::ProfileValue toProfileValue(const popops::SlicePlan& plan);
}  // namespace poputil
