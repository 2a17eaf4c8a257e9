// What is said of a program that does not fit: in Poplar's words, then what takes the space.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/graph/graph.h"
#include "compiler/image/executable.h"
#include "compiler/ir/block.h"
#include "compiler/passes/memory/views.h"

namespace tessera::compiler {

struct FullTile {
  std::uint32_t tile = 0;
  std::uint64_t missing = 0;  // bytes that found no place
  std::string constraint{};   // of a codelet, for which there is no room though the memory is not full; "": none
};

// A line that names the first of these tiles; then a table of the tiles, at most 16, and of the twenty variables that
// take the most in all. What lies in other blocks (`homes`) takes none.
std::string out_of_memory_text(const graph::Graph& graph, const ir::Blocks& blocks, const Homes& homes,
                               const std::vector<image::TileUsage>& usage, const std::vector<FullTile>& full);

}  // namespace tessera::compiler
