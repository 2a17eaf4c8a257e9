// The reference itself: known answers from the standards, and agreement with the host's f32 arithmetic.
#include <bit>
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <cstdio>

#include "sim/model/float/fp_fma.h"
#include "tb/float/check.h"
#include "tb/float/reference.h"

namespace tessera::tb {
namespace {

using model::FpFormat;
using model::FpOp;
using model::FpResult;
using model::RoundingMode;
namespace flag = model::fp_flag;

struct Known {
  const char* what;
  Case c;
  FpResult want;
};

constexpr auto F32 = FpFormat::F32;
constexpr auto F16 = FpFormat::F16;
constexpr auto RNE = RoundingMode::RNE;
constexpr auto RTZ = RoundingMode::RTZ;
constexpr auto RDN = RoundingMode::RDN;
constexpr auto RUP = RoundingMode::RUP;
constexpr auto RMM = RoundingMode::RMM;

const Known kKnown[] = {
    {"1 + 2^-24 is a tie to even", {FpOp::FADD, F32, RNE, 0x3f800000, 0x33800000, 0}, {0x3f800000, flag::NX}},
    {"1 + 2^-24 rounds away in RMM", {FpOp::FADD, F32, RMM, 0x3f800000, 0x33800000, 0}, {0x3f800001, flag::NX}},
    {"x - x is +0", {FpOp::FSUB, F32, RNE, 0x40490fdb, 0x40490fdb, 0}, {0, 0}},
    {"x - x is -0 when rounding down", {FpOp::FSUB, F32, RDN, 0x40490fdb, 0x40490fdb, 0}, {0x80000000, 0}},
    {"infinity - infinity", {FpOp::FSUB, F32, RNE, 0x7f800000, 0x7f800000, 0}, {0x7fc00000, flag::NV}},
    {"a quiet NaN's payload is lost", {FpOp::FADD, F32, RNE, 0xffc12345, 0x3f800000, 0}, {0x7fc00000, 0}},
    {"a signalling NaN is invalid", {FpOp::FMUL, F16, RNE, 0x7c01, 0x3c00, 0}, {0x7e00, flag::NV}},
    {"infinity * 0 + quiet NaN is invalid", {FpOp::FMADD, F32, RNE, 0x7f800000, 0, 0x7fc00000}, {0x7fc00000, flag::NV}},
    {"largest f16 * 2", {FpOp::FMUL, F16, RNE, 0x7bff, 0x4000, 0}, {0x7c00, flag::OF | flag::NX}},
    {"largest f16 * 2 towards zero", {FpOp::FMUL, F16, RTZ, 0x7bff, 0x4000, 0}, {0x7bff, flag::OF | flag::NX}},
    {"-largest f16 * 2 up", {FpOp::FMUL, F16, RUP, 0xfbff, 0x4000, 0}, {0xfbff, flag::OF | flag::NX}},
    {"exact subnormal does not underflow", {FpOp::FMUL, F32, RNE, 0x00800000, 0x3f000000, 0}, {0x00400000, 0}},
    {"smallest subnormal / 2, tie to zero", {FpOp::FMUL, F32, RNE, 1, 0x3f000000, 0}, {0, flag::UF | flag::NX}},
    {"smallest subnormal / 2, away", {FpOp::FMUL, F32, RMM, 1, 0x3f000000, 0}, {1, flag::UF | flag::NX}},
    // (1 - 2^-24) 2^-126: rounds to the smallest normal, but is tiny at full precision. The next is not.
    {"tiny after rounding", {FpOp::FMUL, F32, RNE, 0x3f7fffff, 0x00800000, 0}, {0x00800000, flag::UF | flag::NX}},
    {"not tiny after rounding up", {FpOp::FMADD, F32, RUP, 0x3f7fffff, 0x00800000, 1}, {0x00800001, flag::NX}},
    {"1 / 0", {FpOp::FDIV, F32, RNE, 0x3f800000, 0x80000000, 0}, {0xff800000, flag::DZ}},
    {"0 / 0", {FpOp::FDIV, F32, RNE, 0, 0, 0}, {0x7fc00000, flag::NV}},
    {"root of -0", {FpOp::FSQRT, F32, RNE, 0x80000000, 0, 0}, {0x80000000, 0}},
    {"root of -1", {FpOp::FSQRT, F16, RNE, 0xbc00, 0, 0}, {0x7e00, flag::NV}},
    {"min(-0, +0)", {FpOp::FMIN, F32, RNE, 0, 0x80000000, 0}, {0x80000000, 0}},
    {"max(-0, +0)", {FpOp::FMAX, F32, RNE, 0x80000000, 0, 0}, {0, 0}},
    {"min(signalling NaN, 1) is 1 and invalid",
     {FpOp::FMIN, F32, RNE, 0x7f800001, 0x3f800000, 0},
     {0x3f800000, flag::NV}},
    {"NaN == NaN is quiet", {FpOp::FEQ, F32, RNE, 0x7fc00000, 0x7fc00000, 0}, {0, 0}},
    {"NaN < 1 is invalid", {FpOp::FLT, F32, RNE, 0x7fc00000, 0x3f800000, 0}, {0, flag::NV}},
    {"NaN to integer", {FpOp::FCVT_W_F, F32, RTZ, 0xffc00000, 0, 0}, {0x7fffffff, flag::NV}},
    {"-1 to unsigned", {FpOp::FCVT_WU_F, F32, RTZ, 0xbf800000, 0, 0}, {0, flag::NV}},
    {"-0.5 to unsigned is an inexact 0", {FpOp::FCVT_WU_F, F32, RNE, 0xbf000000, 0, 0}, {0, flag::NX}},
    {"2.5 to integer", {FpOp::FCVT_W_F, F32, RNE, 0x40200000, 0, 0}, {2, flag::NX}},
    {"2.5 to integer, away", {FpOp::FCVT_W_F, F32, RMM, 0x40200000, 0, 0}, {3, flag::NX}},
    {"65520 to f16 overflows", {FpOp::FCVT_H_S, F16, RNE, 0x477ff000, 0, 0}, {0x7c00, flag::OF | flag::NX}},
    {"65519 to f16 does not", {FpOp::FCVT_H_S, F16, RNE, 0x477fef00, 0, 0}, {0x7bff, flag::NX}},
};

TEST_CASE("known answers of the standards") {
  Reference reference;
  for (const Known& known : kKnown) {
    INFO(known.what);
    const Case& c = known.c;
    for (const FpResult got :
         {reference.execute(c.op, c.fmt, c.rm, c.a, c.b, c.c), model::fp_execute(c.op, c.fmt, c.rm, c.a, c.b, c.c)}) {
      CHECK(got.value == known.want.value);
      CHECK(int{got.flags} == int{known.want.flags});
    }
  }
}

// Under the host's rounding mode; operands through volatile, so that nothing is computed early.
float on_host(FpOp op, uint32_t a_bits, uint32_t b_bits) {
  volatile float a = std::bit_cast<float>(a_bits);
  volatile float b = std::bit_cast<float>(b_bits);
  volatile float result;
  switch (op) {
    case FpOp::FADD:
      result = a + b;
      break;
    case FpOp::FSUB:
      result = a - b;
      break;
    case FpOp::FMUL:
      result = a * b;
      break;
    case FpOp::FDIV:
      result = a / b;
      break;
    default:
      result = std::sqrt(a);
      break;
  }
  return result;
}

TEST_CASE("the reference agrees with the host on f32") {
  Reference reference;
  OperandStream operands(test_seed());
  const std::pair<RoundingMode, int> modes[] = {
      {RNE, FE_TONEAREST}, {RTZ, FE_TOWARDZERO}, {RDN, FE_DOWNWARD}, {RUP, FE_UPWARD}};
  for (const FpOp op : {FpOp::FADD, FpOp::FSUB, FpOp::FMUL, FpOp::FDIV, FpOp::FSQRT}) {
    for (const auto& [rm, host_mode] : modes) {
      Comparison comparison;
      for (int i = 0; i < 20000; ++i) {
        const Case c = operands.next(op, F32, rm);
        std::fesetround(host_mode);
        std::feclearexcept(FE_ALL_EXCEPT);
        const float host = on_host(op, c.a, c.b);
        const int raised = std::fetestexcept(FE_ALL_EXCEPT);
        std::fesetround(FE_TONEAREST);
        const FpResult got = reference.execute(op, F32, rm, c.a, c.b, 0);
        uint8_t flags = 0;
        if (raised & FE_INEXACT) flags |= flag::NX;
        if (raised & FE_OVERFLOW) flags |= flag::OF;
        if (raised & FE_DIVBYZERO) flags |= flag::DZ;
        if (raised & FE_INVALID) flags |= flag::NV;
#if defined(__x86_64__)  // where tininess is detected after rounding too
        if (raised & FE_UNDERFLOW) flags |= flag::UF;
#else
        flags |= got.flags & flag::UF;
#endif
        const uint32_t value = std::isnan(host) ? 0x7fc00000u : std::bit_cast<uint32_t>(host);
        comparison.check(c, "host", {value, flags}, got);
      }
      INFO(comparison.text());
      REQUIRE(comparison.mismatches() == 0);
    }
  }
}

TEST_CASE("the model's short way on the host equals its integers") {
  OperandStream operands(test_seed() + 4);
  Comparison comparison;
  for (const FpFormat fmt : formats()) {
    for (const FpOp op : {FpOp::FADD, FpOp::FSUB, FpOp::FMUL, FpOp::FMADD, FpOp::FMSUB, FpOp::FNMSUB, FpOp::FNMADD}) {
      for (uint64_t i = 0; i < 5 * cases_per_group(); ++i) {
        const Case c = operands.next(op, fmt, RNE);
        comparison.check(c, "host", model::fp_fma(op, fmt, RNE, c.a, c.b, c.c),
                         model::fp_fma_by_integers(op, fmt, RNE, c.a, c.b, c.c));
      }
    }
  }
  std::printf("host against integers: %llu comparisons\n", static_cast<unsigned long long>(comparison.compared()));
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
}

}  // namespace
}  // namespace tessera::tb
