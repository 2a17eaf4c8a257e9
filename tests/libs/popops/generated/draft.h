// A case while it is drawn: shapes, tensors of any mapping seen in any way, parameters.
#pragma once

#include <optional>
#include <string>

#include "tests/libs/popops/generated/case.h"
#include "tests/libs/popops/generated/choices.h"
#include "tests/libs/popops/generated/data.h"

namespace popops_test {

// What a tensor may be.
enum class Use {
  kRead,     // any view, also one that repeats elements
  kWritten,  // every element once
  kWhole,    // every element once, all of one variable
  kVariable  // all elements of a variable in their order
};

class Draft {
 public:
  // full: with all kinds of vertices, else with those that the library brings compiled and some others.
  Draft(Choices& choices, Case& c, bool full) : choices(choices), c_(c), full_(full) {}

  Choices& choices;
  bool full() const { return full_; }

  // Any that a tensor may have; unless the cases are full one of the first `usual`: FLOAT, HALF, INT, UNSIGNED_INT,
  // BOOL.
  Type type(std::size_t usual);
  // Of rank least to most, sometimes with an empty dimension, of some hundred elements at most.
  Shape shape(std::size_t least = 0, std::size_t most = 4, bool may_be_empty = true);
  // A shape that is broadcast to this one.
  Shape narrower(const Shape& shape);
  // Some of the dimensions, each once, in any order.
  Shape some_of(std::size_t rank);

  // A tensor of that shape, with values; its number.
  std::size_t tensor(Type type, const Shape& shape, const Data& data, Use use = Use::kRead);
  // The same elements as those of a tensor, in the same shape; perhaps turned around, or each elsewhere.
  std::size_t alias(std::size_t tensor);

  void set(const std::string& name, const Shape& list);
  void set(const std::string& name, const std::vector<unsigned>& list);
  void set(const std::string& name, const std::vector<std::ptrdiff_t>& list);
  void set(const std::string& name, Type type);
  void set(const std::string& name, bool value);
  void set(const std::string& name, unsigned value);
  void set(const std::string& name, int value);
  void set(const std::string& name, float value);
  // An enumerator of C++.
  void set(const std::string& name, const std::string& text, int value);
  // A number that chooses between ways to call the operator; it is not seen in the call.
  std::size_t way(std::size_t ways);
  std::size_t way(const std::vector<std::size_t>& ways);  // one of these

 private:
  View view(Type type, Shape shape, const Data& data, Use use, unsigned depth);
  unsigned variable(Type type, const Shape& shape, const Data& data, Use use);
  std::vector<Piece> mapping(std::size_t n);

  Case& c_;
  bool full_;
};

}  // namespace popops_test
