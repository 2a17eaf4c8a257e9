// A tile program under construction: words from the instruction table, labels by index.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/spec/instructions.h"

namespace tessera::test {

struct Program {
  uint32_t base = 0x4C000;
  std::vector<uint32_t> words;

  uint32_t here() const { return base + 4 * static_cast<uint32_t>(words.size()); }
  void add(spec::Opcode opcode, const spec::Operands& operands = {}) {
    words.push_back(spec::encode(opcode, operands));
  }
  // rd = value, one or two instructions.
  void load_immediate(unsigned rd, uint32_t value) {
    const auto low = static_cast<int32_t>(value << 20) >> 20;
    const uint32_t high = value - static_cast<uint32_t>(low);
    if (high) add(spec::Opcode::Lui, {.rd = rd, .imm = static_cast<int32_t>(high)});
    if (low || !high) add(spec::Opcode::Addi, {.rd = rd, .rs1 = high ? rd : 0, .imm = low});
  }
};

}  // namespace tessera::test
