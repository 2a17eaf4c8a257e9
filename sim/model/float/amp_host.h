// The step of the matrix engine that programs use most, f16 with partial sums in f16, by the host's vectors: where no
// addition before the last rounds and no flag can be due.
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/float/amp.h"

namespace tessera::model {

// The weights of one phase, as the host multiplies with them.
struct HostWeights {
  alignas(64) std::array<std::array<double, 16>, 4> lanes;  // by lane and unit
  uint32_t exponents = 0;  // which fields the f16 that are not zero have (amp_host.cpp)
  float room = 0;          // how far those of the inputs may lie apart; no number if some weight is not finite
};

// Of CW[4u + phase], given as `weights`.
void take_weights(const Weights& weights, unsigned phase, HostWeights&);

// f16v4hihov4amp with nearest rounding: x and p as amp_execute() takes them, r as it gives it. False, and nothing done:
// amp_execute() has to do it.
bool step_on_host(unsigned phase, uint64_t x, uint64_t p, const HostWeights&, Accumulators&, uint64_t& r);

// The two ways in which it may do it. That of AVX-512 takes some steps more; it is only for a host that has it.
bool has_wide_vectors();
bool step_by_wide_vectors(unsigned phase, uint64_t x, uint64_t p, const HostWeights&, Accumulators&, uint64_t& r);
bool step_by_vectors(unsigned phase, uint64_t x, uint64_t p, const HostWeights&, Accumulators&, uint64_t& r);

}  // namespace tessera::model
