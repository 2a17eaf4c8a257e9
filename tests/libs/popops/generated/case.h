// A call of an operator of popops, with its tensors, as plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/libs/popops/shapes.h"
#include "tests/libs/popops/values.h"

namespace popops_test {

constexpr unsigned kTilesOfCases = 4;

struct Piece {
  std::size_t elements;
  unsigned tile;
};

struct Variable {
  Type type;
  Shape shape;
  std::vector<Piece> mapping;  // of its flattened elements
  Values values;
  bool constant = false;  // of the graph
};

struct View;
struct ViewOp {
  enum class Is { kReshape, kDimShuffle, kSlice, kReverse, kSubSample, kBroadcast, kConcat };
  Is is;
  // The shape, the permutation; begin, end and dimension; dimension; stride and dimension; times and dimension;
  // dimension.
  Shape at;
  std::vector<View> other;  // what is concatenated behind
};
struct View {
  unsigned variable;
  std::vector<ViewOp> ops;
};

// An element of a variable.
struct Place {
  unsigned variable;
  std::size_t element;
};
// A view by its elements.
struct Shown {
  Type type;
  Shape shape;
  std::vector<Place> places;
};

// A number, flag, type or list that goes to the operator, by the name that it has in its call.
struct Parameter {
  std::string name, cpp_type, text;
  double number;
  Shape list;
  Type type;
  std::vector<std::ptrdiff_t> whole = {};  // a list with numbers below 0
};

struct Case {
  std::size_t op;                      // place in operators()
  std::vector<std::uint32_t> choices;  // what it was made of
  std::vector<Variable> variables;
  std::vector<View> tensors;  // named a, b, c, ... in the call
  std::vector<Parameter> parameters;

  // Throw std::out_of_range where there is none of that name.
  double number(const std::string& name) const { return parameter(name).number; }
  const Shape& list(const std::string& name) const { return parameter(name).list; }
  Type type(const std::string& name) const { return parameter(name).type; }
  const Parameter& parameter(const std::string& name) const;

  Shown show(const View& view) const;
  Shown show(std::size_t tensor) const { return show(tensors[tensor]); }
};

const char* name_of_tensor(std::size_t tensor);
const char* name_of(Type type);  // "FLOAT", ...

}  // namespace popops_test
