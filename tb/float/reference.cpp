#include "tb/float/reference.h"

#include <bit>
#include <cmath>
#include <initializer_list>

namespace tessera::tb {

using model::FpFormat;
using model::FpOp;
using model::FpResult;
using model::RoundingMode;
namespace flag = model::fp_flag;

// MPFR writes a number as m * 2^e with m in [1/2, 1): its exponents are one above IEEE's.
struct Reference::Format {
  int precision;
  mpfr_exp_t smallest;         // exponent of the smallest subnormal
  mpfr_exp_t smallest_normal;  // exponent of the smallest normal
  mpfr_exp_t largest;          // exponent of the largest number
  int width;
  int fraction_bits;
  uint32_t quiet_nan;
};

namespace {

// Holds every exact product and sum of f32: 2^-298 to 2^257.
constexpr int kExactPrecision = 640;

mpfr_rnd_t direction(RoundingMode rm) {
  switch (rm) {
    case RoundingMode::RTZ:
      return MPFR_RNDZ;
    case RoundingMode::RDN:
      return MPFR_RNDD;
    case RoundingMode::RUP:
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

}  // namespace

Reference::Reference() {
  for (mpfr_ptr x : {a_, b_, c_}) mpfr_init2(x, 32);
  mpfr_init2(f32_, 24);
  mpfr_init2(f16_, 11);
  mpfr_init2(exact_, kExactPrecision);
  mpfr_init2(unit_, kExactPrecision);
}

Reference::~Reference() {
  for (mpfr_ptr x : {a_, b_, c_, f32_, f16_, exact_, unit_}) mpfr_clear(x);
}

const Reference::Format& Reference::format_of(FpFormat fmt) {
  static constexpr Format kF32 = {24, -148, -125, 128, 32, 23, 0x7fc00000u};
  static constexpr Format kF16 = {11, -23, -13, 16, 16, 10, 0x7e00u};
  return fmt == FpFormat::F16 ? kF16 : kF32;
}

bool Reference::load(mpfr_ptr x, const Format& format, uint32_t bits) {
  const int exponent_bits = format.width - 1 - format.fraction_bits;
  const uint32_t fraction = bits & ((1u << format.fraction_bits) - 1);
  const uint32_t field = (bits >> format.fraction_bits) & ((1u << exponent_bits) - 1);
  const bool negative = ((bits >> (format.width - 1)) & 1) != 0;
  if (field == (1u << exponent_bits) - 1) {
    if (fraction != 0) {
      mpfr_set_nan(x);
      return (fraction >> (format.fraction_bits - 1)) == 0;
    }
    mpfr_set_inf(x, negative ? -1 : 1);
    return false;
  }
  // A fraction's last bit has the weight of the smallest subnormal times 2^(field - 1), fields 0 and 1 being alike.
  const uint32_t significand = field == 0 ? fraction : fraction | (1u << format.fraction_bits);
  const mpfr_exp_t weight = format.smallest - 1 + (field == 0 ? 0 : static_cast<mpfr_exp_t>(field) - 1);
  if (significand == 0) {
    mpfr_set_zero(x, negative ? -1 : 1);
    return false;
  }
  mpfr_set_ui_2exp(x, significand, weight, MPFR_RNDN);
  if (negative) mpfr_neg(x, x, MPFR_RNDN);
  return false;
}

// The bits of *result_, which is representable in the format.
FpResult Reference::pack(const Format& format, uint8_t flags) {
  mpfr_ptr x = *result_;
  const uint32_t exponent_full = (1u << (format.width - 1 - format.fraction_bits)) - 1;
  const uint32_t sign = mpfr_signbit(x) != 0 ? 1u << (format.width - 1) : 0;
  if (mpfr_nan_p(x)) return {format.quiet_nan, flags};
  if (mpfr_inf_p(x)) return {sign | exponent_full << format.fraction_bits, flags};
  if (mpfr_zero_p(x)) return {sign, flags};
  const mpfr_exp_t exponent = mpfr_get_exp(x);
  // |x| in units of the last place of its binade, or of the subnormals.
  const mpfr_exp_t binade = exponent < format.smallest_normal ? format.smallest_normal : exponent;
  const double units = std::ldexp(std::fabs(mpfr_get_d(x, MPFR_RNDN)), static_cast<int>(format.precision - binade));
  const uint32_t significand = static_cast<uint32_t>(units);
  const uint32_t field =
      exponent < format.smallest_normal ? 0 : static_cast<uint32_t>(exponent - format.smallest_normal + 1);
  return {sign | field << format.fraction_bits | (significand & ((1u << format.fraction_bits) - 1)), flags};
}

// Ties away from zero are no rounding of MPFR: the exact value (or, for quotients and roots, more bits of it than
// decide a rounding) is scaled to units of the last place and rounded to an integer. Returns the sign of result -
// value.
template <class Compute>
int Reference::round_ties_away(const Format& format, Compute compute, bool& tiny, bool& overflow) {
  const int truncated = compute(exact_, MPFR_RNDZ);
  if (!mpfr_regular_p(exact_)) {
    compute(*result_, MPFR_RNDN);
    return 0;
  }
  const auto round_at = [&](mpfr_exp_t last_place) {
    mpfr_mul_2si(unit_, exact_, -last_place, MPFR_RNDZ);
    const bool changed = mpfr_round(unit_, unit_) != 0;
    mpfr_mul_2si(unit_, unit_, last_place, MPFR_RNDZ);
    return changed || truncated != 0;
  };
  const mpfr_exp_t exponent = mpfr_get_exp(exact_);
  bool inexact = round_at(exponent - format.precision);
  tiny = mpfr_get_exp(unit_) < format.smallest_normal;
  overflow = mpfr_get_exp(unit_) > format.largest;
  if (tiny) inexact = round_at(format.smallest - 1);
  const int sign = mpfr_sgn(exact_);
  if (mpfr_zero_p(unit_)) mpfr_setsign(unit_, unit_, sign < 0, MPFR_RNDN);
  mpfr_set(*result_, unit_, MPFR_RNDZ);
  if (overflow) mpfr_set_inf(*result_, sign);
  return inexact ? 1 : 0;
}

template <class Compute>
FpResult Reference::round(const Format& format, RoundingMode rm, Compute compute) {
  result_ = format.precision == 24 ? &f32_ : &f16_;
  mpfr_ptr x = *result_;
  bool tiny = false;
  bool overflow = false;
  int inexact;
  if (rm == RoundingMode::RMM) {
    inexact = round_ties_away(format, compute, tiny, overflow);
  } else {
    // First with an exponent without bounds, which decides tininess (after rounding) and overflow; then in range.
    const mpfr_rnd_t rounding = direction(rm);
    inexact = compute(x, rounding);
    if (mpfr_regular_p(x)) {
      tiny = mpfr_get_exp(x) < format.smallest_normal;
      overflow = mpfr_get_exp(x) > format.largest;
      if (tiny || overflow) {
        const mpfr_exp_t emin = mpfr_get_emin();
        const mpfr_exp_t emax = mpfr_get_emax();
        mpfr_set_emin(format.smallest);
        mpfr_set_emax(format.largest);
        inexact = mpfr_check_range(x, inexact, rounding);
        inexact = mpfr_subnormalize(x, inexact, rounding);
        mpfr_set_emin(emin);
        mpfr_set_emax(emax);
      }
    }
  }
  uint8_t flags = 0;
  if (overflow) flags |= flag::OF | flag::NX;
  if (inexact != 0) flags |= flag::NX;
  if (tiny && inexact != 0) flags |= flag::UF;
  return pack(format, flags);
}

FpResult Reference::to_integer(bool is_unsigned, RoundingMode rm) {
  const uint32_t largest = is_unsigned ? 0xffffffffu : 0x7fffffffu;
  const uint32_t smallest = is_unsigned ? 0u : 0x80000000u;
  if (mpfr_nan_p(a_)) return {largest, flag::NV};
  if (mpfr_inf_p(a_)) return {mpfr_sgn(a_) > 0 ? largest : smallest, flag::NV};
  const int inexact = rm == RoundingMode::RMM ? mpfr_round(unit_, a_) : mpfr_rint(unit_, a_, direction(rm));
  const bool fits = is_unsigned ? mpfr_fits_uint_p(unit_, MPFR_RNDN) != 0 : mpfr_fits_sint_p(unit_, MPFR_RNDN) != 0;
  if (!fits) return {mpfr_sgn(a_) > 0 ? largest : smallest, flag::NV};
  const uint32_t value = is_unsigned ? static_cast<uint32_t>(mpfr_get_ui(unit_, MPFR_RNDN))
                                     : static_cast<uint32_t>(mpfr_get_si(unit_, MPFR_RNDN));
  return {value, inexact != 0 ? flag::NX : uint8_t{0}};
}

FpResult Reference::compare(FpOp op, const Format& format, uint32_t a, uint32_t b, bool signalling) {
  const uint32_t sign = 1u << (format.width - 1);
  const uint32_t all = sign | (sign - 1);
  const bool unordered = mpfr_unordered_p(a_, b_) != 0;
  const uint8_t quiet = signalling ? flag::NV : 0;
  const uint8_t loud = unordered ? flag::NV : 0;
  switch (op) {
    case FpOp::FSGNJ:
      return {(a & all & ~sign) | (b & sign), 0};
    case FpOp::FSGNJN:
      return {(a & all & ~sign) | (~b & sign), 0};
    case FpOp::FSGNJX:
      return {(a & all) ^ (b & sign), 0};
    case FpOp::FEQ:
      return {mpfr_equal_p(a_, b_) != 0, quiet};
    case FpOp::FLT:
      return {mpfr_less_p(a_, b_) != 0, loud};
    case FpOp::FLE:
      return {mpfr_lessequal_p(a_, b_) != 0, loud};
    default: {
      const bool minimum = op == FpOp::FMIN;
      if (mpfr_nan_p(a_) && mpfr_nan_p(b_)) return {format.quiet_nan, quiet};
      if (unordered) return {(mpfr_nan_p(a_) ? b : a) & all, quiet};
      bool take_a = minimum ? mpfr_less_p(a_, b_) != 0 : mpfr_greater_p(a_, b_) != 0;
      if (mpfr_zero_p(a_) && mpfr_zero_p(b_)) take_a = (mpfr_signbit(a_) != 0) == minimum;
      return {(take_a ? a : b) & all, quiet};
    }
  }
}

FpResult Reference::execute(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c) {
  const Format& format = format_of(op == FpOp::FCVT_S_H ? FpFormat::F32 : op == FpOp::FCVT_H_S ? FpFormat::F16 : fmt);
  const Format& source = format_of(op == FpOp::FCVT_S_H ? FpFormat::F16 : op == FpOp::FCVT_H_S ? FpFormat::F32 : fmt);

  if (op == FpOp::FCVT_F_W || op == FpOp::FCVT_F_WU) {
    return round(format, rm, [&](mpfr_ptr x, mpfr_rnd_t rounding) {
      return op == FpOp::FCVT_F_WU ? mpfr_set_ui(x, a, rounding) : mpfr_set_si(x, static_cast<int32_t>(a), rounding);
    });
  }

  const bool a_signalling = load(a_, source, a);
  const bool one_operand = op == FpOp::FSQRT || op == FpOp::FCLASS || (op >= FpOp::FCVT_W_F && op <= FpOp::FCVT_H_S);
  const bool b_signalling = !one_operand && load(b_, source, b);
  const bool three_operands = op >= FpOp::FMADD && op <= FpOp::FNMADD;
  const bool c_signalling = three_operands && load(c_, source, c);
  const bool signalling = a_signalling || b_signalling || c_signalling;
  const bool any_nan = mpfr_nan_p(a_) || (!one_operand && mpfr_nan_p(b_)) || (three_operands && mpfr_nan_p(c_));

  // A NaN that no operand brought is the result of an invalid operation.
  const auto arithmetic = [&](auto compute) {
    FpResult result = round(format, rm, compute);
    if (result.value == format.quiet_nan) {
      result.flags = signalling || !any_nan ? flag::NV : 0;
    }
    return result;
  };

  switch (op) {
    case FpOp::FADD:
      return arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_add(x, a_, b_, rounding); });
    case FpOp::FSUB:
      return arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_sub(x, a_, b_, rounding); });
    case FpOp::FMUL:
      return arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_mul(x, a_, b_, rounding); });
    case FpOp::FMADD:
    case FpOp::FMSUB:
    case FpOp::FNMSUB:
    case FpOp::FNMADD: {
      const bool zero_by_infinity = (mpfr_zero_p(a_) && mpfr_inf_p(b_)) || (mpfr_inf_p(a_) && mpfr_zero_p(b_));
      if (op == FpOp::FNMSUB || op == FpOp::FNMADD) mpfr_neg(a_, a_, MPFR_RNDN);
      if (op == FpOp::FMSUB || op == FpOp::FNMADD) mpfr_neg(c_, c_, MPFR_RNDN);
      FpResult result = arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_fma(x, a_, b_, c_, rounding); });
      // RISC-V raises invalid for infinity times zero even when the addend is a quiet NaN.
      if (zero_by_infinity) result = {format.quiet_nan, flag::NV};
      return result;
    }
    case FpOp::FDIV: {
      const bool by_zero = mpfr_zero_p(b_) && mpfr_regular_p(a_);
      FpResult result = arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_div(x, a_, b_, rounding); });
      if (by_zero) result.flags = flag::DZ;
      return result;
    }
    case FpOp::FSQRT:
      return arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_sqrt(x, a_, rounding); });
    case FpOp::FCVT_S_H:
    case FpOp::FCVT_H_S:
      return arithmetic([&](mpfr_ptr x, mpfr_rnd_t rounding) { return mpfr_set(x, a_, rounding); });
    case FpOp::FCVT_W_F:
      return to_integer(false, rm);
    case FpOp::FCVT_WU_F:
      return to_integer(true, rm);
    case FpOp::FCLASS: {
      const bool negative = mpfr_signbit(a_) != 0;
      if (mpfr_nan_p(a_)) return {a_signalling ? 1u << 8 : 1u << 9, 0};
      if (mpfr_inf_p(a_)) return {negative ? 1u << 0 : 1u << 7, 0};
      if (mpfr_zero_p(a_)) return {negative ? 1u << 3 : 1u << 4, 0};
      if (mpfr_get_exp(a_) < source.smallest_normal) return {negative ? 1u << 2 : 1u << 5, 0};
      return {negative ? 1u << 1 : 1u << 6, 0};
    }
    default:
      return compare(op, source, a, b, signalling);
  }
}

}  // namespace tessera::tb
