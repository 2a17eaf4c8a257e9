// Histograms.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// How many elements of input, or of their absolute values, lie between levels: entry i counts those from levels[i - 1]
// on and below levels[i], the first entry those below levels[0] and NaNs, the last one the rest. levels: a vector in
// ascending order, of input's type, FLOAT or HALF. Misuse throws poputil::poplibs_error. Options:
//   useFloatArithmeticWithUnsignedIntOutput (true, false) [=false]  counts as FLOAT, exact up to 2^24, and converts,
//   useFloatArithmetic (true, false) [=false]                       the result itself is FLOAT.
// Both together throw poplar::invalid_option. The result: UNSIGNED_INT, one entry more than levels.
poplar::Tensor histogram(poplar::Graph& graph, const poplar::Tensor& input, const poplar::Tensor& levels,
                         bool absoluteOfInput, poplar::program::Sequence& prog,
                         const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

// The same in output, UNSIGNED_INT or FLOAT (then counted as such), or added to what it holds. useFloatArithmetic
// throws poplar::invalid_option; the other option is for an UNSIGNED_INT output.
void histogram(poplar::Graph& graph, const poplar::Tensor& input, poplar::Tensor& output, bool updateOutput,
               const poplar::Tensor& levels, bool absoluteOfInput, poplar::program::Sequence& prog,
               const poplar::DebugContext& debugContext = {}, const poplar::OptionFlags& options = {});

}  // namespace popops
