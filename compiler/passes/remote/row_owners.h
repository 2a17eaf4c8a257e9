// Whether copies from and to a remote buffer that follow one another keep their order by themselves: packets of one
// exchange block take effect in the order in which they were sent, those of different blocks may overtake each other.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "compiler/ir/program.h"

namespace tessera::compiler {

// Whether all transfers, of one remote buffer, bring each word of a row to the same owner of tiles, and take it from
// there.
bool have_same_owners(const ir::Program& program, std::span<const std::uint32_t> transfers,
                      const std::function<std::uint32_t(std::uint32_t tile)>& owner);

// Has tiles wait for what they have written to buffers of which that is not so for the exchange blocks.
// `tiles_of_block`: of a chip.
void confirm_writes(ir::Program& program, std::uint32_t tiles_of_block);

}  // namespace tessera::compiler
