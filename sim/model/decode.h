// One instruction word taken apart once, when it is first fetched: what issue and execution need of it, in 16 bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "rtl/spec/instructions.h"

namespace tessera::model {

struct Decoded {
  // What issue must know, as bits of `traits`.
  static constexpr uint8_t kStale = 1;          // the word is not decoded (cache only)
  static constexpr uint8_t kSerialising = 2;    // supervisor: CSR access, system, divide
  static constexpr uint8_t kRedirects = 4;      // supervisor: empties the fetch register
  static constexpr uint8_t kNotSupervisor = 8;  // illegal in the supervisor
  static constexpr uint8_t kNotWorker = 16;     // illegal in a worker
  static constexpr uint8_t kReadsX1 = 32;       // rs1 is an integer register
  static constexpr uint8_t kReadsX2 = 64;       // rs2 is an integer register
  static constexpr uint8_t kWritesX = 128;      // rd is an integer register

  uint32_t word = 0;
  int32_t imm = 0;
  spec::Opcode opcode = spec::Opcode::Illegal;
  spec::Unit unit = spec::Unit::Alu;
  uint8_t rd = 0, rs1 = 0, rs2 = 0;
  uint8_t rs3 : 5 = 0, slots : 3 = 1;
  uint8_t traits = kStale;
};
static_assert(sizeof(Decoded) == 16);

Decoded predecode(uint32_t word);

// The rounding mode that an instruction uses, given the worker's frm; 0 for one that does not round. Empty: illegal.
std::optional<unsigned> rounding_mode(const Decoded&, unsigned frm);

}  // namespace tessera::model
