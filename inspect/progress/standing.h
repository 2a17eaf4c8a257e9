// Where the tiles of a chip stand, in one line or in a line for each group that does the same.
#pragma once

#include <string>
#include <vector>

#include "program/program_info.h"
#include "sim/port/chip.h"

namespace tessera::inspect::progress {

// "14 tiles computing, most in codelet 'Gemm', Execute(multiply); 2 waits at internal sync"
std::string standing_line(const names::ProgramInfo&, const std::vector<chip::TileWait>&);
// "tiles 0-13 computing in codelet 'Gemm', Execute(multiply)", the largest group first.
std::vector<std::string> standing_lines(const names::ProgramInfo&, const std::vector<chip::TileWait>&);

}  // namespace tessera::inspect::progress
