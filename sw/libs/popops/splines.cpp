// B-splines: each tile computes what it holds of the results, from the edges that these belong to.
#include <popops/SplineBasis.hpp>
#include <popops/SplineWeighting.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Interval;
using poplar::Tensor;
using poplar::Type;
using poplar::VertexRef;
using poplar::program::Execute;
using poplar::program::Sequence;

namespace {

void want(const char* function, const Tensor& t, const Type& type, const std::vector<std::size_t>& shape) {
  if (t.elementType() == type && t.shape() == shape) return;
  std::string wanted;
  for (const std::size_t d : shape) wanted += (wanted.empty() ? "" : ",") + std::to_string(d);
  fail(function, t, "of type " + text_of(t.elementType()) + ", not " + text_of(type) + "[" + wanted + "]");
}

void want_matrix_of_floats(const char* function, const Tensor& t) {
  if (t.rank() != 2 || t.numElements() == 0 || !is_float(t.elementType()))
    fail(function, t, "of type " + text_of(t.elementType()) + ", not a matrix of float or half");
}

// f(vertex, region, edges) for each region that a tile holds of a result of rows, one for an edge.
template <class F>
void for_each_part_of_rows(Graph& graph, poplar::ComputeSet cs, const std::string& name, const Tensor& rows, F f) {
  const std::size_t width = rows.dim(1);
  const auto mapping = graph.getTileMapping(rows);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const Interval& region : mapping[tile]) {
      const VertexRef v = graph.addVertex(cs, name);
      graph.setTileMapping(v, tile);
      graph.setInitialValue(v["first"], static_cast<unsigned>(region.begin() % width));
      f(v, region, Interval(region.begin() / width, (region.end() - 1) / width + 1));
    }
  }
}

}  // namespace

void splineBasis(Graph& graph, const Tensor& pseudo, const Tensor& kernelSize, const Tensor& isOpenSpline,
                 const Tensor& basis, const Tensor& weightIndex, unsigned degree, Sequence& prog,
                 const DebugContext& debugContext) {
  const char* const function = "splineBasis";
  want_matrix_of_floats(function, pseudo);
  if (degree < 1 || degree > 3)
    throw poputil::poplibs_error("splineBasis: a degree of " + std::to_string(degree) + ", not 1, 2 or 3");
  std::size_t splines = 1;
  for (std::size_t d = 0; d < pseudo.dim(1); ++d) splines *= degree + 1;
  want(function, kernelSize, poplar::INT, {pseudo.dim(1)});
  want(function, isOpenSpline, poplar::UNSIGNED_CHAR, {pseudo.dim(1)});
  want(function, basis, pseudo.elementType(), {pseudo.dim(0), splines});
  want(function, weightIndex, poplar::INT, {pseudo.dim(0), splines});
  const poputil::PoplibsOpDebugInfo info(debugContext,
                                         DI_ARGS(pseudo, kernelSize, isOpenSpline, basis, weightIndex, degree));
  const std::string name =
      instantiated(graph, "splines.h", poputil::templateVertex("popops::SplineBasis", pseudo.elementType(), degree));
  const poplar::ComputeSet cs = graph.addComputeSet({info, "basis"});
  for_each_part_of_rows(graph, cs, name, basis, [&](const VertexRef& v, const Interval& region, const Interval& edges) {
    graph.connect(v["pseudo"], pseudo.slice(edges).flatten());
    graph.connect(v["sizes"], kernelSize);
    graph.connect(v["open"], isOpenSpline);
    graph.connect(v["basis"], basis.flatten().slice(region));
    graph.connect(v["indices"], weightIndex.flatten().slice(region));
    graph.setInitialValue(v["splines"], static_cast<unsigned>(splines));
  });
  prog.add(Execute(cs, {info}));
}

Tensor splineWeighting(Graph& graph, const Tensor& input, const Tensor& weight, const Tensor& basis,
                       const Tensor& weightIndex, Sequence& prog, const DebugContext& debugContext) {
  const char* const function = "splineWeighting";
  want_matrix_of_floats(function, input);
  want_matrix_of_floats(function, basis);
  if (weight.rank() != 3) fail(function, weight, "not [kernels, inputs, outputs]");
  const Type type = input.elementType();
  const std::size_t edges = input.dim(0), inputs = input.dim(1), splines = basis.dim(1), outputs = weight.dim(2);
  want(function, weight, type, {weight.dim(0), inputs, outputs});
  want(function, basis, type, {edges, splines});
  want(function, weightIndex, poplar::INT, {edges, splines});
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(input, weight, basis, weightIndex));
  const Tensor out = graph.addVariable(type, {edges, outputs}, {info, "weighted"});
  poputil::mapTensorLinearly(graph, out);
  const std::string name = instantiated(graph, "splines.h", poputil::templateVertex("popops::SplineWeighting", type));
  const poplar::ComputeSet cs = graph.addComputeSet({info, "weighting"});
  for_each_part_of_rows(graph, cs, name, out, [&](const VertexRef& v, const Interval& region, const Interval& part) {
    graph.connect(v["input"], input.slice(part).flatten());
    graph.connect(v["basis"], basis.slice(part).flatten());
    graph.connect(v["indices"], weightIndex.slice(part).flatten());
    graph.connect(v["weight"], weight.flatten());
    graph.connect(v["out"], out.flatten().slice(region));
    graph.setInitialValue(v["inputs"], static_cast<unsigned>(inputs));
    graph.setInitialValue(v["splines"], static_cast<unsigned>(splines));
    graph.setInitialValue(v["outputs"], static_cast<unsigned>(outputs));
  });
  prog.add(Execute(cs, {info}));
  info.addOutput(out);
  return out;
}

}  // namespace popops
