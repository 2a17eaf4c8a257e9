// Which codelets the tiles run: tiles that run the same ones are a group.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

struct CodeletGroup {
  std::vector<std::uint32_t> codelets;  // of the graph, ascending
  std::uint32_t tiles = 0;              // how many
};

struct CodeletGroups {
  std::vector<CodeletGroup> groups;    // in the order of their first tiles
  std::vector<std::uint32_t> of_tile;  // by tile: its group
};

CodeletGroups codelet_groups(const ir::Program& program);

}  // namespace tessera::compiler
