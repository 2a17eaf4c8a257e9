#include "rtl/spec/instructions.h"

#include <array>
#include <vector>

#include "formats/fnv.h"

namespace tessera::spec {
namespace {

constexpr bool is_read_only(std::string_view access) { return access == "ReadOnly"; }

std::array<InstructionInfo, kOpcodes> make_table() {
  std::array<InstructionInfo, kOpcodes> table{};
  unsigned n = 0;
  std::string_view section;
#define GROUP(title) section = title;
#define INSN(id, mnemonic, format, match, mask, who, slots, unit, raises, syntax, effect) \
  table[n++] = {Opcode::id, mnemonic,   Format::format, match,  mask,   Who::who,         \
                slots,      Unit::unit, Raises::raises, syntax, effect, section};
#include "rtl/spec/instructions.def"
#undef INSN
#undef GROUP
  return table;
}

const std::array<InstructionInfo, kOpcodes>& table() {
  static const auto made = make_table();
  return made;
}

// Candidates by the seven opcode bits, in table order.
const std::array<std::vector<const InstructionInfo*>, 128>& by_major() {
  static const auto made = [] {
    std::array<std::vector<const InstructionInfo*>, 128> lists;
    for (const auto& entry : table()) lists[entry.match & 0x7f].push_back(&entry);
    return lists;
  }();
  return made;
}

constexpr CsrInfo kCsrs[] = {
#define CSR(id, number, name, who, access, effect) {name, number, Who::who, is_read_only(#access), effect},
#include "rtl/spec/csrs.def"
#undef CSR
};

int32_t sign_extend(uint32_t value, unsigned bits) { return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits); }

}  // namespace

const InstructionInfo& info(Opcode opcode) { return table()[static_cast<unsigned>(opcode)]; }

Opcode decode(uint32_t word) {
  for (const auto* entry : by_major()[word & 0x7f])
    if ((word & entry->mask) == entry->match) return entry->opcode;
  return Opcode::Illegal;
}

bool is_trap(uint32_t word) { return word == 0xc0001073; }  // csrrw x0, cycle, x0

bool is_double_arithmetic(uint32_t word) {
  const uint32_t opcode = word & 0x7f, function = word >> 25;
  const bool fused = (opcode & 0x73) == 0x43;
  const bool from_double = opcode == 0x53 && (function == 0x20 || function == 0x22) && (word >> 20 & 31) == 1;
  return decode(word) == Opcode::Illegal && (((fused || opcode == 0x53) && (function & 3) == 1) || from_double);
}

int32_t immediate_of(Format format, uint32_t w) {
  switch (format) {
    case Format::U:
      return static_cast<int32_t>(w & 0xfffff000);
    case Format::J:
      return sign_extend((w >> 31) << 20 | (w >> 12 & 0xff) << 12 | (w >> 20 & 1) << 11 | (w >> 21 & 0x3ff) << 1, 21);
    case Format::I:
    case Format::FI:
    case Format::SXI:
    case Format::FIS:
      return static_cast<int32_t>(w) >> 20;
    case Format::Ishamt:
      return static_cast<int32_t>(w >> 20 & 31);
    case Format::S:
    case Format::FS:
    case Format::SXS:
    case Format::FSS:
      return sign_extend((w >> 25) << 5 | (w >> 7 & 31), 12);
    case Format::B:
      return sign_extend((w >> 31) << 12 | (w >> 7 & 1) << 11 | (w >> 25 & 0x3f) << 5 | (w >> 8 & 0xf) << 1, 13);
    case Format::FRi:
    case Format::FXI:
      return static_cast<int32_t>(w >> 20 & 31);
    case Format::FRRi:
      return static_cast<int32_t>(w >> 25 & 3);
    case Format::FRsh:
      return static_cast<int32_t>(w >> 20 & 0xff);
    case Format::FIR:
      return static_cast<int32_t>(w >> 20 & 7);
    case Format::FSR:
      return static_cast<int32_t>(w >> 7 & 3);
    case Format::SXN:
      return static_cast<int32_t>(w >> 20 & (decode(w) == Opcode::Ld128putcs ? 31 : 63));
    case Format::RPT:
      return static_cast<int32_t>(w >> 20 & 0x3ff);
    case Format::RPTI:
      return static_cast<int32_t>(w >> 20);
    case Format::PACE3:
      return static_cast<int32_t>(w >> 25 & 63);
    case Format::PACE2:
      return static_cast<int32_t>(w >> 25 & 15);
    case Format::AMPR:
      return static_cast<int32_t>(w >> 25 & 7);
    case Format::AMPP:
      return pace_immediate(pace_of(w));
    default:
      return 0;
  }
}

Rounding rounding_of(Format format) {
  static constexpr Rounding kRoundings[] = {
#define FORMAT(id, reads, written, updates, immediate, rounding, operands) Rounding::rounding,
#include "rtl/spec/formats.def"
#undef FORMAT
  };
  return kRoundings[static_cast<unsigned>(format)];
}

bool serialises(const InstructionInfo& entry) {
  if (entry.opcode == Opcode::Sans) return false;
  return entry.unit == Unit::System || entry.unit == Unit::Csr || entry.unit == Unit::Divide;
}

// The size that the mnemonic names: ld128step, fsw, lbu.
unsigned access_bytes(Opcode opcode) {
  const InstructionInfo& entry = info(opcode);
  const std::string_view name = entry.mnemonic;
  const bool has_size = entry.unit == Unit::Load || entry.unit == Unit::Store || entry.unit == Unit::Stream ||
                        entry.unit == Unit::Weights;
  if (!has_size) return 0;
  for (const unsigned bits : {128u, 64u, 32u, 16u})
    if (name.find(std::to_string(bits)) != name.npos) return bits / 8;
  switch (name[name.find_first_of("ls") + 1]) {
    case 'd':
      return 8;
    case 'w':
      return 4;
    case 'h':
      return 2;
    default:
      return 1;
  }
}

const CsrInfo* csr_info(uint16_t number) {
  for (const auto& csr : kCsrs)
    if (csr.number == number) return &csr;
  return nullptr;
}

uint64_t instruction_table_hash() {
  formats::Fnv hash;
  for (const auto& entry : table()) {
    hash.number(uint32_t{entry.match}).number(uint32_t{entry.mask});
    hash.number(static_cast<uint32_t>(entry.format) << 16 | static_cast<uint32_t>(entry.who) << 8 | entry.slots);
  }
  for (const auto& csr : kCsrs)
    hash.number(csr.number | static_cast<uint32_t>(csr.who) << 16 | (csr.read_only ? 1u << 31 : 0));
  return hash.value();
}

}  // namespace tessera::spec
