// The operations of reductions in words, and as arguments of vertex templates.
#pragma once

#include <string>

#include <popops/Operation.hpp>
#include <poputil/VertexTemplates.hpp>

namespace poputil {

// "Add", "Mul", "Min", "Max", "Logical And", "Logical Or", "Square Add", "Log Add". Throws poplibs_error for another
// value.
const char* asString(const popops::Operation& op);

// "popops::Operation::ADD", ...
template <>
struct VertexTemplateToString<popops::Operation> {
  static std::string to_string(const popops::Operation& op);  // throws poplibs_error for another value
};

}  // namespace poputil
