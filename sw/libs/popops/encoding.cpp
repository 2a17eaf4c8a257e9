#include <popops/Encoding.hpp>

#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::ComputeSet;
using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;
using poplar::program::Execute;
using poplar::program::Sequence;

namespace {

// f(tile, region) for what each tile holds of a tensor.
template <class F>
void for_each_region(const Graph& graph, const Tensor& t, F f) {
  const auto mapping = graph.getTileMapping(t);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const poplar::Interval& region : mapping[tile]) f(tile, region);
  }
}

void count(Graph& graph, const Tensor& t, unsigned first, Sequence& prog, const DebugContext& debugContext,
           poplar::Type type) {
  if (t.rank() > 1 || t.elementType() != type)
    throw poputil::poplibs_error("iota: '" + t.getDebugStr() + "' of type " + text_of(t.elementType()) + " and shape " +
                                 t.shapeToString() + " is not a vector of " + text_of(type));
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(t, first));
  const std::string name =
      instantiated(graph, "encoding.h", poputil::templateVertex("popops::Iota", poplar::UNSIGNED_INT));
  const ComputeSet cs = graph.addComputeSet({info, "iota"});
  const Tensor flat = t.flatten().reinterpret(poplar::UNSIGNED_INT);
  for_each_region(graph, flat, [&](unsigned tile, const poplar::Interval& region) {
    const poplar::VertexRef v = graph.addVertex(cs, name);
    graph.connect(v["out"], flat.slice(region));
    graph.setInitialValue(v["first"], first + static_cast<unsigned>(region.begin()));
    graph.setTileMapping(v, tile);
  });
  prog.add(Execute(cs, {info}));
}

}  // namespace

void encodeOneHot(Graph& graph, const Tensor& indices, const Tensor& encoded, Sequence& prog,
                  const DebugContext& debugContext) {
  const auto constant = [&](int value, const char* name) {
    const Tensor t = graph.addConstant(encoded.elementType(), {}, value, {debugContext, name});
    graph.setTileMapping(t, 0);
    return t;
  };
  encodeOneHot(graph, indices, encoded, prog, constant(1, "on"), constant(0, "off"), debugContext);
}

void encodeOneHot(Graph& graph, const Tensor& indices, const Tensor& encoded, Sequence& prog, const Tensor& on,
                  const Tensor& off, const DebugContext& debugContext) {
  check_offsets("encodeOneHot", indices);
  if (encoded.rank() != 2 || indices.rank() != 1 || indices.dim(0) != encoded.dim(0))
    throw poputil::poplibs_error("encodeOneHot: '" + indices.getDebugStr() + "' of shape " + indices.shapeToString() +
                                 " in '" + encoded.getDebugStr() + "' of shape " + encoded.shapeToString());
  for (const Tensor* value : {&on, &off}) {
    if (value->numElements() != 1 || value->elementType() != encoded.elementType())
      throw poputil::poplibs_error("encodeOneHot: '" + value->getDebugStr() + "' is not one element of the type of '" +
                                   encoded.getDebugStr() + "'");
  }
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(indices, encoded, on, off));
  const poplar::Type type = bits_of(graph, encoded);
  const std::string name = instantiated(graph, "encoding.h", poputil::templateVertex("popops::OneHot", type));
  const ComputeSet cs = graph.addComputeSet({info, "one hot"});
  const Tensor flat = encoded.flatten().reinterpret(type), rows = indices.reinterpret(poplar::UNSIGNED_INT);
  const std::size_t width = encoded.dim(1);
  for_each_region(graph, flat, [&](unsigned tile, const poplar::Interval& region) {
    const poplar::VertexRef v = graph.addVertex(cs, name);
    graph.connect(v["out"], flat.slice(region));
    graph.connect(v["indices"], rows.slice(region.begin() / width, (region.end() - 1) / width + 1));
    graph.connect(v["on"], on.reinterpret(type).flatten()[0]);
    graph.connect(v["off"], off.reinterpret(type).flatten()[0]);
    graph.setInitialValue(v["width"], static_cast<unsigned>(width));
    graph.setInitialValue(v["first"], static_cast<unsigned>(region.begin() % width));
    graph.setTileMapping(v, tile);
  });
  prog.add(Execute(cs, {info}));
}

void iota(Graph& graph, const Tensor& t, unsigned startInteger, Sequence& prog, const DebugContext& debugContext) {
  count(graph, t, startInteger, prog, debugContext, poplar::UNSIGNED_INT);
}
void iota(Graph& graph, const Tensor& t, int startInteger, Sequence& prog, const DebugContext& debugContext) {
  count(graph, t, static_cast<unsigned>(startInteger), prog, debugContext, poplar::INT);
}

}  // namespace popops
