#include "compiler/passes/control/assembler.h"

#include <algorithm>

namespace tessera::compiler {
namespace {

using spec::Opcode;

// lui and addi immediates whose sum is `value`: addi sign-extends its 12 bits.
std::uint32_t upper(std::uint32_t value) { return (value + 0x800) & 0xfffff000; }
std::int32_t lower(std::uint32_t value) { return static_cast<std::int32_t>(value - upper(value)); }

}  // namespace

void Assembler::load_constant(unsigned rd, std::uint32_t value) {
  const auto number = static_cast<std::int32_t>(value);
  const bool one_word = (number >= -2048 && number < 2048) || lower(value) == 0;
  const auto first = static_cast<std::uint32_t>(words_.size());
  loads_.push_back({.index = first, .second = one_word ? first : first + 1, .rd = rd, .constant = value});
  if (number >= -2048 && number < 2048) return i(Opcode::Addi, rd, kZero, number);
  emit(Opcode::Lui, {.rd = rd, .imm = static_cast<std::int32_t>(upper(value))});
  if (lower(value) != 0) i(Opcode::Addi, rd, rd, lower(value));
}

void Assembler::load_addresses(const std::vector<Address>& addresses) {
  const std::uint32_t first = words_.size();
  for (const Address& a : addresses) emit(Opcode::Lui, {.rd = a.rd});
  for (const Address& a : addresses) {
    loads_.push_back({.index = static_cast<std::uint32_t>(first + (&a - addresses.data())),
                      .second = static_cast<std::uint32_t>(words_.size()),
                      .rd = a.rd,
                      .is_address = true,
                      .place = a.place});
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

std::vector<AddressFixup> Assembler::fixups() const {
  std::vector<AddressFixup> fixups;
  for (const Load& load : loads_)
    if (load.is_address) fixups.push_back({load.index, load.second, load.place});
  return fixups;
}

void Assembler::advance(unsigned r, std::uint32_t bytes) {
  constexpr std::uint32_t kMost = 2044;
  for (; bytes > kMost; bytes -= kMost) i(Opcode::Addi, r, r, kMost);
  if (bytes > 0) i(Opcode::Addi, r, r, static_cast<std::int32_t>(bytes));
}

std::uint32_t Assembler::append(const Assembler& other, std::uint32_t first, std::uint32_t last,
                                const std::vector<BoundLabel>& labels, const FromTable& from) {
  constexpr std::int32_t kCopied = -5000, kDropped = -5001;
  const auto by_index = [](const auto& thing, std::uint32_t index) { return thing.index < index; };
  const auto loads = std::lower_bound(other.loads_.begin(), other.loads_.end(), first, by_index);
  std::vector<std::int32_t> what(last - first, kCopied);  // or the offset of what is loaded
  for (std::size_t l = 0; l < from.offsets.size(); ++l) {
    if (from.offsets[l] == FromTable::kAsItIs) continue;
    what[loads[l].second - first] = kDropped;
    what[loads[l].index - first] = from.offsets[l];
  }
  std::vector<std::uint32_t> came_to(last - first);
  auto use = std::lower_bound(other.uses_.begin(), other.uses_.end(), first, by_index);
  auto load = loads;
  std::uint32_t advanced = ir::kNone;
  const auto bind_at = [&](std::uint32_t word) {
    for (const BoundLabel& bound : labels)
      if (bound.word == word) bind(bound.label);
  };
  const auto advance_at = [&](std::uint32_t word) {
    if (word != from.advance_at) return;
    advance(from.table, from.advance);
    advanced = bytes();
  };
  for (std::uint32_t index = first; index < last; ++index) {
    advance_at(index);
    bind_at(index);
    const auto here = came_to[index - first] = static_cast<std::uint32_t>(words_.size());
    const bool begins = load != other.loads_.end() && load->index == index;
    if (what[index - first] == kCopied) {
      if (use != other.uses_.end() && use->index == index) {
        uses_.push_back({here, use->opcode, use->operands, use->label});
        ++use;
      }
      words_.push_back(other.words_[index]);
    } else if (what[index - first] != kDropped) {
      i(Opcode::Lw, load->rd, from.table, what[index - first]);
    }
    if (begins) ++load;
  }
  advance_at(last);
  bind_at(last);
  for (auto kept = loads; kept != load; ++kept) {
    if (what[kept->index - first] != kCopied) continue;
    loads_.push_back(*kept);
    loads_.back().index = came_to[kept->index - first];
    loads_.back().second = came_to[kept->second - first];
  }
  return advanced;
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
