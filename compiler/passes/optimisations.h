// Passes that make a program better and never another one: each can be left out.
#pragma once

namespace tessera::compiler {

struct Optimisations {
  bool merge_phases = true;
};

}  // namespace tessera::compiler
