// Integer results and branch decisions (RV32IM, Zba, Zbb). Mirrors rtl/tile's ALU.
#pragma once

#include <cstdint>

#include "rtl/spec/instructions.h"

namespace tessera::model {

// Result of an Alu, Multiply or Divide instruction; `b` is rs2 or the immediate, as the format says.
uint32_t alu_result(spec::Opcode, uint32_t a, uint32_t b, uint32_t pc);
bool branch_taken(spec::Opcode, uint32_t a, uint32_t b);

}  // namespace tessera::model
