// The codelets of random graphs: what the tile gets, and what each does as the host works it out. All are templates of
// one element type.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/compiler/random_graphs/element_kind.h"

namespace tessera::test {

enum class Access : std::uint8_t { kInput, kOutput, kInOut };
enum class Arity : std::uint8_t { kScalar, kVector, kScalarList, kVectorList };

struct Field {
  const char* name;
  Access access;
  Arity arity;
  std::optional<Kind> kind;  // none: the template argument
};

using Edges = std::vector<std::vector<Values>>;         // elements of each edge of each field
using Lengths = std::vector<std::vector<std::size_t>>;  // of the same

struct Codelet {
  const char* name;
  std::vector<Kind> kinds;  // that it is instantiated for
  std::vector<Field> fields;
  const char* state;  // its state field, of the template's type; null: none
  const char* text;   // C++ after `template <class T>`
  bool (*fits)(const Lengths& lengths);
  // One execution: changes what it writes, gives what compute() returns.
  bool (*compute)(Kind kind, Edges& edges, Values& state);
};

const std::vector<Codelet>& codelets();
const Codelet& codelet(const std::string& name);
inline Kind kind_of(const Field& field, Kind of_vertex) { return field.kind.value_or(of_vertex); }
inline bool is_list(const Field& field) {
  return field.arity == Arity::kScalarList || field.arity == Arity::kVectorList;
}

// "Add<int>"
using Instance = std::pair<std::string, Kind>;
std::string vertex_name(const Instance& instance);
const std::vector<Instance>& instances();
// C++ of the codelets that these need, instantiated.
std::string codelet_source(const std::set<Instance>& wanted);
// Integers wrap in them.
constexpr const char* kCodeletFlags = "-fwrapv";

}  // namespace tessera::test
