// The arithmetic reference of record: IEEE 754-2008 as RISC-V F and Zfh use it, computed by MPFR.
//
// Written from the two standards and shared with neither the RTL nor the model; of the model only the names of
// operations and the result type are used. One object per thread: it holds MPFR numbers and moves the exponent range.
#pragma once

#include <mpfr.h>

#include "sim/model/float/fpu.h"

namespace tessera::tb {

class Reference {
 public:
  Reference();
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  // The value and flags of one operation; operands as fp_execute takes them.
  model::FpResult execute(model::FpOp op, model::FpFormat fmt, model::RoundingMode rm, uint32_t a, uint32_t b,
                          uint32_t c);

 private:
  struct Format;
  static const Format& format_of(model::FpFormat fmt);

  // Loads an operand exactly; true if it is a signalling NaN.
  static bool load(mpfr_ptr x, const Format& format, uint32_t bits);
  // Rounds the operation `compute(target, mpfr rounding)` to a format; NaN and infinities are those of the operation.
  template <class Compute>
  model::FpResult round(const Format& format, model::RoundingMode rm, Compute compute);
  template <class Compute>
  int round_ties_away(const Format& format, Compute compute, bool& tiny, bool& overflow);
  model::FpResult pack(const Format& format, uint8_t flags);
  model::FpResult to_integer(bool is_unsigned, model::RoundingMode rm);
  model::FpResult compare(model::FpOp op, const Format& format, uint32_t a, uint32_t b, bool signalling);

  mpfr_t a_, b_, c_;          // operands
  mpfr_t f32_, f16_;          // results in the precision of each format
  mpfr_t* result_ = nullptr;  // one of them
  mpfr_t exact_, unit_;       // for ties away from zero
};

}  // namespace tessera::tb
