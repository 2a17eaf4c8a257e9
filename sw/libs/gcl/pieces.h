// What tiles have of a tensor, cut into equally many units each.
#pragma once

#include <cstddef>
#include <poplar/Graph.hpp>
#include <poplar/Tensor.hpp>
#include <string>
#include <vector>

namespace gcl {

class Pieces {
 public:
  struct Piece {
    poplar::Tensor tensor;  // flat, of one tile, one after another in its memory
    std::size_t unit;       // elements
    unsigned tile;
  };

  void add(Piece piece) { pieces_.push_back(std::move(piece)); }
  bool empty() const { return pieces_.empty(); }

  // This unit of all pieces: flat.
  poplar::Tensor unit(unsigned number) const;
  // New tensors of `count` units for each piece, on its tile.
  Pieces buffer(poplar::Graph& graph, unsigned count, const std::string& name) const;

 private:
  std::vector<Piece> pieces_;
};

}  // namespace gcl
