// Operands for unit Amp that weigh its corners: cancellation, ties, sums that span many binades, specials, subnormals,
// partial sums at f16's ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/float/amp.h"
#include "tb/arithmetic/exact_number.h"

namespace tessera::tb {

// One instruction and all that it reads.
struct AmpCase {
  spec::Opcode op;
  unsigned number;  // phase, or n of gina
  uint64_t a, b;
  model::FloatControl control;
  model::Weights weights;
  model::Accumulators acc;
};

std::string text_of(const AmpCase&);

// Every instruction of the unit; the paced forms, which compute the same, only when asked for.
std::vector<spec::Opcode> amp_instructions(bool paced);

class AmpOperands {
 public:
  explicit AmpOperands(uint64_t seed);

  // Changes in `c` what matters to the instruction and leaves the rest as it is. Accumulators that a step does not
  // use keep what they have, so that results go on as operands when the caller leaves them there.
  void next(spec::Opcode op, AmpCase& c);

  uint64_t bits();
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((bits() >> 32) * n >> 32); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  uint32_t single();   // an f32, weighted
  uint32_t partial();  // an f32 near what f16 can hold, its ties and its ends
  uint32_t half();     // an f16 of the flavour chosen last
  uint64_t halves();   // four of them
  uint64_t bytes();    // eight f8
  void choose_flavour();

 private:
  uint32_t special(const NumberFormat&);
  uint32_t with_exponent(const NumberFormat&, int low, int high);
  uint32_t addend_for(double sum);  // an accumulator that makes the sum with `sum` interesting

  uint64_t state_;
  uint32_t flavour_ = 0;
};

}  // namespace tessera::tb
