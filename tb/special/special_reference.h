// Judges results of the special functions: MPFR gives the exact value, docs/reference/arithmetic.md the flags and the
// results at NaN, infinity, zero and below zero. Shares with the model nothing but the names of the functions.
#pragma once

#include <mpfr.h>

#include "sim/model/float/special_lane.h"

namespace tessera::tb {

struct Judgement {
  double ulps =
      0;  // distance from the exact value in units of the last place there; infinite where a result is prescribed
  uint8_t flags = 0;  // those that the result should have raised
};

class SpecialReference {
 public:
  SpecialReference();
  ~SpecialReference();
  SpecialReference(const SpecialReference&) = delete;
  SpecialReference& operator=(const SpecialReference&) = delete;

  // Not for Gauss.
  Judgement judge(model::SpecialFunction function, bool f16, uint32_t x, uint32_t result);

 private:
  void compute(model::SpecialFunction function);
  double distance(bool f16, uint32_t result);

  mpfr_t x_, exact_, other_;
};

const char* name_of(model::SpecialFunction function);

}  // namespace tessera::tb
