// Floating-point arithmetic of the fast model: f16 and f32 as RISC-V F and Zfh define them, in integers only.
//
// The files of this folder mirror the modules of rtl/float; the codes come from the same table. Specification:
// docs/reference/float.md.
#pragma once

#include <cstdint>

namespace tessera::model {

enum class FpOp : uint8_t {
#define FP_OP(name, code) name = code,
#include "rtl/float/fp_ops.def"
};

enum class FpFormat : uint8_t {
#define FP_FORMAT(name, code) name = code,
#include "rtl/float/fp_ops.def"
};

enum class RoundingMode : uint8_t {
#define FP_ROUNDING(name, code) name = code,
#include "rtl/float/fp_ops.def"
};

enum class IntDivideOp : uint8_t {
#define INT_DIVIDE_OP(name, code) name = code,
#include "rtl/float/fp_ops.def"
};

// Bits of FpResult::flags, those of RISC-V's fflags.
namespace fp_flag {
#define FP_FLAG(name, bit) inline constexpr uint8_t name = 1u << bit;
#include "rtl/float/fp_ops.def"
}  // namespace fp_flag

struct FpResult {
  uint32_t value;  // f16 results in the low half, upper half zero; comparisons, classes and integers as they are
  uint8_t flags;
};

// Executes one operation. Operands are NaN-unboxed; of an f16 operand only the low half is read; the integer of a
// conversion is `a`. `rm` is the resolved rounding mode.
FpResult fp_execute(FpOp op, FpFormat fmt, RoundingMode rm, uint32_t a, uint32_t b, uint32_t c);

// RV32M division and remainder, with its results for a zero divisor and for overflow.
uint32_t int_divide(IntDivideOp op, uint32_t a, uint32_t b);

}  // namespace tessera::model
