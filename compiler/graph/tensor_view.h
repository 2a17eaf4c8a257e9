// A tensor as a view of elements of variables: a shape, and pieces that say which elements stand where.
//
// A view holds a grid of axes whose row-major order is that of the shape, and boxes that tile the grid. A box takes its
// elements from one variable: walking an axis inside the box walks one or more strided dimensions of that variable
// (stride 0 repeats, a negative stride reverses). Shape and grid need not agree, so that reshaping costs nothing; an
// operation along a dimension first splits or joins axes until the dimension's borders are borders of axes.
//
// All operations cost time and memory in proportion to the number of boxes, not of elements; only a reshape across
// borders that do not divide each other, of a view that is no plain box, makes boxes of rows.
//
// Callers check ranges: positions, dimensions and shapes given here must be legal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "compiler/graph/inline_vector.h"
#include "compiler/graph/types.h"

namespace tessera::graph {

using VariableId = std::uint32_t;

// Of any tensor: its bytes have 64 bits whatever its type.
constexpr std::size_t kMostElements = std::size_t{1} << 60;
// Elements of a shape; none if there are more than kMostElements.
std::optional<std::size_t> element_count(std::span<const std::size_t> shape);

// Elements [begin, end) of a variable.
struct VariableRun {
  VariableId variable;
  std::size_t begin;
  std::size_t end;
  bool operator==(const VariableRun&) const = default;
};

// One dimension of a box: `size` steps of `stride` elements in the variable, along grid axis `axis`.
struct BoxDim {
  std::uint32_t axis;
  std::size_t size;
  std::int64_t stride;
  bool operator==(const BoxDim&) const = default;
};

// Most views have no more than two dimensions, and axes.
using Sizes = InlineVector<std::size_t, 2>;
using BoxDims = InlineVector<BoxDim, 2>;

struct Box {
  VariableId variable = 0;
  std::int64_t offset = 0;  // element of the variable at the box's first corner
  Sizes begin;              // first corner in the grid, one entry an axis
  BoxDims dims;             // by axis, outermost first; sizes above 1
};

class TensorView {
 public:
  using Shape = Sizes;

  TensorView() = default;  // shape {0}
  // All elements of a variable in order; the shape has as many elements as the variable.
  static TensorView whole(VariableId variable, std::span<const std::size_t> shape);

  const Shape& shape() const { return shape_; }
  unsigned rank() const { return static_cast<unsigned>(shape_.size()); }
  std::size_t num_elements() const;

  TensorView slice(unsigned dim, std::size_t begin, std::size_t end) const;
  TensorView index(std::size_t i) const;  // drops dimension 0
  TensorView reshape(std::span<const std::size_t> shape) const;
  TensorView flatten() const;
  TensorView dim_shuffle(std::span<const unsigned> permutation) const;
  TensorView broadcast(unsigned dim, std::size_t n) const;     // n copies one after the other
  TensorView upsample(unsigned dim, std::size_t scale) const;  // every entry `scale` times
  TensorView sub_sample(unsigned dim, std::size_t stride) const;
  TensorView reverse(unsigned dim) const;
  // Shapes agree in all dimensions but `dim`; at least one view.
  static TensorView concat(std::span<const TensorView* const> views, unsigned dim);

  // Runs of elements in flattened order, joined where they follow each other.
  void for_each_run(const std::function<void(const VariableRun&)>& visit) const;
  std::vector<VariableRun> runs() const;
  // Which elements the view has, in any order, as few runs as cheaply possible; repeated elements may come again.
  void for_each_covering_run(const std::function<void(const VariableRun&)>& visit) const;
  // The same elements sorted, disjoint and joined.
  std::vector<VariableRun> covering_runs() const;
  // The same, but for each box all elements between its lowest and its highest.
  std::vector<VariableRun> bounding_runs() const;
  // Every element of from[0], then of from[1] and so on (sorted and disjoint, each box within one of them) stands in
  // variable `to` instead, one after the other from element 0.
  TensorView rebased(std::span<const VariableRun> from, VariableId to) const;
  // Variable of every box (with repetitions).
  void for_each_variable(const std::function<void(VariableId)>& visit) const;
  VariableId first_variable() const;  // of a view with elements

  bool is_contiguous() const;                         // one run
  bool contains_aliases() const;                      // some element comes twice
  bool same_elements(const TensorView& other) const;  // equal shape and equal element at every position

  // The pieces, for those who walk them directly.
  std::span<const std::size_t> axes() const { return {axes_.data(), axes_.size()}; }
  std::span<const Box> boxes() const { return boxes_; }

 private:
  friend class ViewGrid;
  static TensorView without_elements(Shape&& shape);
  Shape shape_{0};
  Sizes axes_;              // sizes above 1
  std::vector<Box> boxes_;  // none if there are no elements
};

// A view with the type that its elements are read as.
struct TensorRef {
  ElementType type = ElementType::kFloat;
  TensorView view;
};

}  // namespace tessera::graph
