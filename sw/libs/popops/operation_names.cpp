#include <popops/OperationDefUtil.hpp>

#include "sw/libs/popops/reduce_vertex.h"

namespace poputil {

const char* asString(const popops::Operation& op) {
  static const char* const kWords[] = {"Add",         "Mul",        "Min",        "Max",
                                       "Logical And", "Logical Or", "Square Add", "Log Add"};
  popops::name_of(op);  // throws for what is none
  return kWords[static_cast<int>(op)];
}

std::string VertexTemplateToString<popops::Operation>::to_string(const popops::Operation& op) {
  return std::string("popops::Operation::") + popops::name_of(op);
}

}  // namespace poputil
