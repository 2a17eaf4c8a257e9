// How many words each tile would send and receive for some moves.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Words by tile. What several tiles need leaves once if the moves that bring it have the same source and length.
struct PortLoads {
  std::map<std::uint32_t, std::uint64_t> sent, received;

  std::uint64_t busiest() const;
};

PortLoads port_loads(const ir::Blocks& blocks, std::vector<ir::Move> moves);

}  // namespace tessera::compiler
