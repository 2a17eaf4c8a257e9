// Every f16 value through every operation of one operand, in every rounding mode: RTL and model against MPFR.
#include <catch2/catch.hpp>
#include <cstdio>

#include "tb/float/check.h"
#include "tb/float/reference.h"
#include "tb/float/rtl_divsqrt.h"
#include "tb/float/rtl_fpu.h"

namespace tessera::tb {
namespace {

using model::FpFormat;
using model::FpOp;
using model::FpResult;
using model::RoundingMode;

constexpr uint32_t kValues = 1u << 16;

TEST_CASE("every f16 value is converted and classified as MPFR says") {
  RtlFpu rtl;
  Reference reference;
  OperandStream noise(test_seed());
  Comparison comparison;
  const FpOp ops[] = {FpOp::FCVT_W_F, FpOp::FCVT_WU_F, FpOp::FCVT_S_H, FpOp::FCLASS};
  for (const FpOp op : ops) {
    for (const RoundingMode rm : rounding_modes()) {
      for (uint32_t value = 0; value < kValues; ++value) {
        // The half above the operand, the other operands and, between floats, the format are ignored.
        const uint64_t ignored = noise.bits();
        const uint32_t a = static_cast<uint32_t>(ignored) << 16 | value;
        const FpFormat fmt = op == FpOp::FCVT_S_H && (ignored >> 63) != 0 ? FpFormat::F32 : FpFormat::F16;
        const Case c = {op, fmt, rm, a, static_cast<uint32_t>(ignored >> 32), ~a};
        const FpResult want = reference.execute(op, fmt, rm, value, 0, 0);
        comparison.check(c, "model", model::fp_execute(op, fmt, rm, a, c.b, c.c), want);
        rtl.start(c);
        rtl.idle(ignored);
        comparison.check(c, "RTL", rtl.result(), want);
      }
    }
  }
  std::printf("f16 conversions and classes: %llu comparisons\n",
              static_cast<unsigned long long>(comparison.compared()));
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() == uint64_t{2} * 4 * 5 * kValues);
}

TEST_CASE("every f16 square root is MPFR's") {
  RtlDivsqrt rtl;
  Reference reference;
  Comparison comparison;
  for (const RoundingMode rm : rounding_modes()) {
    uint32_t value = 0;
    run_divsqrt(
        rtl, kValues,
        [&] {
          const Case c = {FpOp::FSQRT, FpFormat::F16, rm, value++, 0, 0};
          const FpResult want = reference.execute(c.op, c.fmt, rm, c.a, 0, 0);
          comparison.check(c, "model", model::fp_execute(c.op, c.fmt, rm, c.a, 0, 0), want);
          return divsqrt_operation(c, want);
        },
        [&](const DivsqrtOperation& operation, FpResult got) {
          comparison.check(operation.c, "RTL", got, operation.want);
        });
  }
  std::printf("f16 square roots: %llu comparisons\n", static_cast<unsigned long long>(comparison.compared()));
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() == uint64_t{2} * 5 * kValues);
}

TEST_CASE("every f16 value survives f32 and back, and NaNs become canonical") {
  for (uint32_t value = 0; value < kValues; ++value) {
    const uint32_t wide = model::fp_execute(FpOp::FCVT_S_H, FpFormat::F32, RoundingMode::RNE, value, 0, 0).value;
    const FpResult back = model::fp_execute(FpOp::FCVT_H_S, FpFormat::F16, RoundingMode::RNE, wide, 0, 0);
    const bool nan = (value & 0x7fff) > 0x7c00;
    if (back.value != (nan ? 0x7e00 : value) || back.flags != 0) FAIL("f16 value " << value);
  }
}

}  // namespace
}  // namespace tessera::tb
