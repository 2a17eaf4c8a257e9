// The instruction table as C++: decode, fields, encode, disassemble. Source: instructions.def and csrs.def beside this
// file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::spec {

// Operand fields of a word. Integer and float operands by letter: x integer, f float.
enum class Format : uint8_t {
  U,       // x rd, imm[31:12]
  J,       // x rd, jump offset
  I,       // x rd, x rs1, imm12 (CSR accesses: the CSR number)
  Ishamt,  // x rd, x rs1, shift amount
  S,       // x rs2, imm12(x rs1)
  B,       // x rs1, x rs2, branch offset
  R,       // x rd, x rs1, x rs2
  R1,      // x rd, x rs1
  N,       // none
  FI,      // f rd, imm12(x rs1)
  FS,      // f rs2, imm12(x rs1)
  FR,      // f rd, f rs1, f rs2
  FRrm,    // the same with a rounding mode
  FR1rm,   // f rd, f rs1, rm
  FRx,     // x rd, f rs1, f rs2
  FR1x,    // x rd, f rs1
  FR1xrm,  // x rd, f rs1, rm
  FX1,     // f rd, x rs1
  FX1rm,   // f rd, x rs1, rm
  FZ,      // f rd
  R4rm,    // f rd, f rs1, f rs2, f rs3, rm
  SX1,     // x rs1
  SX2,     // x rs1, x rs2
  SXI,     // x rs1, imm12
  SXS,     // x rs1, x rs2, imm12 in the store layout
};

enum class Who : uint8_t { Supervisor, Worker, Both };

enum class Unit : uint8_t {
  Alu,
  Branch,
  Load,
  Store,
  Fence,
  System,
  Multiply,
  Divide,
  Csr,
  FpFma,
  FpDivide,
  FpCompare,
  FpConvert,
  FpMove
};

enum class Raises : uint8_t { kNone, kPc, kMemory, kTrap, kBreak, kIllegal, kFloat, kOperand, kExchange };

enum class Opcode : uint8_t {
#define GROUP(title)
#define INSN(id, mnemonic, format, match, mask, who, slots, unit, raises, syntax, effect) id,
#include "rtl/spec/instructions.def"
#undef INSN
#undef GROUP
  Illegal,
};
constexpr unsigned kOpcodes = static_cast<unsigned>(Opcode::Illegal);

struct InstructionInfo {
  Opcode opcode;
  std::string_view mnemonic;
  Format format;
  uint32_t match, mask;
  Who who;
  uint8_t slots;
  Unit unit;
  Raises raises;
  std::string_view syntax, effect, section;
};

const InstructionInfo& info(Opcode);  // opcode must not be Illegal
Opcode decode(uint32_t word);         // Illegal when no line of the table matches

constexpr unsigned rd_of(uint32_t w) { return w >> 7 & 31; }
constexpr unsigned rs1_of(uint32_t w) { return w >> 15 & 31; }
constexpr unsigned rs2_of(uint32_t w) { return w >> 20 & 31; }
constexpr unsigned rs3_of(uint32_t w) { return w >> 27; }
constexpr unsigned rm_of(uint32_t w) { return w >> 12 & 7; }
int32_t immediate_of(Format,
                     uint32_t word);  // sign-extended; U: already shifted; Ishamt: 0..31; 0 for formats without one

struct Operands {
  unsigned rd = 0, rs1 = 0, rs2 = 0, rs3 = 0, rm = 7;
  int32_t imm = 0;
};
// The word of an instruction. Throws std::out_of_range naming the mnemonic when an operand does not fit its field.
uint32_t encode(Opcode, const Operands&);

std::string disassemble(uint32_t word, uint32_t pc);  // "addi a0, a0, 4"; ".word 0x..." when illegal

struct CsrInfo {
  std::string_view name;
  uint16_t number;
  Who who;
  bool read_only;
  std::string_view effect;
};
const CsrInfo* csr_info(uint16_t number);  // null when there is none

enum class Csr : uint16_t {
#define CSR(id, number, name, who, access, effect) id = number,
#include "rtl/spec/csrs.def"
#undef CSR
};

uint64_t instruction_table_hash();  // of all encodings and CSR numbers: names files that fit only this table

}  // namespace tessera::spec
