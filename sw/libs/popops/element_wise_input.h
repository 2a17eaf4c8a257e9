// The inputs of element-wise operations: tensors, and numbers that vertices hold themselves.
#pragma once

#include <optional>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>
#include <popops/ElementWise.hpp>

namespace popops {

struct Input {
  poplar::Tensor tensor;
  poplar::Type type;
  std::optional<detail::Number> number;  // instead of a tensor

  Input(const poplar::Tensor& t) : tensor(t), type(t.elementType()) {}
  Input(const detail::Number& n, poplar::Type as) : type(as), number(n) {}
};

// Throws poplar::invalid_option for what is not known.
void check_element_wise_options(const poplar::OptionFlags& options);

// The expression's result, in a new tensor.
poplar::Tensor map_inputs(poplar::Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs,
                          poplar::program::Sequence& prog, const poplar::DebugContext& debugContext);
// ... in `out`. Inputs that share elements with it otherwise than each with its own are copied first, by prog.
void map_to_output(poplar::Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs,
                   const poplar::Tensor& out, poplar::program::Sequence& prog,
                   const poplar::DebugContext& debugContext);
// ... by vertices of the compute set. Throws poplibs_error where inputs would have to be copied.
void map_in_compute_set(poplar::Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs,
                        const poplar::Tensor& out, poplar::ComputeSet cs);

// ... on tiles that are given, whatever the mapping of `out`.
void map_on_tiles(poplar::Graph& graph, const expr::Expr& expr, const std::vector<Input>& inputs,
                  const poplar::Tensor& out, const poplar::Graph::TileToTensorMapping& mapping, poplar::ComputeSet cs);

}  // namespace popops
