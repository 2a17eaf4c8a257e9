// Passes that make a program better and never another one: each can be left out.
#pragma once

namespace tessera::compiler {

struct Optimisations {
  bool merge_phases = true;     // phases that do not depend on each other are one
  bool share_memory = true;     // variables that are never live together share memory
  bool share_constants = true;  // constants of equal bytes are kept once on a tile

  bool operator==(const Optimisations&) const = default;
};

}  // namespace tessera::compiler
