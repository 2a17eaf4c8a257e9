// Division and square root: the ring with six interleaved contexts, and the model, against MPFR.
#include <catch2/catch.hpp>
#include <cstdio>

#include "tb/float/check.h"
#include "tb/float/reference.h"
#include "tb/float/rtl_divsqrt.h"

namespace tessera::tb {
namespace {

using model::FpFormat;
using model::FpOp;
using model::FpResult;
using model::RoundingMode;

void run_operation(FpOp op) {
  RtlDivsqrt rtl;
  Reference reference;
  for (const FpFormat fmt : formats()) {
    Comparison comparison;
    OperandStream operands(test_seed() * 1000003 + static_cast<uint64_t>(op) * 2 + static_cast<uint64_t>(fmt));
    for (const RoundingMode rm : rounding_modes()) {
      run_divsqrt(
          rtl, cases_per_group(),
          [&] {
            const Case c = operands.next(op, fmt, rm);
            const FpResult want = reference.execute(c.op, c.fmt, c.rm, c.a, c.b, c.c);
            comparison.check(c, "model", model::fp_execute(c.op, c.fmt, c.rm, c.a, c.b, c.c), want);
            return divsqrt_operation(c, want);
          },
          [&](const DivsqrtOperation& operation, FpResult got) {
            comparison.check(operation.c, "RTL", got, operation.want);
          });
    }
    std::printf("%-9s %s: %llu comparisons\n", name_of(op), name_of(fmt),
                static_cast<unsigned long long>(comparison.compared()));
    INFO(comparison.text());
    REQUIRE(comparison.mismatches() == 0);
    REQUIRE(comparison.compared() == 2 * cases_per_group() * rounding_modes().size());
  }
}

TEST_CASE("quotients equal MPFR in value and flags") { run_operation(FpOp::FDIV); }

TEST_CASE("square roots equal MPFR in value and flags") { run_operation(FpOp::FSQRT); }

TEST_CASE("contexts with different operations, formats and pauses do not disturb each other") {
  RtlDivsqrt rtl;
  Comparison comparison;
  OperandStream operands(test_seed() + 2);
  const uint64_t count = cases_per_group() / 2;
  run_divsqrt(
      rtl, count,
      [&]() -> std::optional<DivsqrtOperation> {
        const uint32_t chance = operands.below(8);
        if (chance < 3) return std::nullopt;
        const FpOp op = chance == 3 ? FpOp::FSQRT : FpOp::FDIV;
        const Case c = operands.next(op, formats()[operands.below(2)], rounding_modes()[operands.below(5)]);
        return divsqrt_operation(c, model::fp_execute(c.op, c.fmt, c.rm, c.a, c.b, c.c));
      },
      [&](const DivsqrtOperation& operation, FpResult got) {
        comparison.check(operation.c, "RTL", got, operation.want);
      });
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() == count);
}

TEST_CASE("a ring that stood still between operations gives the same results") {
  RtlDivsqrt rtl;
  Comparison comparison;
  OperandStream operands(test_seed() + 3);
  for (int i = 0; i < 2000; ++i) {
    uint32_t pause = operands.below(20);
    run_divsqrt(
        rtl, 1,
        [&]() -> std::optional<DivsqrtOperation> {
          if (pause-- > 0) return std::nullopt;
          const FpOp op = i % 2 == 0 ? FpOp::FDIV : FpOp::FSQRT;
          const Case c = operands.next(op, formats()[operands.below(2)], rounding_modes()[operands.below(5)]);
          return divsqrt_operation(c, model::fp_execute(c.op, c.fmt, c.rm, c.a, c.b, c.c));
        },
        [&](const DivsqrtOperation& operation, FpResult got) {
          comparison.check(operation.c, "RTL", got, operation.want);
        });
  }
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() == 2000);
}

}  // namespace
}  // namespace tessera::tb
