// Special functions of the fast model (unit Special): exponentials, logarithms, tanh, sigmoid, reciprocals, roots and
// the Gaussian draw, in integers only. Mirrors rtl/float/special_unit.sv; specification: docs/reference/special.md.
#pragma once

#include <cstdint>

#include "rtl/spec/instructions.h"
#include "sim/model/float/vector_result.h"

namespace tessera::model {

// Executes an instruction of unit Special on the raw register `a`; `random` is what the worker's generator draws, read
// by the Gaussian draws only. The value is the whole float register, boxed where the result is narrower.
VectorResult special_execute(spec::Opcode op, uint64_t a, uint64_t random);

}  // namespace tessera::model
