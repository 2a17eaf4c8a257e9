// Random operands that fit the fields of an instruction.
#pragma once

#include <array>
#include <random>

#include "rtl/spec/instructions.h"

namespace tessera::test {

using namespace tessera::spec;

// A number that fits the instruction's own fields: those bits of them that its mask leaves free.
inline uint32_t random_number(const InstructionInfo& entry, std::mt19937& random) {
  const auto field = [&](unsigned shift, unsigned bits) {
    return random() & ~entry.mask >> shift & ((1u << bits) - 1);
  };
  switch (entry.format) {
    case Format::FRi:
    case Format::FXI:
      return field(20, 5);
    case Format::FRRi:
      return field(25, 2);
    case Format::FRsh:
      return field(20, 8);
    case Format::FIR:
      return field(20, 3);
    case Format::FSR:
      return field(7, 2);
    case Format::SXN:
      return field(20, 6);
    case Format::RPT:
      return field(20, 10);
    case Format::RPTI:
      return field(20, 12);
    case Format::PACE3:
      return field(25, 6);
    case Format::PACE2:
      return field(25, 4);
    case Format::AMPR:
      return field(25, 3);
    case Format::AMPP:
      return field(25, 3) | field(7, 4) << 3 | field(20, 5) << 7;
    default:
      return 0;
  }
}

inline Operands random_operands(const InstructionInfo& entry, std::mt19937& random) {
  Operands o;
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  o.rd = below(32) & ~(entry.mask >> 7);  // some registers are even
  o.rs1 = below(32);
  o.rs2 = below(32);
  o.rs3 = below(32);
  o.rm = std::array{0u, 1u, 2u, 3u, 4u, 7u}[below(6)];
  switch (entry.format) {
    case Format::U:
      o.imm = static_cast<int32_t>(below(1 << 20) << 12);
      break;
    case Format::J:
      o.imm = 2 * static_cast<int32_t>(below(1 << 19));
      break;
    case Format::B:
      o.imm = 2 * static_cast<int32_t>(below(1 << 11));
      break;
    case Format::Ishamt:
      o.imm = static_cast<int32_t>(below(32));
      break;
    case Format::I:
    case Format::S:
    case Format::FI:
    case Format::FS:
    case Format::SXI:
    case Format::SXS:
    case Format::FIS:
    case Format::FSS:
      o.imm = static_cast<int32_t>(below(4096)) - 2048;
      break;
    default:
      o.imm = static_cast<int32_t>(random_number(entry, random));
      break;
  }
  if (entry.unit == Unit::Csr) o.imm = std::array{0x001, 0x002, 0x003, 0xC00, 0xC80}[below(5)];
  if (entry.unit == Unit::Fence) o = Operands{};
  if (entry.opcode == Opcode::Trap || entry.opcode == Opcode::Sans) o.rs1 = 0;
  return o;
}

}  // namespace tessera::test
