// Every operation of the fpu but the exhaustive f16 ones: RTL and model against MPFR, one operation a cycle.
#include <catch2/catch.hpp>
#include <cstdio>
#include <deque>

#include "tb/float/check.h"
#include "tb/float/reference.h"
#include "tb/float/rtl_fpu.h"

namespace tessera::tb {
namespace {

using model::FpFormat;
using model::FpOp;
using model::RoundingMode;

// Runs `count` cases through RTL and model.
void run_group(RtlFpu& rtl, Reference& reference, OperandStream& operands, FpOp op, FpFormat fmt, RoundingMode rm,
               uint64_t count, Comparison& comparison) {
  Case previous{};
  model::FpResult want_previous{};
  for (uint64_t i = 0; i < count; ++i) {
    const Case c = operands.next(op, fmt, rm);
    const model::FpResult want = reference.execute(c.op, c.fmt, c.rm, c.a, c.b, c.c);
    comparison.check(c, "model", model::fp_execute(c.op, c.fmt, c.rm, c.a, c.b, c.c), want);
    rtl.start(c);
    if (i > 0) comparison.check(previous, "RTL", rtl.result(), want_previous);
    previous = c;
    want_previous = want;
  }
  rtl.idle(operands.bits());
  if (count > 0) comparison.check(previous, "RTL", rtl.result(), want_previous);
}

void run_operations(const std::vector<FpOp>& ops, const std::vector<RoundingMode>& modes) {
  RtlFpu rtl;
  Reference reference;
  for (const FpOp op : ops) {
    for (const FpFormat fmt : formats()) {
      Comparison comparison;
      OperandStream operands(test_seed() * 1000003 + static_cast<uint64_t>(op) * 2 + static_cast<uint64_t>(fmt));
      for (const RoundingMode rm : modes) {
        run_group(rtl, reference, operands, op, fmt, rm, cases_per_group(), comparison);
      }
      std::printf("%-9s %s: %llu comparisons\n", name_of(op), name_of(fmt),
                  static_cast<unsigned long long>(comparison.compared()));
      INFO(comparison.text());
      REQUIRE(comparison.mismatches() == 0);
      REQUIRE(comparison.compared() == 2 * cases_per_group() * modes.size());
    }
  }
}

TEST_CASE("sums and products equal MPFR in value and flags") {
  run_operations({FpOp::FADD, FpOp::FSUB, FpOp::FMUL}, rounding_modes());
}

TEST_CASE("fused multiply-adds equal MPFR in value and flags") {
  run_operations({FpOp::FMADD, FpOp::FMSUB, FpOp::FNMSUB, FpOp::FNMADD}, rounding_modes());
}

TEST_CASE("comparisons, minimum, maximum, sign injection and classes equal MPFR's") {
  run_operations(
      {FpOp::FSGNJ, FpOp::FSGNJN, FpOp::FSGNJX, FpOp::FMIN, FpOp::FMAX, FpOp::FEQ, FpOp::FLT, FpOp::FLE, FpOp::FCLASS},
      {RoundingMode::RNE});
}

TEST_CASE("conversions equal MPFR in value and flags") {
  run_operations({FpOp::FCVT_W_F, FpOp::FCVT_WU_F, FpOp::FCVT_F_W, FpOp::FCVT_F_WU, FpOp::FCVT_S_H, FpOp::FCVT_H_S},
                 rounding_modes());
}

TEST_CASE("operations of all units mixed with idle cycles do not disturb each other") {
  const std::vector<FpOp> ops = {
#define FP_OP(name, code) FpOp::name,
#include "rtl/float/fp_ops.def"
  };
  RtlFpu rtl;
  Comparison comparison;
  OperandStream operands(test_seed() + 1);
  std::deque<std::pair<Case, bool>> in_flight;  // with false for an idle cycle
  for (uint64_t i = 0; i < cases_per_group(); ++i) {
    const FpOp op = ops[operands.below(static_cast<uint32_t>(ops.size()))];
    const bool starts = op != FpOp::FDIV && op != FpOp::FSQRT && operands.below(3) != 0;
    const Case c = operands.next(op, formats()[operands.below(2)], rounding_modes()[operands.below(5)]);
    if (starts) {
      rtl.start(c);
    } else {
      rtl.idle(operands.bits());
    }
    in_flight.emplace_back(c, starts);
    if (in_flight.size() < 2) continue;
    const auto [done, valid] = in_flight.front();
    in_flight.pop_front();
    if (!valid) continue;
    comparison.check(done, "RTL", rtl.result(), model::fp_execute(done.op, done.fmt, done.rm, done.a, done.b, done.c));
  }
  INFO(comparison.text());
  REQUIRE(comparison.mismatches() == 0);
  REQUIRE(comparison.compared() > cases_per_group() / 2);
}

TEST_CASE("the gated clock stands still while the unit is idle") {
  // With a running clock the comparison would leave M and the outputs would become those of another unit.
  RtlFpu rtl;
  OperandStream operands(test_seed());
  const Case c = {FpOp::FLT, FpFormat::F32, RoundingMode::RNE, 0xbf800000u, 0x7fc00000u, 0};
  rtl.start(c);
  rtl.wake(false);
  for (int i = 0; i < 10; ++i) {
    rtl.idle(operands.bits());
    REQUIRE(rtl.result().value == 0);
    REQUIRE(rtl.result().flags == model::fp_flag::NV);
  }
}

}  // namespace
}  // namespace tessera::tb
