// What blocks lie in, that are parts of others.
#pragma once

#include <cstddef>
#include <vector>

#include "compiler/ir/block.h"

namespace tessera::compiler {

// By block: where it lies, in itself at 0 for most, and those beyond the last too. A place may lead to a block that
// lies in another one itself.
using Homes = std::vector<ir::Place>;
Homes own_homes(std::size_t blocks);

bool has_own_memory(const Homes& homes, ir::BlockId block);
// The place in the block that lies in no other.
ir::Place home_of(const Homes& homes, ir::Place place);

}  // namespace tessera::compiler
