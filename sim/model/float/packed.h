// Packed arithmetic: the instructions of unit Packed, lane by lane, as vector_unit.sv does them. Specification:
// docs/reference/arithmetic.md.
#pragma once

#include <cstdint>

#include "rtl/spec/instructions.h"
#include "sim/model/float/vector_result.h"

namespace tessera::model {

// a, b, c: the registers rs1, rs2, rs3 as they are; those that the instruction does not have are ignored.
VectorResult packed_execute(spec::Opcode, uint64_t a, uint64_t b, uint64_t c, const FloatControl&);

}  // namespace tessera::model
