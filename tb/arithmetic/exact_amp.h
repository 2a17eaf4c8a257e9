// The reference of unit Amp: matrix steps, slim convolution and accumulator instructions as
// docs/reference/arithmetic.md defines them, on exact sums. Of the model only plain types are used. What a step does is
// read off its mnemonic.
#pragma once

#include "sim/model/float/amp.h"

namespace tessera::tb {

// As model::amp_execute.
model::VectorResult exact_amp(spec::Opcode, unsigned number, uint64_t a, uint64_t b, const model::FloatControl&,
                              const model::Weights&, model::Accumulators&);

}  // namespace tessera::tb
