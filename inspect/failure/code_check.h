// What a test of a checked build (docs/user/checking.md) found, from what it left in registers as it stopped the tile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "inspect/failure/stopped_chip.h"
#include "inspect/failure/words.h"

namespace tessera::inspect::failure {

struct CodeCheck {
  std::string what;    // "index 12 of input 'in', which has 8 elements (net/x[0..7], 0x54020..0x54040)"
  uint32_t pc = 0;     // in the code that was tested
  unsigned value = 0;  // integer register that holds what was wrong; 0: none does
};

// None when the exception is no such test. `vertex` may be null.
std::optional<CodeCheck> explain_code_check(const Words&, StoppedChip&, unsigned tile, const chip::ExceptionStatus&,
                                            const names::Vertex* vertex);

}  // namespace tessera::inspect::failure
