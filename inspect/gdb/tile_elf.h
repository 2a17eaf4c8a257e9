// The executable as a debugger sees it on one tile: the program's ELF with symbols added for what only the run knows,
// the steps of the tile's control code and its variables, with their types.
#pragma once

#include <string>

#include "program/program_info.h"

namespace tessera::inspect::gdb {

// A program without an ELF (or with one that is damaged) gives one that holds just those symbols.
std::string tile_elf(const names::ProgramInfo& program, unsigned tile);

}  // namespace tessera::inspect::gdb
