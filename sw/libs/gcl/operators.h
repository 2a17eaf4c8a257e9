// What a collective's operator does with two tensors, and before and after all.
#pragma once

#include <gcl/CollectiveOperator.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <popops/Expr.hpp>
#include <vector>

namespace gcl {

// Throws poputil::poplibs_error for an element type that the operator does not take.
void check_operator(CollectiveOperator op, const poplar::Type& type, const char* collective);
// What is sent in place of the data: data itself, or its squares.
poplar::Tensor prepared(poplar::Graph& graph, const poplar::Tensor& data, CollectiveOperator op,
                        poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);
// The first of the operands becomes what all are, combined one after another.
void combine(poplar::Graph& graph, const std::vector<poplar::Tensor>& operands, CollectiveOperator op,
             poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);
// Of n operands, a power of 2, combined in pairs, and these in pairs; and complete.
popops::expr::Any in_pairs(CollectiveOperator op, unsigned n);
// The values of n replicas have been combined in `all`.
void complete(poplar::Graph& graph, const poplar::Tensor& all, unsigned n, CollectiveOperator op,
              poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);

}  // namespace gcl
