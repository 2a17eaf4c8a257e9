// Accumulators and the matrix engine of a worker: the instructions of unit Amp, as amp.sv does them. Specification:
// docs/reference/arithmetic.md.
#pragma once

#include <array>
#include <cstdint>

#include "rtl/spec/instructions.h"
#include "sim/model/float/vector_result.h"

namespace tessera::model {

// f32 bit patterns: row A computes, row S is the shift chain that partial sums enter and leave by.
struct Accumulators {
  std::array<uint32_t, 16> a{}, s{};

  bool operator==(const Accumulators&) const = default;
};

using Weights = std::array<uint64_t, 64>;  // CW of the tile; CW[4u + k]: unit u, phase k

// a, b: rs1 and rs2, in the paced forms the latches X and P; `number`: the phase, or the n of gina. The result is rd,
// in the paced forms the new R, and 0 for an instruction that has neither. Changes the accumulators and nothing else.
VectorResult amp_execute(spec::Opcode, unsigned number, uint64_t a, uint64_t b, const FloatControl&, const Weights&,
                         Accumulators&);

}  // namespace tessera::model
