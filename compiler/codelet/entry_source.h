// The generated half of a codelet file: one entry function per vertex and the table of what the compiler made of it.
#pragma once

#include <string>
#include <vector>

#include "compiler/codelet/discover.h"

namespace tessera::compiler {

// C symbol of the entry function of the vertex of that name; different names give different symbols.
std::string entry_symbol(const std::string& vertex_name);

// Symbol whose value is the stack size that the source gives explicitly for an entry.
std::string explicit_stack_symbol(const std::string& entry);

// A C++ source that includes `file` and defines the entries and the table.
std::string entry_source(const std::string& file, const std::vector<FoundVertex>& vertices);

}  // namespace tessera::compiler
