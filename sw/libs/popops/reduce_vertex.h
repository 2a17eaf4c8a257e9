// The vertices of reductions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <poplar/Graph.hpp>
#include <poplar/Type.hpp>
#include <popops/Operation.hpp>

namespace popops {

struct ReduceVertex {
  Operation op;
  poplar::Type in, out;
  bool scale;   // field `scale`: one float
  bool update;  // `out` is added to

  // "in": a list of rows, each with an element for every element of "out", which are joined; or of columns, each
  // reduced to one element of "out".
  std::string rows() const { return name("Rows"); }
  std::string columns() const { return name("Columns"); }
  // A MultiVertex whose "in" is a matrix with `columns` elements a row, one row after another: whole words of 8 bytes.
  // Only where packed() says so.
  std::string matrix() const { return name("Matrix"); }
  bool packed() const;
  // Sums of halves: vertices of the matrix engine, for matrices that suit it.
  bool by_engine() const;
  bool by_engine(std::size_t rows, std::size_t columns) const;
  std::vector<std::string> engine() const { return {name("Engine"), name("EngineWeights")}; }
  // rows: [rows, columns], which lie one after another. The engine's weights are loaded in compute set `before`.
  void add_by_engine(poplar::Graph& graph, unsigned tile, poplar::ComputeSet before, poplar::ComputeSet cs,
                     const poplar::Tensor& rows, const poplar::Tensor& out) const;
  std::string source() const;  // of all of them
  // Makes all of them known to the graph.
  void add_to(poplar::Graph& graph) const;

 private:
  std::string name(const char* kind) const;
};

const char* name_of(Operation op);

// What a type is accumulated in, and partial results are.
poplar::Type accumulated(Operation op, poplar::Type type);

}  // namespace popops
