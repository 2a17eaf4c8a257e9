// Finds the vertex classes of a codelet source file: names as Poplar writes them, C++ spelling, field names.
//
// Only names come from here. Kinds, offsets and field types are facts of the compiled object (layout_table.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/codelet/toolchain.h"

namespace tessera::compiler {

struct FoundField {
  std::string name;
  std::string type;  // as written in the class, for messages
};

struct FoundVertex {
  std::string name;                      // "ns::Class<float,true,3>"
  std::string cxx;                       // a C++ expression for the same type
  std::vector<FoundField> fields;        // of base classes first
  std::vector<std::string> constraints;  // of [[poplar::constraint(...)]] on the class, as written
  std::uint32_t explicit_stack = 0;      // bytes from TESSERA_STACK_SIZE on compute(), 0 if not given
};

// The vertices in order of appearance. `flags` are those of the compilation. None (an empty optional would hide it:
// `compiles` is false) when the source has errors; clang itself then tells them best.
struct Discovery {
  bool compiles = true;
  std::vector<FoundVertex> vertices;
};

// Throws CodeletError (kNoTool) without libclang.
Discovery discover_vertices(const std::string& file, const std::vector<std::string>& flags, const Clang& clang);

}  // namespace tessera::compiler
