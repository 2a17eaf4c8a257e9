// What stands in tile memory when the program is loaded, beside code and event lists.
#pragma once

#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// A word that holds the address of a place.
struct Pointer {
  ir::Place at, value;
};

// One that is so many bytes further on, by replica.
struct ReplicaPointer {
  ir::Place at, value;
  std::vector<std::uint32_t> shift;
};

struct LoadData {
  std::vector<ir::Content> contents;
  std::vector<Pointer> pointers;
  std::vector<ir::ReplicaContent> replicas{};  // written over the contents
  std::vector<ReplicaPointer> replica_pointers{};
};

}  // namespace tessera::compiler
