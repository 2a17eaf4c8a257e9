// Debug information (DWARF 4) for a tile's variables: each is an array of its element type, indexed by the tensor's own
// element numbers where the tile holds one run of them.
#pragma once

#include <cstdint>
#include <string>

#include "program/program_info.h"

namespace tessera::inspect::gdb {

struct VariableTypes {
  std::string abbreviations;  // for .debug_abbrev
  std::string unit;           // for .debug_info; "" when no variable of the tile has a known type
};
// `abbreviations_at`: where in .debug_abbrev they will lie.
VariableTypes variable_types(const names::ProgramInfo& program, unsigned tile, uint32_t abbreviations_at);

}  // namespace tessera::inspect::gdb
