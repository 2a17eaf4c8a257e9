#include "sim/model/float/packed.h"

#include <array>

#include "sim/model/float/fp_compare.h"
#include "sim/model/float/fp_convert.h"
#include "sim/model/float/fp_fma.h"
#include "sim/model/float/half_rounding.h"
#include "sim/model/float/packed_convert.h"

namespace tessera::model {
namespace {

using spec::Opcode;

enum class Kind : uint8_t { None, Fma, Sum, Compare, Clamp, Convert, ToHalf, FromF8, ToF8, Fraction };

// What an instruction does with its operands, lanes and result: vector_decode.sv has the same.
struct Plan {
  Kind kind = Kind::None;
  FpOp op = FpOp::FADD;
  uint8_t width = 32;  // of an operand's lane, in bits
  uint8_t lanes = 2;   // that compute
  uint8_t result_width = 32;
  bool broadcast = false;   // lane 0 of rs1 for all lanes
  bool absolute = false;    // signs of both operands cleared
  bool swap = false;        // rs2 is the first operand
  bool same = false;        // rs1 is both operands
  bool neighbours = false;  // the operands are lanes 2i and 2i + 1 of rs1
  bool mask = false;        // a comparison: all ones or zeros
  bool invert = false;      // and inverted
  bool high = false;        // lanes from the upper half of rs1
};

struct Table {
  std::array<Plan, spec::kOpcodes> plans{};

  constexpr Plan& at(Opcode op) { return plans[static_cast<unsigned>(op)]; }

  // The three shapes of an operation; `plan` is that of f32v2.
  constexpr void shapes(Opcode f32v2, Opcode f16v2, Opcode f16v4, Plan plan) {
    const auto halves = [](Plan p, uint8_t lanes) {
      p.width = 16;
      if (p.kind != Kind::Sum) p.result_width = 16;
      p.lanes = p.neighbours ? lanes / 2 : lanes;
      return p;
    };
    at(f32v2) = plan;
    if (plan.neighbours) at(f32v2).lanes = 1;
    at(f16v2) = halves(plan, 2);
    at(f16v4) = halves(plan, 4);
  }
};

constexpr Table make_table() {
  Table t;
#define SHAPES(name, ...) t.shapes(Opcode::F32v2##name, Opcode::F16v2##name, Opcode::F16v4##name, Plan{__VA_ARGS__})
  SHAPES(add, .kind = Kind::Fma, .op = FpOp::FADD);
  SHAPES(sub, .kind = Kind::Fma, .op = FpOp::FSUB);
  SHAPES(mul, .kind = Kind::Fma, .op = FpOp::FMUL);
  SHAPES(addb, .kind = Kind::Fma, .op = FpOp::FADD, .broadcast = true);
  SHAPES(mulb, .kind = Kind::Fma, .op = FpOp::FMUL, .broadcast = true);
  SHAPES(absadd, .kind = Kind::Fma, .op = FpOp::FADD, .absolute = true);
  SHAPES(fma, .kind = Kind::Fma, .op = FpOp::FMADD);
  SHAPES(fmab, .kind = Kind::Fma, .op = FpOp::FMADD, .broadcast = true);
  SHAPES(fms, .kind = Kind::Fma, .op = FpOp::FMSUB);
  SHAPES(fnma, .kind = Kind::Fma, .op = FpOp::FNMSUB);
  SHAPES(sum, .kind = Kind::Sum, .op = FpOp::FADD, .neighbours = true);
  SHAPES(min, .kind = Kind::Compare, .op = FpOp::FMIN);
  SHAPES(max, .kind = Kind::Compare, .op = FpOp::FMAX);
  SHAPES(absmax, .kind = Kind::Compare, .op = FpOp::FMAX, .absolute = true);
  SHAPES(maxc, .kind = Kind::Compare, .op = FpOp::FMAX, .neighbours = true);
  SHAPES(clamp, .kind = Kind::Clamp);
  SHAPES(cmpeq, .kind = Kind::Compare, .op = FpOp::FEQ, .mask = true);
  SHAPES(cmpne, .kind = Kind::Compare, .op = FpOp::FEQ, .mask = true, .invert = true);
  SHAPES(cmplt, .kind = Kind::Compare, .op = FpOp::FLT, .mask = true);
  SHAPES(cmple, .kind = Kind::Compare, .op = FpOp::FLE, .mask = true);
  SHAPES(cmpgt, .kind = Kind::Compare, .op = FpOp::FLT, .swap = true, .mask = true);
  SHAPES(cmpge, .kind = Kind::Compare, .op = FpOp::FLE, .swap = true, .mask = true);
  SHAPES(class, .kind = Kind::Compare, .op = FpOp::FCLASS);
  SHAPES(abs, .kind = Kind::Compare, .op = FpOp::FSGNJX, .same = true);
  SHAPES(neg, .kind = Kind::Compare, .op = FpOp::FSGNJN, .same = true);
  SHAPES(sufromui, .kind = Kind::Fraction);
#undef SHAPES
  t.at(Opcode::F32v2tof16) = {.kind = Kind::ToHalf, .op = FpOp::FCVT_H_S, .result_width = 16};
  t.at(Opcode::F32v4tof16) = {.kind = Kind::ToHalf, .op = FpOp::FCVT_H_S, .lanes = 4, .result_width = 16};
  t.at(Opcode::F16v2tof32) = {.kind = Kind::Convert, .op = FpOp::FCVT_S_H, .width = 16};
  t.at(Opcode::F16v2tof32hi) = {.kind = Kind::Convert, .op = FpOp::FCVT_S_H, .width = 16, .high = true};
  t.at(Opcode::F32v2toi32) = {.kind = Kind::Convert, .op = FpOp::FCVT_W_F};
  t.at(Opcode::F32v2toui32) = {.kind = Kind::Convert, .op = FpOp::FCVT_WU_F};
  t.at(Opcode::F32v2fromi32) = {.kind = Kind::Convert, .op = FpOp::FCVT_F_W};
  t.at(Opcode::F32v2fromui32) = {.kind = Kind::Convert, .op = FpOp::FCVT_F_WU};
  t.at(Opcode::F8v2tof16) = {.kind = Kind::FromF8, .width = 8, .result_width = 16};
  t.at(Opcode::F8v4tof16) = {.kind = Kind::FromF8, .width = 8, .lanes = 4, .result_width = 16};
  t.at(Opcode::F16v2tof8) = {.kind = Kind::ToF8, .width = 16, .result_width = 8};
  t.at(Opcode::F16v4tof8) = {.kind = Kind::ToF8, .width = 16, .lanes = 4, .result_width = 8};
  return t;
}

constexpr Table kTable = make_table();

constexpr uint64_t ones(unsigned bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// Exact in f32 before the one rounding.
FpResult sum_of_halves(RoundingMode rm, uint32_t a, uint32_t b) {
  const FpResult wide_a = widen(a);
  const FpResult wide_b = widen(b);
  FpResult sum = fp_fma(FpOp::FADD, FpFormat::F32, rm, wide_a.value, wide_b.value, 0);
  sum.flags |= wide_a.flags | wide_b.flags;
  return sum;
}

FpResult clamp(FpFormat format, uint32_t a, uint32_t low, uint32_t high) {
  const FpResult above = fp_compare(FpOp::FMAX, format, a, low);
  FpResult result = fp_compare(FpOp::FMIN, format, above.value, high);
  result.flags |= above.flags;
  return result;
}

}  // namespace

VectorResult packed_execute(Opcode opcode, uint64_t a, uint64_t b, uint64_t c, const FloatControl& control) {
  const Plan& plan = kTable.plans[static_cast<unsigned>(opcode)];
  const FpFormat format = plan.width == 16 ? FpFormat::F16 : FpFormat::F32;
  const uint64_t lane_bits = ones(plan.width);
  if (plan.absolute) {
    const uint64_t magnitudes = plan.width == 16 ? 0x7fff7fff7fff7fff : 0x7fffffff7fffffff;
    a &= magnitudes;
    b &= magnitudes;
  }
  if (plan.high) a >>= 32;
  const uint64_t first = plan.swap ? b : a;
  const uint64_t second = plan.swap || plan.same ? a : b;
  const auto lane_of = [&](uint64_t reg, unsigned lane) {
    return static_cast<uint32_t>(reg >> (lane * plan.width) & lane_bits);
  };

  VectorResult result;
  // Computes every lane from its operands of rs1 and rs2.
  const auto each_lane = [&](auto compute) {
    for (unsigned lane = 0; lane < plan.lanes; ++lane) {
      const uint32_t x = plan.neighbours ? lane_of(a, 2 * lane) : lane_of(first, plan.broadcast ? 0 : lane);
      const uint32_t y = plan.neighbours ? lane_of(a, 2 * lane + 1) : lane_of(second, lane);
      const FpResult r = compute(lane, x, y);
      result.value |= uint64_t{r.value} << (lane * plan.result_width);
      result.flags |= r.flags;
    }
  };
  switch (plan.kind) {
    case Kind::Fma:
      each_lane([&](unsigned lane, uint32_t x, uint32_t y) {
        const FpResult r = fp_fma(plan.op, format, control.rm, x, y, lane_of(c, lane));
        return plan.width == 16 ? with_half_overflow(r, control.half_overflow) : r;
      });
      break;
    case Kind::Sum:
      each_lane([&](unsigned, uint32_t x, uint32_t y) {
        return plan.width == 16 ? sum_of_halves(control.rm, x, y)
                                : fp_fma(FpOp::FADD, FpFormat::F32, control.rm, x, y, 0);
      });
      break;
    case Kind::Compare:
      each_lane([&](unsigned, uint32_t x, uint32_t y) {
        FpResult r = fp_compare(plan.op, format, x, y);
        if (plan.mask) r.value = (r.value != 0) != plan.invert ? static_cast<uint32_t>(lane_bits) : 0;
        return r;
      });
      break;
    case Kind::Clamp:
      each_lane([&](unsigned, uint32_t x, uint32_t) { return clamp(format, x, lane_of(b, 0), lane_of(b, 1)); });
      break;
    case Kind::Convert:
      each_lane([&](unsigned, uint32_t x, uint32_t) { return fp_convert(plan.op, FpFormat::F32, control.rm, x); });
      break;
    case Kind::ToHalf:
      for (unsigned lane = 0; lane < plan.lanes; ++lane) {
        const auto x = static_cast<uint32_t>((lane < 2 ? a : b) >> (lane % 2 * 32));
        const FpResult r =
            control.stochastic
                ? round_stochastic(x, static_cast<uint32_t>(control.random >> (16 * lane)), control.half_overflow)
                : with_half_overflow(fp_convert(FpOp::FCVT_H_S, FpFormat::F16, control.rm, x), control.half_overflow);
        result.value |= uint64_t{r.value} << (lane * 16);
        result.flags |= r.flags;
      }
      break;
    case Kind::FromF8:
      each_lane([&](unsigned, uint32_t x, uint32_t) { return f8_to_half(static_cast<uint8_t>(x), control); });
      break;
    case Kind::ToF8:
      each_lane([&](unsigned, uint32_t x, uint32_t) { return half_to_f8(static_cast<uint16_t>(x), control); });
      break;
    case Kind::Fraction:
      each_lane([&](unsigned, uint32_t x, uint32_t) { return FpResult{centred_fraction(plan.width == 16, x), 0}; });
      break;
    case Kind::None:
      break;
  }
  result.value |= ~ones(static_cast<unsigned>(plan.lanes) * plan.result_width);
  return result;
}

}  // namespace tessera::model
