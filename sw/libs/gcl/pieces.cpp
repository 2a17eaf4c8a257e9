#include "sw/libs/gcl/pieces.h"

namespace gcl {

using poplar::Tensor;

Tensor Pieces::unit(unsigned number) const {
  std::vector<Tensor> all;
  for (const Piece& piece : pieces_) all.push_back(piece.tensor.slice(number * piece.unit, (number + 1) * piece.unit));
  return poplar::concat(all);
}

Pieces Pieces::buffer(poplar::Graph& graph, unsigned count, const std::string& name) const {
  std::size_t elements = 0;
  for (const Piece& piece : pieces_) elements += count * piece.unit;
  const Tensor all = graph.addVariable(pieces_.front().tensor.elementType(), {elements}, name);
  Pieces result;
  std::size_t first = 0;
  for (const Piece& piece : pieces_) {
    const std::size_t end = first + count * piece.unit;
    graph.setTileMapping(all.slice(first, end), piece.tile);
    result.add({all.slice(first, end), piece.unit, piece.tile});
    first = end;
  }
  return result;
}

}  // namespace gcl
