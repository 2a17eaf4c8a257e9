// Copies inside a tile that its supervisor makes itself.
#pragma once

#include <span>

#include "compiler/passes/control/assembler.h"
#include "compiler/passes/exchange/local_copy.h"

namespace tessera::compiler {

// Of whole words, 8 at most in a run. Changes t0 to t5 and a2 to a7.
void emit_copies(std::span<const LocalCopy> copies, Assembler& code);

}  // namespace tessera::compiler
