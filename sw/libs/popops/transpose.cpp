// Matrices transposed by the tiles that hold them.
#include <popops/Rearrange.hpp>
#include <poputil/DebugInfo.hpp>
#include <poputil/VertexTemplates.hpp>
#include <poputil/exceptions.hpp>

#include "sw/libs/popops/fail.h"
#include "sw/libs/popops/instantiated.h"
#include "sw/libs/popops/slice_rows.h"

namespace popops {
namespace rearrange {

using poplar::Graph;
using poplar::Tensor;
using poplar::Type;

bool canUseFastTranspose(const poplar::Target&, const Type& type, unsigned numRows, unsigned numColumns,
                         unsigned numTranspositions) {
  const bool two_bytes = type == poplar::HALF || type == poplar::SHORT || type == poplar::UNSIGNED_SHORT;
  const bool blocks = numRows % 4 == 0 && numColumns % 4 == 0;
  return two_bytes && blocks && numRows != 0 && numColumns != 0 && numTranspositions != 0;
}

void addTransposeVertices(Graph& graph, const poplar::ComputeSet& cs, const Type& dType, unsigned rows, unsigned cols,
                          const Graph::TileToTensorMapping& mapping,
                          std::function<std::pair<const Tensor, const Tensor>(std::size_t)> getInOut,
                          const poplar::DebugContext& debugContext) {
  const poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(cs, dType, rows, cols));
  for (unsigned tile = 0; tile < mapping.size(); ++tile) {
    std::vector<Tensor> in, out;
    for (const poplar::Interval& matrices : mapping[tile]) {
      for (std::size_t i = matrices.begin(); i < matrices.end(); ++i) {
        const auto one = getInOut(i);
        for (const Tensor* t : {&one.first, &one.second}) {
          if (t->rank() != 1 || t->numElements() != std::size_t{rows} * cols || t->elementType() != dType)
            fail("addTransposeVertices", *t,
                 "not " + std::to_string(rows) + " x " + std::to_string(cols) + " elements, flattened");
        }
        graph.setTileMapping(one.second, tile);
        in.push_back(one.first);
        out.push_back(one.second);
      }
    }
    if (in.empty() || rows == 0 || cols == 0) continue;
    const bool blocks = canUseFastTranspose(graph.getTarget(), dType, rows, cols, static_cast<unsigned>(in.size()));
    const Type type = blocks ? poplar::HALF : bits_of(graph, in[0]);
    const std::string name = poputil::templateVertex(blocks ? "popops::TransposeBlocks" : "popops::Transpose", type);
    const poplar::VertexRef v = graph.addVertex(cs, instantiated(graph, "transpose.h", name));
    graph.setTileMapping(v, tile);
    graph.connect(v["in"], concat(in).reinterpret(type));
    graph.connect(v["out"], concat(out).reinterpret(type));
    graph.setInitialValue(v["rows"], blocks ? rows / 4 : rows);
    graph.setInitialValue(v["columns"], blocks ? cols / 4 : cols);
  }
}

Tensor partialTranspose(Graph& graph, const Tensor& in, const poplar::ComputeSet& cs,
                        const poplar::DebugContext& debugContext) {
  if (in.rank() < 2) fail("partialTranspose", in, "fewer than 2 dimensions");
  poputil::PoplibsOpDebugInfo info(debugContext, DI_ARGS(in, cs));
  std::vector<std::size_t> shape = in.shape();
  const std::size_t rows = shape[in.rank() - 2], columns = shape[in.rank() - 1];
  std::swap(shape[in.rank() - 2], shape[in.rank() - 1]);
  const Tensor out = graph.addVariable(in.elementType(), shape, {info, "transposed"});
  if (in.numElements() != 0) {
    const std::vector<std::size_t> matrices = {in.numElements() / (rows * columns), rows * columns};
    const Tensor from = in.reshape(matrices), to = out.reshape(matrices);
    addTransposeVertices(graph, cs, in.elementType(), static_cast<unsigned>(rows), static_cast<unsigned>(columns),
                         graph.getTileMapping(from.slice(0, 1, 1)),
                         [&](std::size_t i) { return std::pair<const Tensor, const Tensor>(from[i], to[i]); }, {info});
  }
  info.addOutput(out);
  return out;
}

}  // namespace rearrange
}  // namespace popops
