// Numbers of elements written out: one-hot rows and ranges. Misuse throws poputil::poplibs_error.
#pragma once

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/EncodingConstants.hpp>

namespace popops {

// encoded: [n, width]; indices: [n], UNSIGNED_INT or INT. In row i element indices[i] becomes `on`, the others `off`,
// of one element each and encoded's type (1 and 0 if not given). A row whose index is not below the width, such as
// MASKED_LABEL_CODE, is all off.
void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices, const poplar::Tensor& encoded,
                  poplar::program::Sequence& prog, const poplar::DebugContext& debugContext = {});
void encodeOneHot(poplar::Graph& graph, const poplar::Tensor& indices, const poplar::Tensor& encoded,
                  poplar::program::Sequence& prog, const poplar::Tensor& on, const poplar::Tensor& off,
                  const poplar::DebugContext& debugContext = {});

// t, of rank 1 at most, becomes startInteger, startInteger + 1, ...: UNSIGNED_INT, or INT for a signed start.
void iota(poplar::Graph& graph, const poplar::Tensor& t, unsigned startInteger, poplar::program::Sequence& prog,
          const poplar::DebugContext& debugContext = {});
void iota(poplar::Graph& graph, const poplar::Tensor& t, int startInteger, poplar::program::Sequence& prog,
          const poplar::DebugContext& debugContext = {});

}  // namespace popops
