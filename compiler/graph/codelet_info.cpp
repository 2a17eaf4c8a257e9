#include "compiler/graph/codelet_info.h"

namespace tessera::graph {

int find_field(const CodeletInfo& codelet, const std::string& name) {
  for (std::size_t i = 0; i < codelet.fields.size(); ++i) {
    if (codelet.fields[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

CodeletField metadata_field(const CodeletField& edge) {
  const bool counted = edge.shape != FieldShape::kScalar && edge.layout == VectorLayout::kSpan;
  CodeletField field;
  field.name = edge.name + ".metadata";
  field.type = ElementType::kQuarterMetadata;
  field.layout = VectorLayout::kOnePtr;
  field.inner_layout = VectorLayout::kOnePtr;
  field.offset = edge.offset + (counted ? 8 : 4);
  field.min_align = 1;
  return field;
}

std::string text_of(const CodeletInfo& codelet, const FieldConstraint& constraint) {
  const std::string part = constraint.part == MemoryPart::kElement ? "elem(*" : "region(*";
  return part + codelet.fields[constraint.a].name + ") != " + part + codelet.fields[constraint.b].name + ")";
}

}  // namespace tessera::graph
