// Random instructions of the arithmetic extension, with operands that keep them busy: addresses that stay inside their
// streams, accumulators that do not all become NaN.
#pragma once

#include "instruction_mix.h"

namespace tessera::test {

// Instructions that add_extension_instruction() makes.
bool is_extension(const spec::InstructionInfo&);
// Appends the instruction, and perhaps others that prepare it. Nothing where it would access memory and must not.
void add_extension_instruction(Program&, Random&, spec::Opcode, const MixOptions&);
// Registers of the streams, strides and float control of a context.
void add_stream_setup(Program&, Random&, const MixOptions&);
// A repeat with its body.
void add_repeat(Program&, Random&, const MixOptions&);
// A repeat of matrix steps of one kind, phase after phase, as kernels have it.
void add_dense_steps(Program&, Random&, const MixOptions&);
// Supervisor: weights from changing places of the tables, one load after the other.
void add_weight_burst(Program&, Random&);

}  // namespace tessera::test
