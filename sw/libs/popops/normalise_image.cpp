// Pictures of three channels scaled, and padded to four.
#include <popops/NormaliseImage.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/TileMapping.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::Graph;
using poplar::Tensor;
using poplar::Type;

namespace {

bool is_picture(const Type& type, poplar::ArrayRef<std::size_t> shape) {
  return shape.size() >= 2 && shape[shape.size() - 1] == 3 && (is_float(type) || type == poplar::UNSIGNED_CHAR);
}

}  // namespace

Tensor createNormaliseImageInput(Graph& graph, const Type& type, const poplar::ArrayRef<std::size_t> shape,
                                 const poplar::DebugContext& debugContext) {
  if (!is_picture(type, shape))
    throw poputil::poplibs_error(
        "createNormaliseImageInput: the type is " + text_of(type) + ", and the shape has " +
        std::to_string(shape.size()) +
        " dimensions; wanted are unsigned char, half or float, and at least 2 dimensions of which the last is 3");
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(type));
  const Tensor t = graph.addVariable(type, shape, {info});
  // Whole pixels in whole words, for each worker.
  const auto grain = static_cast<unsigned>(3 * 4 / graph.getTarget().getTypeSize(type));
  poputil::mapTensorLinearly(graph, t, grain * graph.getTarget().getNumWorkerContexts(), grain);
  return t;
}

Tensor normaliseImage(Graph& graph, poplar::program::Sequence& seq, Tensor tIn, float inScale, Tensor offsets,
                      Tensor scales, const poplar::DebugContext& debugContext) {
  const Type type = tIn.elementType(), to = type == poplar::UNSIGNED_CHAR ? poplar::HALF : type;
  const std::vector<std::size_t> shape = tIn.shape();
  if (!is_picture(type, shape))
    fail("normaliseImage", tIn, "of type " + text_of(type) + ", not pixels of 3 unsigned chars, halves or floats");
  for (const Tensor* t : {&offsets, &scales}) {
    if (t->rank() != 1 || t->dim(0) != 3 || t->elementType() != to)
      fail("normaliseImage", *t, "of type " + text_of(t->elementType()) + ", not 3 elements of type " + text_of(to));
  }
  if (inScale == 0) throw poputil::poplibs_error("normaliseImage: an inScale of 0");
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(tIn, inScale, offsets, scales));
  std::vector<std::size_t> padded = shape;
  padded.back() = 4;
  const Tensor out = graph.addVariable(to, padded, {info, "normalised"});
  const Tensor flat_in = tIn.flatten(), flat_out = out.flatten();
  const std::string name = instantiated(graph, "image.h", poputil::templateVertex("popops::NormalisePixels", type, to));
  const poplar::ComputeSet cs = graph.addComputeSet({info, "normalise"});
  const auto mapping = graph.getTileMapping(flat_in);
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    for (const poplar::Interval& region : mapping[tile]) {
      if (region.begin() % 3 != 0 || region.end() % 3 != 0)
        fail("normaliseImage", tIn,
             "tile " + std::to_string(tile) + " holds a part of a pixel; createNormaliseImageInput maps whole ones");
      const Tensor to_pixels = flat_out.slice(region.begin() / 3 * 4, region.end() / 3 * 4);
      const poplar::VertexRef v = graph.addVertex(cs, name);
      graph.setTileMapping(to_pixels, tile);
      graph.setTileMapping(v, tile);
      graph.connect(v["in"], flat_in.slice(region));
      graph.connect(v["out"], to_pixels);
      graph.connect(v["offsets"], offsets);
      graph.connect(v["scales"], scales);
      graph.setInitialValue(v["scale"], inScale);
    }
  }
  seq.add(poplar::program::Execute(cs, {info}));
  info.addOutput(out);
  return out;
}

}  // namespace popops
