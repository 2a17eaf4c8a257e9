// The instruction table as C++: decode, fields, encode, disassemble. Source: instructions.def and csrs.def beside this
// file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "rtl/spec/words.h"

namespace tessera::spec {

// Operand fields of a word: formats.def.
enum class Format : uint8_t {
#define FORMAT(id, reads, written, updates, immediate, rounding, operands) id,
#include "rtl/spec/formats.def"
#undef FORMAT
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
  FpMove,
  Packed,   // packed arithmetic, comparisons and conversions
  Special,  // exp, logarithms, tanh, sigmoid, reciprocal, roots, Gaussian
  Amp,      // matrix engine and accumulators
  Random,   // random integers and masks
  Stream,   // loads and stores that update their address
  Weights,  // loads into the weight state
  Repeat,
  Lane  // bits and lanes of float registers
};

enum class Raises : uint8_t { kNone, kPc, kMemory, kTrap, kBreak, kIllegal, kFloat, kOperand, kExchange, kStep };

enum class Opcode : uint16_t {
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

// Where an instruction takes its rounding mode from; code 7 in a field stands for frm.
enum class Rounding : uint8_t { None, Field, Frm, HighField };

const InstructionInfo& info(Opcode);  // opcode must not be Illegal
Opcode decode(uint32_t word);         // Illegal when no line of the table matches
// Words that no tile executes but compilers emit: `unimp`, which __builtin_trap becomes, and arithmetic of the D
// extension, of which the table has only what moves values.
bool is_trap(uint32_t word);
bool is_double_arithmetic(uint32_t word);

constexpr unsigned rd_of(uint32_t w) { return w >> 7 & 31; }
constexpr unsigned rs1_of(uint32_t w) { return w >> 15 & 31; }
constexpr unsigned rs2_of(uint32_t w) { return w >> 20 & 31; }
constexpr unsigned rs3_of(uint32_t w) { return w >> 27; }
constexpr unsigned rm_of(uint32_t w) { return w >> 12 & 7; }
constexpr unsigned rm_high_of(uint32_t w) { return w >> 25 & 7; }  // FRrmv, FR1rmv
int32_t immediate_of(Format,
                     uint32_t word);  // sign-extended; U: already shifted; Ishamt: 0..31; 0 for formats without one

// Fields of the formats that have more than one number.
constexpr SyncOperand sync_operand_of(uint32_t w) { return SyncOperand::decode(w >> 20); }       // of a sync
constexpr unsigned repeat_length_of(uint32_t w) { return (w >> 15 & 31) << 5 | (w >> 7 & 31); }  // RPTI
// AMPP
struct Pace {
  unsigned phase, select_x, select_p, select_r;
  bool load_x, load_p, store_r;
};
constexpr Pace pace_of(uint32_t w) {
  return {w >> 25 & 7, w >> 7 & 3, w >> 9 & 3, w >> 20 & 3, (w >> 22 & 1) != 0, (w >> 23 & 1) != 0, (w >> 24 & 1) != 0};
}
// The immediate that encode() takes for AMPP, and immediate_of() gives.
constexpr int32_t pace_immediate(const Pace& p) {
  return static_cast<int32_t>(p.phase | p.select_x << 3 | p.select_p << 5 | p.select_r << 7 |
                              static_cast<unsigned>(p.load_x) << 9 | static_cast<unsigned>(p.load_p) << 10 |
                              static_cast<unsigned>(p.store_r) << 11);
}

// imm is whatever number the format has. RPTI: imm = count, rs1 and rd = high and low five bits of the length.
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

Rounding rounding_of(Format);
bool serialises(const InstructionInfo&);  // in the supervisor (docs/reference/tile.md)
unsigned access_bytes(Opcode);            // of a load or store, by register or step; 0 for others

uint64_t instruction_table_hash();  // of all encodings and CSR numbers: names files that fit only this table

}  // namespace tessera::spec
