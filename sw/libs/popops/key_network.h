// Rows of keys put in order by a network of comparisons.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <poplar/DebugContext.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <poplar/Tensor.hpp>
#include <poplar/Type.hpp>

namespace popops {

// Rows of n keys of FLOAT, none of which may be a NaN, or of UNSIGNED_INT.
class KeyNetwork {
 public:
  KeyNetwork(poplar::Graph& graph, std::size_t rows, std::size_t n, const poplar::Type& type,
             const poplar::DebugContext& debugContext);

  // [rows, n]: where the program writes the keys.
  poplar::Tensor keys() const;
  // A variable [rows, n] of any type whose elements lie where those of keys() do.
  poplar::Tensor beside_keys(const poplar::Type& type) const;
  // Writes what a row is filled up with, beside keys().
  void fill(poplar::program::Sequence& prog);
  // The keys in ascending order: [rows, n]. They lie as keys() do, and may take their place. `beside` are run on the
  // way, one after another, and read and write nothing of the network's.
  poplar::Tensor order(poplar::program::Sequence& prog, const std::vector<poplar::program::Sequence>& beside = {});

 private:
  struct Window;
  poplar::Tensor variable(const poplar::Type& type) const;
  poplar::Tensor row_view(const poplar::Tensor& variable, const Window& window) const;
  void run(const std::string& vertex, const poplar::Tensor& variable, const Window& window, unsigned stage,
           poplar::program::Sequence& prog);

  poplar::Graph& graph_;
  std::size_t rows_, n_;
  poplar::Type type_;
  poplar::DebugContext context_;
  unsigned bits_;                // of a key's number in its row, which is filled up to 2^bits
  std::size_t of_tile_, tiles_;  // keys on each, and how many
  poplar::Tensor keys_;
};

}  // namespace popops
