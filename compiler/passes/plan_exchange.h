// Decides who sends which words to whom: turns the moves of an exchange into local copies, one phase of transfers and
// local copies again.
//
// Words that several tiles need are sent once. Many small pieces between two tiles are packed into one message. A move
// that does not cover whole words is sent as the words around it and put in place by a copy on the receiving tile.
#pragma once

#include "compiler/passes/lowered.h"

namespace tessera::compiler {

// Fills before, after and traffic of the exchange and empties moves; adds staging blocks.
void plan_exchange(Lowered& lowered, std::uint32_t exchange);

}  // namespace tessera::compiler
