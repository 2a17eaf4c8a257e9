// Passes that make a program better and never another one: each can be left out.
#pragma once

namespace tessera::compiler {

struct Optimisations {
  bool merge_phases = true;
  bool share_memory = true;  // variables that are never live together share memory

  bool operator==(const Optimisations&) const = default;
};

}  // namespace tessera::compiler
