#include "sim/model/float_unit.h"

#include <array>

#include "sim/model/float/fpu.h"

namespace tessera::model {
namespace {

using spec::Opcode;

enum class Operation : uint8_t { kArithmetic, kMoveToInteger, kMoveFromInteger, kSign64, kZero64 };

// How an instruction maps to an operation of the FPU.
struct Plan {
  Operation operation = Operation::kArithmetic;
  FpOp op = FpOp::FADD;
  FpFormat source = FpFormat::F32, destination = FpFormat::F32;
  bool from_integer = false, to_integer = false;
};

constexpr uint32_t unbox(uint64_t value, FpFormat format) {
  if (format == FpFormat::F32) return value >> 32 == 0xffffffff ? static_cast<uint32_t>(value) : 0x7fc00000;
  return value >> 16 == 0xffffffffffff ? static_cast<uint32_t>(value & 0xffff) : 0x7e00;
}

std::array<Plan, spec::kOpcodes> make_plans() {
  std::array<Plan, spec::kOpcodes> plans{};
  const auto set = [&plans](Opcode opcode, FpOp op, FpFormat source, FpFormat destination, bool from, bool to) {
    plans[static_cast<unsigned>(opcode)] = {Operation::kArithmetic, op, source, destination, from, to};
  };
  const auto move = [&plans](Opcode opcode, Operation operation, FpOp op, FpFormat format) {
    plans[static_cast<unsigned>(opcode)] = {operation, op,    format,
                                            format,    false, operation == Operation::kMoveToInteger};
  };
  const auto f32 = FpFormat::F32, f16 = FpFormat::F16;
#define BOTH(name, op, from, to)                      \
  set(Opcode::name##S, FpOp::op, f32, f32, from, to); \
  set(Opcode::name##H, FpOp::op, f16, f16, from, to);
  BOTH(Fadd, FADD, false, false)
  BOTH(Fsub, FSUB, false, false)
  BOTH(Fmul, FMUL, false, false)
  BOTH(Fdiv, FDIV, false, false)
  BOTH(Fsqrt, FSQRT, false, false)
  BOTH(Fsgnj, FSGNJ, false, false)
  BOTH(Fsgnjn, FSGNJN, false, false)
  BOTH(Fsgnjx, FSGNJX, false, false)
  BOTH(Fmin, FMIN, false, false)
  BOTH(Fmax, FMAX, false, false)
  BOTH(Fmadd, FMADD, false, false)
  BOTH(Fmsub, FMSUB, false, false)
  BOTH(Fnmsub, FNMSUB, false, false)
  BOTH(Fnmadd, FNMADD, false, false)
  BOTH(Fle, FLE, false, true)
  BOTH(Flt, FLT, false, true)
  BOTH(Feq, FEQ, false, true)
  BOTH(Fclass, FCLASS, false, true)
  BOTH(FcvtW, FCVT_W_F, false, true)
  BOTH(FcvtWu, FCVT_WU_F, false, true)
#undef BOTH
  set(Opcode::FcvtSW, FpOp::FCVT_F_W, f32, f32, true, false);
  set(Opcode::FcvtSWu, FpOp::FCVT_F_WU, f32, f32, true, false);
  set(Opcode::FcvtHW, FpOp::FCVT_F_W, f16, f16, true, false);
  set(Opcode::FcvtHWu, FpOp::FCVT_F_WU, f16, f16, true, false);
  set(Opcode::FcvtSH, FpOp::FCVT_S_H, f16, f32, false, false);
  set(Opcode::FcvtHS, FpOp::FCVT_H_S, f32, f16, false, false);
  move(Opcode::FmvXW, Operation::kMoveToInteger, FpOp::FADD, f32);
  move(Opcode::FmvXH, Operation::kMoveToInteger, FpOp::FADD, f16);
  move(Opcode::FmvWX, Operation::kMoveFromInteger, FpOp::FADD, f32);
  move(Opcode::FmvHX, Operation::kMoveFromInteger, FpOp::FADD, f16);
  move(Opcode::FsgnjD, Operation::kSign64, FpOp::FSGNJ, f32);
  move(Opcode::FsgnjnD, Operation::kSign64, FpOp::FSGNJN, f32);
  move(Opcode::FsgnjxD, Operation::kSign64, FpOp::FSGNJX, f32);
  move(Opcode::FcvtDW, Operation::kZero64, FpOp::FADD, f32);
  return plans;
}

const Plan& plan_of(Opcode opcode) {
  static const auto plans = make_plans();
  return plans[static_cast<unsigned>(opcode)];
}

uint64_t box(uint32_t bits, FpFormat format) { return format == FpFormat::F32 ? box_f32(bits) : box_f16(bits); }

uint64_t sign64(FpOp op, uint64_t a, uint64_t b) {
  constexpr uint64_t kSign = uint64_t{1} << 63;
  const uint64_t sign = op == FpOp::FSGNJ ? b : op == FpOp::FSGNJN ? ~b : a ^ b;
  return (a & ~kSign) | (sign & kSign);
}

}  // namespace

FloatResult float_result(const Decoded& d, const Context& context, const FloatContext& floats) {
  const Plan& plan = plan_of(d.opcode);
  FloatResult result;
  result.to_integer = plan.to_integer;
  const uint64_t a = floats.f[d.rs1];
  switch (plan.operation) {
    case Operation::kMoveToInteger:
      result.value =
          plan.source == FpFormat::F32 ? static_cast<uint32_t>(a) : static_cast<uint32_t>(static_cast<int16_t>(a));
      return result;
    case Operation::kMoveFromInteger:
      result.value = box(context.x[d.rs1], plan.source);
      return result;
    case Operation::kSign64:
      result.value = sign64(plan.op, a, floats.f[d.rs2]);
      return result;
    case Operation::kZero64:
      return result;
    case Operation::kArithmetic:
      break;
  }
  const auto rm = rounding_mode(d, floats.frm);
  if (!rm) {
    result.illegal = true;
    return result;
  }
  const auto operation =
      fp_execute(plan.op, plan.from_integer ? plan.destination : plan.source, static_cast<RoundingMode>(*rm),
                 plan.from_integer ? context.x[d.rs1] : unbox(a, plan.source), unbox(floats.f[d.rs2], plan.source),
                 unbox(floats.f[d.rs3], plan.source));
  result.flags = operation.flags;
  result.value = plan.to_integer ? operation.value : box(operation.value, plan.destination);
  return result;
}

}  // namespace tessera::model
