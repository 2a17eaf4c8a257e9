#include "tb/special/special_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tessera::tb {

using model::SpecialFunction;
namespace flag = model::fp_flag;

namespace {

constexpr double kWrong = std::numeric_limits<double>::infinity();

// A binary format by its widths.
struct Format {
  int fraction_bits;
  int exponent_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint32_t infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
  uint32_t sign_bit() const { return 1u << (fraction_bits + exponent_bits); }
  uint32_t one() const { return static_cast<uint32_t>(bias()) << fraction_bits; }
  uint32_t quiet_nan() const { return infinity() | 1u << (fraction_bits - 1); }
  uint32_t magnitude(uint32_t x) const { return x & (sign_bit() - 1); }
  bool subnormal_or_zero(uint32_t x) const { return magnitude(x) >> fraction_bits == 0; }
  // Infinity as the number that would follow the largest.
  double value(uint32_t x) const {
    const uint32_t m = magnitude(x);
    const int field = static_cast<int>(m >> fraction_bits);
    const uint32_t fraction = m & ((1u << fraction_bits) - 1);
    const double absolute = field == 0 ? std::ldexp(fraction, 1 - bias() - fraction_bits)
                                       : std::ldexp(fraction + (1u << fraction_bits), field - bias() - fraction_bits);
    return (x & sign_bit()) != 0 ? -absolute : absolute;
  }
};

Format format_of(bool f16) { return f16 ? Format{10, 5} : Format{23, 8}; }

struct Prescribed {
  uint32_t value;
  uint8_t flags;
};

bool is_log(SpecialFunction f) { return f == SpecialFunction::Ln || f == SpecialFunction::Log2; }

// The table of arithmetic.md.
std::optional<Prescribed> prescribed(SpecialFunction function, const Format& f, uint32_t x) {
  const uint32_t magnitude = f.magnitude(x);
  const uint32_t sign = x & f.sign_bit();
  const uint32_t half = f.one() - (1u << f.fraction_bits);
  if (magnitude > f.infinity()) {
    const bool quiet = (magnitude >> (f.fraction_bits - 1) & 1) != 0;
    return Prescribed{f.quiet_nan(), quiet ? uint8_t{0} : flag::NV};
  }
  const bool zero = magnitude == 0, infinite = magnitude == f.infinity();
  switch (function) {
    case SpecialFunction::Exp:
    case SpecialFunction::Exp2:
      if (infinite) return Prescribed{sign != 0 ? 0 : f.infinity(), 0};
      if (zero) return Prescribed{f.one(), 0};
      return std::nullopt;
    case SpecialFunction::Ln:
    case SpecialFunction::Log2:
      if (zero) return Prescribed{f.sign_bit() | f.infinity(), flag::DZ};
      if (sign != 0) return Prescribed{f.quiet_nan(), flag::NV};
      if (infinite) return Prescribed{f.infinity(), 0};
      if (magnitude == f.one()) return Prescribed{0, 0};
      return std::nullopt;
    case SpecialFunction::Tanh:
      if (infinite) return Prescribed{sign | f.one(), 0};
      if (zero) return Prescribed{sign, 0};
      return std::nullopt;
    case SpecialFunction::Sigmoid:
      if (infinite) return Prescribed{sign != 0 ? 0 : f.one(), 0};
      if (zero) return Prescribed{half, 0};
      return std::nullopt;
    case SpecialFunction::Reciprocal:
      if (infinite) return Prescribed{sign, 0};
      if (zero) return Prescribed{sign | f.infinity(), flag::DZ};
      if (magnitude == f.one()) return Prescribed{x, 0};
      return std::nullopt;
    case SpecialFunction::Sqrt:
      if (zero) return Prescribed{sign, 0};
      if (sign != 0) return Prescribed{f.quiet_nan(), flag::NV};
      if (infinite) return Prescribed{f.infinity(), 0};
      return std::nullopt;
    case SpecialFunction::ReciprocalSqrt:
      if (zero) return Prescribed{sign | f.infinity(), flag::DZ};
      if (sign != 0) return Prescribed{f.quiet_nan(), flag::NV};
      if (infinite) return Prescribed{0, 0};
      return std::nullopt;
    case SpecialFunction::Gauss:
      break;
  }
  return std::nullopt;
}

}  // namespace

SpecialReference::SpecialReference() { mpfr_inits2(80, x_, exact_, other_, static_cast<mpfr_ptr>(nullptr)); }
SpecialReference::~SpecialReference() { mpfr_clears(x_, exact_, other_, static_cast<mpfr_ptr>(nullptr)); }

// exact_ = function(x_), in 80 bits: for a number with 24 the error is of no account.
void SpecialReference::compute(SpecialFunction function) {
  switch (function) {
    case SpecialFunction::Exp:
      mpfr_exp(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Exp2:
      mpfr_exp2(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Ln:
      mpfr_log(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Log2:
      mpfr_log2(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Tanh:
      mpfr_tanh(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Sigmoid:
      mpfr_neg(other_, x_, MPFR_RNDN);
      mpfr_exp(other_, other_, MPFR_RNDN);
      mpfr_add_ui(other_, other_, 1, MPFR_RNDN);
      mpfr_ui_div(exact_, 1, other_, MPFR_RNDN);
      break;
    case SpecialFunction::Reciprocal:
      mpfr_ui_div(exact_, 1, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Sqrt:
      mpfr_sqrt(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::ReciprocalSqrt:
      mpfr_rec_sqrt(exact_, x_, MPFR_RNDN);
      break;
    case SpecialFunction::Gauss:
      break;
  }
}

// From exact_.
double SpecialReference::distance(bool f16, uint32_t result) {
  const Format f = format_of(f16);
  const uint32_t magnitude = f.magnitude(result);
  if (magnitude > f.infinity()) return kWrong;
  // Beyond the format's range by far there is no last place to measure with.
  const int least = 1 - f.bias(), most = f.bias();
  if (mpfr_inf_p(exact_) != 0 || (mpfr_zero_p(exact_) == 0 && mpfr_get_exp(exact_) > most + 1)) {
    const bool negative = (result & f.sign_bit()) != 0;
    return magnitude == f.infinity() && negative == (mpfr_signbit(exact_) != 0) ? 0 : kWrong;
  }
  int binade = least;
  if (mpfr_zero_p(exact_) == 0)
    binade = static_cast<int>(std::clamp<mpfr_exp_t>(mpfr_get_exp(exact_) - 1, least, most));
  mpfr_sub_d(other_, exact_, f.value(result), MPFR_RNDN);
  return std::fabs(std::ldexp(mpfr_get_d(other_, MPFR_RNDN), f.fraction_bits - binade));
}

Judgement SpecialReference::judge(SpecialFunction function, bool f16, uint32_t x, uint32_t result) {
  const Format f = format_of(f16);
  if (const auto p = prescribed(function, f, x)) return {result == p->value ? 0 : kWrong, p->flags};

  mpfr_set_d(x_, f.value(x), MPFR_RNDN);
  compute(function);
  Judgement judgement{distance(f16, result), 0};
  if (f.magnitude(x) == f.infinity()) return judgement;
  if (f.magnitude(result) == f.infinity()) judgement.flags |= flag::OF;
  if (f.subnormal_or_zero(result) && !f.subnormal_or_zero(x) && !is_log(function)) judgement.flags |= flag::UF;
  return judgement;
}

const char* name_of(SpecialFunction function) {
  constexpr const char* kNames[] = {"exp", "exp2", "ln", "log2", "tanh", "sigm", "oox", "sqrt", "oorx", "grand"};
  return kNames[static_cast<unsigned>(function)];
}

}  // namespace tessera::tb
