#include "compiler/passes/assembler.h"

namespace tessera::compiler {
namespace {

using spec::Opcode;

// lui and addi immediates whose sum is `value`: addi sign-extends its 12 bits.
std::uint32_t upper(std::uint32_t value) { return (value + 0x800) & 0xfffff000; }
std::int32_t lower(std::uint32_t value) { return static_cast<std::int32_t>(value - upper(value)); }

}  // namespace

void Assembler::load_constant(unsigned rd, std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  if (number >= -2048 && number < 2048) return i(Opcode::Addi, rd, kZero, number);
  emit(Opcode::Lui, {.rd = rd, .imm = static_cast<std::int32_t>(upper(value))});
  if (lower(value) != 0) i(Opcode::Addi, rd, rd, lower(value));
}

void Assembler::load_addresses(const std::vector<Address>& addresses) {
  const std::uint32_t first = words_.size();
  for (const Address& a : addresses) emit(Opcode::Lui, {.rd = a.rd});
  for (const Address& a : addresses) {
    fixups_.push_back({static_cast<std::uint32_t>(first + (&a - addresses.data())),
                       static_cast<std::uint32_t>(words_.size()), a.place});
    i(Opcode::Addi, a.rd, a.rd, 0);
  }
}

Label Assembler::label() {
  labels_.push_back(0);
  return {static_cast<std::uint32_t>(labels_.size() - 1)};
}

void Assembler::bind(Label label) { labels_[label.id] = bytes(); }

void Assembler::branch(Opcode opcode, unsigned rs1, unsigned rs2, Label target) {
  uses_.push_back({static_cast<std::uint32_t>(words_.size()), opcode, {.rs1 = rs1, .rs2 = rs2}, target.id});
  words_.push_back(0);
}

void Assembler::jump(unsigned rd, Label target) {
  uses_.push_back({static_cast<std::uint32_t>(words_.size()), Opcode::Jal, {.rd = rd}, target.id});
  words_.push_back(0);
}

void Assembler::branch_unless(Opcode opcode, unsigned rs1, unsigned rs2, Label target) {
  const Label over = label();
  branch(opcode, rs1, rs2, over);
  jump(kZero, target);
  bind(over);
}

std::vector<std::uint32_t> Assembler::take() {
  for (const BranchUse& use : uses_) {
    spec::Operands operands = use.operands;
    operands.imm = static_cast<std::int32_t>(labels_[use.label] - 4 * use.index);
    words_[use.index] = spec::encode(use.opcode, operands);
  }
  return std::move(words_);
}

void resolve_addresses(std::vector<std::uint32_t>& words, const std::vector<AddressFixup>& fixups,
                       const Layout& layout) {
  for (const AddressFixup& fixup : fixups) {
    const std::uint32_t address = layout.address_of(fixup.value);
    const unsigned rd = spec::rd_of(words[fixup.index]);
    words[fixup.index] = spec::encode(Opcode::Lui, {.rd = rd, .imm = static_cast<std::int32_t>(upper(address))});
    words[fixup.second] = spec::encode(Opcode::Addi, {.rd = rd, .rs1 = rd, .imm = lower(address)});
  }
}

}  // namespace tessera::compiler
