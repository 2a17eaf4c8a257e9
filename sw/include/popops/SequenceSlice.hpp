// Sequences of rows copied between tensors, at places and of lengths that are known only when the program runs.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>

namespace popops {

// For each i in turn: tOut[tOutOffset[i] + k] = tIn[tInOffset[i] + k] for k below tN[i], as far as both have such rows.
// The other rows of tOut keep their values, or with zeroUnused become 0. tIn and tOut are of one type, at least of rank
// 2 and with as many elements in a row; tN, tInOffset and tOutOffset are vectors of one size, UNSIGNED_INT or INT. A
// tile that holds some columns of tOut is sent these columns of all rows of tIn. Misuse throws poputil::poplibs_error.
void sequenceSlice(poplar::Graph& graph, const poplar::Tensor& tIn, const poplar::Tensor& tOut,
                   const poplar::Tensor& tN, const poplar::Tensor& tInOffset, const poplar::Tensor& tOutOffset,
                   bool zeroUnused, poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});

}  // namespace popops
