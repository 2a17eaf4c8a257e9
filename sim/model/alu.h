// Integer results and branch decisions (RV32IM, Zba, Zbb). Mirrors rtl/tile's ALU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "rtl/spec/instructions.h"
#include "sim/model/float/fpu.h"

namespace tessera::model {

constexpr int32_t as_signed(uint32_t value) { return static_cast<int32_t>(value); }
constexpr uint32_t as_word(int64_t value) { return static_cast<uint32_t>(value); }

constexpr uint32_t bytes_not_zero(uint32_t a) {
  uint32_t result = 0;
  for (int byte = 0; byte < 4; ++byte)
    if (a >> (8 * byte) & 0xff) result |= 0xffu << (8 * byte);
  return result;
}

constexpr uint32_t reverse_in_bytes(uint32_t a) {
  a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
  a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
  return (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
}
constexpr uint32_t reverse_bytes(uint32_t a) { return a >> 24 | (a >> 8 & 0xff00) | (a << 8 & 0xff0000) | a << 24; }

// Bytes of a result by their place in the operands, lowest first: 0..3 of a, 4..7 of b.
constexpr uint32_t bytes(uint32_t a, uint32_t b, unsigned n0, unsigned n1, unsigned n2, unsigned n3) {
  const uint64_t both = uint64_t{b} << 32 | a;
  const auto byte = [both](unsigned n) { return static_cast<uint32_t>(both >> (8 * n) & 0xff); };
  return byte(n0) | byte(n1) << 8 | byte(n2) << 16 | byte(n3) << 24;
}

// Bits below the sign that equal it, down to the first that does not.
constexpr uint32_t sign_copies(uint32_t a) {
  return static_cast<uint32_t>(std::countl_zero(as_signed(a) < 0 ? ~a : a)) - 1;
}

// Result of an Alu, Multiply or Divide instruction; `b` is rs2 or the immediate, as the format says.
inline uint32_t alu_result(spec::Opcode opcode, uint32_t a, uint32_t b, uint32_t pc) {
  using enum spec::Opcode;
  const int n = static_cast<int>(b & 31);
  switch (opcode) {
    case Lui:
      return b;
    case Auipc:
      return pc + b;
    case Addi:
    case Add:
      return a + b;
    case Sub:
      return a - b;
    case Slti:
    case Slt:
      return as_signed(a) < as_signed(b);
    case Sltiu:
    case Sltu:
      return a < b;
    case Xori:
    case Xor:
      return a ^ b;
    case Ori:
    case Or:
      return a | b;
    case Andi:
    case And:
      return a & b;
    case Slli:
    case Sll:
      return a << n;
    case Srli:
    case Srl:
      return a >> n;
    case Srai:
    case Sra:
      return as_word(as_signed(a) >> n);
    case Mul:
      return a * b;
    case Mulh:
      return as_word(int64_t{as_signed(a)} * as_signed(b) >> 32);
    case Mulhsu:
      return as_word(int64_t{as_signed(a)} * int64_t{b} >> 32);
    case Mulhu:
      return static_cast<uint32_t>(uint64_t{a} * b >> 32);
    case Div:
      return int_divide(IntDivideOp::DIV, a, b);
    case Divu:
      return int_divide(IntDivideOp::DIVU, a, b);
    case Rem:
      return int_divide(IntDivideOp::REM, a, b);
    case Remu:
      return int_divide(IntDivideOp::REMU, a, b);
    case Sh1add:
      return (a << 1) + b;
    case Sh2add:
      return (a << 2) + b;
    case Sh3add:
      return (a << 3) + b;
    case Andn:
      return a & ~b;
    case Orn:
      return a | ~b;
    case Xnor:
      return ~(a ^ b);
    case Clz:
      return as_word(std::countl_zero(a));
    case Ctz:
      return as_word(std::countr_zero(a));
    case Cpop:
      return as_word(std::popcount(a));
    case SextB:
      return as_word(static_cast<int8_t>(a));
    case SextH:
      return as_word(static_cast<int16_t>(a));
    case Min:
      return as_word(std::min(as_signed(a), as_signed(b)));
    case Minu:
      return std::min(a, b);
    case Max:
      return as_word(std::max(as_signed(a), as_signed(b)));
    case Maxu:
      return std::max(a, b);
    case ZextH:
      return a & 0xffff;
    case Rol:
      return std::rotl(a, n);
    case Ror:
    case Rori:
      return std::rotr(a, n);
    case OrcB:
      return bytes_not_zero(a);
    case Rev8:
      return reverse_bytes(a);
    case Shuf8x8lo:
      return bytes(a, b, 0, 4, 1, 5);
    case Shuf8x8hi:
      return bytes(a, b, 2, 6, 3, 7);
    case Sort8x8lo:
      return bytes(a, b, 0, 2, 4, 6);
    case Sort8x8hi:
      return bytes(a, b, 1, 3, 5, 7);
    case Roll8l:
      return bytes(a, b, 3, 4, 5, 6);
    case Roll8r:
      return bytes(a, b, 1, 2, 3, 4);
    case Bitrev8:
      return reverse_in_bytes(a);
    case Swap8:
      return bytes(a, 0, 1, 0, 3, 2);
    case Sort8:
      return bytes(a, 0, 0, 2, 1, 3);
    case Cms:
      return sign_copies(a);
    case Bitrev:
      return reverse_bytes(reverse_in_bytes(a));
    default:
      return 0;
  }
}

inline bool branch_taken(spec::Opcode opcode, uint32_t a, uint32_t b) {
  using enum spec::Opcode;
  switch (opcode) {
    case Beq:
      return a == b;
    case Bne:
      return a != b;
    case Blt:
      return as_signed(a) < as_signed(b);
    case Bge:
      return as_signed(a) >= as_signed(b);
    case Bltu:
      return a < b;
    case Bgeu:
      return a >= b;
    default:
      return true;  // jal, jalr
  }
}

}  // namespace tessera::model
