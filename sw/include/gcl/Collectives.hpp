// Collectives across the replicas of a graph, and between the IPUs of each (below). Across replicas, in each group of n
// replicas, in the order of their numbers, one has rank 0, the next rank 1, and so on. With one replica in a group each
// gives what that has.
//
// Results are new tensors; those of all replicas in a group that are to be equal are, bit by bit. Options:
//   method [=auto]  how a collective goes:
//     broadcast                every replica gets the whole of all others, in one phase
//     clockwise_ring, anticlockwise_ring, bidirectional_ring_pair
//                              parts go round in the order of ranks, or the other way, or half of them each way
//     recursive_halving        between ranks whose numbers differ in one bit, half of what is left each time; for
//                              powers of 2
//     auto                     broadcast where the tensor is small; else recursive_halving, or bidirectional_ring_pair
//                              where the ranks are no power of 2
//   an all-reduce across replicas takes all of them; others have no turns, and take auto and broadcast
//   useReplicatedImplementation (true) [=true]: there is no other
// Misuse throws poputil::poplibs_error, an option that is not known poplar::invalid_option.
#pragma once

#include <vector>

#include <gcl/CollectiveOperator.hpp>
#include <gcl/CommGroup.hpp>
#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace gcl {

// In every replica the values of all in the group, brought together element by element.
poplar::Tensor allReduceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                                     poplar::program::Sequence& prog, const CommGroup& group,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor allReduceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                                     poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
// Tensors of one type are sent together.
std::vector<poplar::Tensor> allReduceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                                  const CommGroup& group, const poplar::DebugContext& debugContext = {},
                                                  const poplar::OptionFlags& options = {});
std::vector<poplar::Tensor> allReduceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas,
                                                  CollectiveOperator op, poplar::program::Sequence& prog,
                                                  const poplar::DebugContext& debugContext = {},
                                                  const poplar::OptionFlags& options = {});
// Into a tensor of the same type and shape, which may be data.
void allReduceToDestinationCrossReplica(poplar::Graph& graph, const poplar::Tensor& data,
                                        const poplar::Tensor& destination, CollectiveOperator op,
                                        poplar::program::Sequence& prog, const CommGroup& group,
                                        const poplar::DebugContext& debugContext = {},
                                        const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                                  poplar::program::Sequence& prog, const CommGroup& group,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                                  poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas, CollectiveOperator op,
                                  poplar::program::Sequence& prog, const CommGroup& group,
                                  const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});
void allReduceInPlaceCrossReplica(poplar::Graph& graph, const std::vector<poplar::Tensor>& datas, CollectiveOperator op,
                                  poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});

// The elements of data, flattened, in n parts of ceil(elements / n): each replica gets that of its rank, brought
// together. What a last part has beyond the elements is undefined. Shape {ceil(elements / n)}.
poplar::Tensor reduceScatterCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                                         poplar::program::Sequence& prog, const CommGroup& group,
                                         const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});
poplar::Tensor reduceScatterCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                                         poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                                         const poplar::OptionFlags& options = {});

// Shape {n, shape of data}: the data of all ranks.
poplar::Tensor allGatherCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, poplar::program::Sequence& prog,
                                     const CommGroup& group, const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});
poplar::Tensor allGatherCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, poplar::program::Sequence& prog,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});

// data is {n, ...}: entry i goes to rank i. In rank r entry i of the result is entry r of rank i.
poplar::Tensor allToAllCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, poplar::program::Sequence& prog,
                                    const CommGroup& group, const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {});
poplar::Tensor allToAllCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, poplar::program::Sequence& prog,
                                    const poplar::DebugContext& debugContext = {},
                                    const poplar::OptionFlags& options = {});

// The data of rank rootReplica, in all replicas of its group.
poplar::Tensor broadcastCrossReplica(poplar::Graph& graph, const poplar::Tensor& data, poplar::program::Sequence& prog,
                                     const CommGroup& group, unsigned rootReplica = 0,
                                     const poplar::DebugContext& debugContext = {},
                                     const poplar::OptionFlags& options = {});

// Collectives between the IPUs of a replica, n of them. `toReduce` is {n, ...}: a row for each.

// What an IPU has of a tensor. index: its place among all parts, offset: among parts of the same index.
struct Chunk {
  poplar::Tensor tensor;
  unsigned index = 0, offset = 0;

  Chunk() = default;
  Chunk(poplar::Tensor tensor_, unsigned index_, unsigned offset_) : tensor(tensor_), index(index_), offset(offset_) {}
};
// originalInput: what was scattered; not valid where nothing was.
struct Chunks {
  poplar::Tensor originalInput;
  std::vector<Chunk> chunks;

  Chunks() = default;
  explicit Chunks(unsigned size) : chunks(size) {}
};

// {n, ...}: in each row the rows of toReduce brought together element by element, where that row of toReduce is.
poplar::Tensor allReduceWithinReplica(poplar::Graph& graph, const poplar::Tensor& toReduce, CollectiveOperator op,
                                      poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                                      const poplar::OptionFlags& options = {});

// The rows of toReduce, flattened and brought together, in n chunks of ceil(elements / n), of which the last may have
// fewer or none: chunk i, with index i and offset 0, is where row i is.
Chunks reduceScatterWithinReplica(poplar::Graph& graph, const poplar::Tensor& toReduce, CollectiveOperator op,
                                  poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {},
                                  const poplar::OptionFlags& options = {});

// {n, elements of all chunks}: in each row all chunks, by their index and offset, whose type is the same. Row i is
// where row i of the original input is, if that has so many elements; else on all tiles of IPU i.
poplar::Tensor allGatherWithinReplica(poplar::Graph& graph, const Chunks& toGather, poplar::program::Sequence& prog,
                                      const poplar::DebugContext& debugContext = {},
                                      const poplar::OptionFlags& options = {});

}  // namespace gcl
