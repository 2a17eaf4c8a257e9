// Plain description of a codelet: what the graph and the compiler need to know of it. popc fills it from the C++ class.
//
// Layout of vertex state (RV32, little-endian), `offset` bytes from the start of the vertex object:
//   scalar edge             4-byte pointer to the element
//   scalar state            the value itself
//   vector, kSpan           4-byte pointer, then 4-byte element count
//   vector, kOnePtr         4-byte pointer
//   list                    the outer vector as above; it points at an array of inner vectors laid out as above
// Behind each edge of quarters stands a scalar edge to their metadata, a field of its own (metadata_field).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/types.h"
#include "program/program_info.h"

namespace tessera::graph {

enum class CodeletKind : std::uint8_t {
  kVertex,       // one worker runs compute()
  kMultiVertex,  // all six workers run compute(workerId) on the same state
  kSupervisor,   // the supervisor runs compute()
};

using names::FieldKind;

enum class FieldShape : std::uint8_t {
  kScalar,
  kVector,      // Input<Vector<T>>, or Vector<T> state
  kList,        // Vector<Input<Vector<T>>>, one region per entry
  kScalarList,  // Vector<Input<T>>, one scalar edge per entry: an outer vector of 4-byte pointers
};

enum class VectorLayout : std::uint8_t { kSpan, kOnePtr };

struct CodeletField {
  std::string name;
  FieldKind kind = FieldKind::kInput;
  FieldShape shape = FieldShape::kScalar;
  VectorLayout layout = VectorLayout::kSpan;        // of the vector, or of the outer vector of a list
  VectorLayout inner_layout = VectorLayout::kSpan;  // of each entry of a kList
  ElementType type = ElementType::kFloat;
  std::uint32_t offset = 0;     // bytes into the vertex state
  std::uint32_t min_align = 4;  // bytes, of the first element of every region
  bool interleaved = false;     // regions live in interleaved memory
  bool is_const = false;        // const state field

  bool is_edge() const { return kind != FieldKind::kState; }
  bool is_metadata() const { return type == ElementType::kQuarterMetadata; }
  bool is_list() const { return shape == FieldShape::kList || shape == FieldShape::kScalarList; }
};

enum class MemoryPart : std::uint8_t { kElement, kRegion };

// What two edge fields hold shall have no such part of memory in common.
struct FieldConstraint {
  MemoryPart part = MemoryPart::kElement;
  std::uint32_t a = 0, b = 0;  // indices of fields
  bool operator==(const FieldConstraint&) const = default;
};

struct CodeletInfo {
  std::string name;  // fully qualified as Poplar writes it: "ns::Class<float,true,3>"
  CodeletKind kind = CodeletKind::kVertex;
  std::string entry_symbol;   // void entry(void* state) or, for a MultiVertex, void entry(void* state, unsigned worker)
  bool returns_bool = false;  // compute() returns bool (votes in Execute with a predicate)
  std::uint32_t state_size = 0;   // bytes of the vertex object
  std::uint32_t state_align = 4;  // bytes
  std::vector<CodeletField> fields;
  std::vector<FieldConstraint> constraints;
};

// Index of the field with that name, -1 if there is none.
int find_field(const CodeletInfo& codelet, const std::string& name);

// The field behind an edge of quarters, which is connected with it: an input of one kQuarterMetadata, "edge.metadata".
CodeletField metadata_field(const CodeletField& edge);

// "elem(*a) != elem(*b)"
std::string text_of(const CodeletInfo& codelet, const FieldConstraint& constraint);

}  // namespace tessera::graph
