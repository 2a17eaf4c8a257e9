// Loops that count in a tensor.
#pragma once

#include <cstddef>
#include <functional>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// Makes the body from the tensor that holds the count: INT, of one element.
using CountedLoopBodyType = std::function<poplar::program::Program(const poplar::Tensor&)>;

// The body for begin, begin + step, ... below end. Throws poplibs_error for a step of 0 or an end below begin.
poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t begin, std::size_t end, std::size_t step,
                                      const CountedLoopBodyType& body, const poplar::DebugContext& debugContext = {});
poplar::program::Sequence countedLoop(poplar::Graph& graph, std::size_t count, const CountedLoopBodyType& body,
                                      const poplar::DebugContext& debugContext = {});

// count += countStep, on a tile; gives whether count is not countLimit then: UNSIGNED_INT, of one element. count and
// countLimit are INT or UNSIGNED_INT, of one element. For conditions of loops of your own. Throws poplibs_error.
poplar::Tensor addForLoopCounterVertex(poplar::Graph& graph, const poplar::Tensor& count,
                                       const poplar::Tensor& countLimit, int countStep, unsigned tile,
                                       poplar::program::Sequence& prog, const poplar::DebugContext& di);

// While count is below countLimit (above, with a negative step): the body, then count grows by countStep. count and
// countLimit are INT or UNSIGNED_INT, of one element; the body may change countLimit.
poplar::program::Sequence countedForLoop(poplar::Graph& graph, const poplar::Tensor& count, int initialCount,
                                         const poplar::Tensor& countLimit, int countStep,
                                         const poplar::program::Program& body,
                                         const poplar::DebugContext& debugContext = {});
// With a count of its own.
poplar::program::Sequence countedForLoop(poplar::Graph& graph, int initialCount, const poplar::Tensor& countLimit,
                                         int countStep, const poplar::program::Program& body,
                                         const poplar::DebugContext& debugContext = {});

}  // namespace popops
