// Sequences of rows, copied by the tiles that hold the target.
#include <popops/SequenceSlice.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/slice_checks.h"
#include "sw/libs/popops/slice_rows.h"
#include "sw/libs/popops/types.h"

namespace popops {

using poplar::Graph;
using poplar::Tensor;
using poplar::program::Sequence;

void sequenceSlice(Graph& graph, const Tensor& tIn, const Tensor& tOut, const Tensor& tN, const Tensor& tInOffset,
                   const Tensor& tOutOffset, bool zeroUnused, Sequence& prog,
                   const poplar::DebugContext& debugContext) {
  if (tIn.rank() < 2 || tOut.rank() < 2 || tIn.elementType() != tOut.elementType() ||
      tIn[0].numElements() != tOut[0].numElements())
    fail("sequenceSlice", tIn,
         "its rows are not those of '" + tOut.getDebugStr() + "' of shape " + tOut.shapeToString() + " and type " +
             text_of(tOut.elementType()));
  for (const Tensor* t : {&tN, &tInOffset, &tOutOffset}) {
    check_offsets("sequenceSlice", *t);
    if (t->rank() != 1 || t->dim(0) != tN.dim(0))
      fail("sequenceSlice", *t, "not a vector of as many elements as '" + tN.getDebugStr() + "'");
  }
  if (!tOut.isParallelWriteable()) fail("sequenceSlice", tOut, "has constant or repeated elements");
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(tIn, tOut, tN, tInOffset, tOutOffset, zeroUnused));
  if (tOut.numElements() == 0) return;
  const poplar::Type type = bits_of(graph, tOut);
  const std::string name = instantiated(graph, "sequences.h", poputil::templateVertex("popops::CopySequences", type));
  const Tensor from = matrix_along(tIn, 0).reinterpret(type), to = matrix_along(tOut, 0).reinterpret(type);
  const poplar::ComputeSet cs = graph.addComputeSet({info, "sequences"});
  for (const Stretch& part : stretches_of(graph, to)) {
    const poplar::VertexRef v = graph.addVertex(cs, name);
    graph.setTileMapping(v, part.tile);
    graph.connect(v["lengths"], tN.reinterpret(poplar::UNSIGNED_INT));
    graph.connect(v["sources_at"], tInOffset.reinterpret(poplar::UNSIGNED_INT));
    graph.connect(v["targets_at"], tOutOffset.reinterpret(poplar::UNSIGNED_INT));
    graph.connect(v["from"], from.slice(part.columns).transpose().flatten());
    graph.connect(v["block"], to.slice(part.columns).slice(part.rows, 1).transpose().flatten());
    graph.setInitialValue(v["columns"], static_cast<unsigned>(part.columns.size()));
    graph.setInitialValue(v["first"], static_cast<unsigned>(part.rows.begin()));
    graph.setInitialValue(v["sources"], static_cast<unsigned>(from.dim(1)));
    graph.setInitialValue(v["zero"], zeroUnused);
  }
  prog.add(poplar::program::Execute(cs, {info}));
}

}  // namespace popops
