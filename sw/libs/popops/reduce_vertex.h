// The vertices of reductions.
#pragma once

#include <string>

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
