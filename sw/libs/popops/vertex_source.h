// Element-wise expressions as vertices: types found, and the C++ that evaluates them.
#pragma once

#include <string>
#include <vector>

#include <poplar/ArrayRef.hpp>
#include <poplar/Type.hpp>
#include <popops/Expr.hpp>

namespace popops {

// How an input goes with the elements of the output.
enum class Going {
  Each,     // an element with each
  Same,     // one element with all
  Repeated  // a vector of elements by a pattern
};

// An input of a vertex: placeholder `index` of the expression.
struct Operand {
  unsigned index;
  poplar::Type type;
  Going going;
};

struct ElementWiseVertex {
  poplar::Type type;              // of the output
  std::vector<Operand> operands;  // placeholders in use, ascending; with in_place the first is not an operand
  std::string source;             // of all vertices
  std::string one_element;        // Vertex: out and in<index> are one element; none where an operand is repeated
  std::string one_region;         // MultiVertex: out and in<index> are vectors, or one element
  std::string many_regions;       // Vertex: out and in<index> are lists of vectors, or one element; none where an
                                  // operand is repeated: then one_region has first, inner and count (Pattern)
};

// The type of the expression's result. Throws poplibs_error for operands of types that an operator does not take or
// that do not agree, and for a placeholder without an input.
poplar::Type type_of(const expr::Expr& expr, const std::vector<poplar::Type>& inputs);

// The placeholders that the expression uses, ascending.
std::vector<unsigned> placeholders(const expr::Expr& expr);

// going: of each input. in_place: the output is input 1, which has the result's type.
ElementWiseVertex element_wise_vertex(const expr::Expr& expr, const std::vector<poplar::Type>& inputs,
                                      const std::vector<Going>& going, bool in_place);

}  // namespace popops
