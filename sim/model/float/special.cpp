#include "sim/model/float/special.h"

#include "sim/model/float/number.h"
#include "sim/model/float/special_lane.h"

namespace tessera::model {
namespace {

using spec::Opcode;

// What an instruction computes in how many lanes.
struct Instruction {
  SpecialFunction function;
  bool f16;
  unsigned lanes;
};

Instruction instruction_of(Opcode op) {
#define TESSERA_SPECIAL(name, function)          \
  case Opcode::F16v2##name:                      \
    return {SpecialFunction::function, true, 2}; \
  case Opcode::F16v4##name:                      \
    return {SpecialFunction::function, true, 4}
#define TESSERA_SPECIAL_F32(name, function) \
  TESSERA_SPECIAL(name, function);          \
  case Opcode::F32##name:                   \
    return {SpecialFunction::function, false, 1}
  switch (op) {
    TESSERA_SPECIAL_F32(exp, Exp);
    TESSERA_SPECIAL_F32(exp2, Exp2);
    TESSERA_SPECIAL_F32(ln, Ln);
    TESSERA_SPECIAL_F32(log2, Log2);
    TESSERA_SPECIAL_F32(tanh, Tanh);
    TESSERA_SPECIAL_F32(sigm, Sigmoid);
    TESSERA_SPECIAL_F32(oox, Reciprocal);
    TESSERA_SPECIAL_F32(oorx, ReciprocalSqrt);
    TESSERA_SPECIAL(sqrt, Sqrt);
    case Opcode::F32v2grand:
      return {SpecialFunction::Gauss, false, 2};
    case Opcode::F16v2grand:
      return {SpecialFunction::Gauss, true, 2};
    default:
      return {SpecialFunction::Exp, false, 0};
  }
#undef TESSERA_SPECIAL_F32
#undef TESSERA_SPECIAL
}

constexpr uint64_t kBox = uint64_t{0xffffffff} << 32;

}  // namespace

VectorResult special_execute(Opcode op, uint64_t a, uint64_t random) {
  const auto [function, f16, lanes] = instruction_of(op);
  if (function == SpecialFunction::Gauss) {
    const uint64_t low = special_lane(function, f16, static_cast<uint32_t>(random)).value;
    const uint64_t high = special_lane(function, f16, static_cast<uint32_t>(random >> 32)).value;
    return {f16 ? kBox | high << 16 | low : high << 32 | low, 0};
  }
  if (!f16) {
    const uint32_t operand = (a & kBox) == kBox ? static_cast<uint32_t>(a) : canonical_nan(false);
    const FpResult result = special_lane(function, false, operand);
    return {kBox | result.value, result.flags};
  }
  VectorResult packed{lanes == 4 ? 0 : kBox, 0};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const FpResult result = special_lane(function, true, static_cast<uint32_t>(a >> (16 * lane)) & 0xffff);
    packed.value |= uint64_t{result.value} << (16 * lane);
    packed.flags |= result.flags;
  }
  return packed;
}

}  // namespace tessera::model
