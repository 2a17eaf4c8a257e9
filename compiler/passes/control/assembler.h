// A small assembler for control code: instructions of the table, labels, and addresses of places that are only known
// after allocation.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/passes/memory/layout.h"
#include "rtl/spec/instructions.h"

namespace tessera::compiler {

// Registers by their ABI names.
enum Register : unsigned {
  kZero = 0,
  kRa = 1,
  kSp = 2,
  kTp = 4,
  kT0 = 5,
  kT1 = 6,
  kT2 = 7,
  kS0 = 8,
  kS1 = 9,
  kA0 = 10,
  kA1 = 11,
  kA2 = 12,
  kA3 = 13,
  kA4 = 14,
  kA5 = 15,
  kA6 = 16,
  kA7 = 17,
  kS2 = 18,
  kS3 = 19,
  kS4 = 20,
  kS11 = 27,
  kT3 = 28,
  kT4 = 29,
  kT5 = 30,
  kT6 = 31,
};

// Word `index` is a lui and word `second` an addi of one register: together they load the address of `value`.
struct AddressFixup {
  std::uint32_t index = 0, second = 0;
  ir::Place value;
};

// A number or an address that words `index` and `second` (the same when one does) put into a register.
struct Load {
  std::uint32_t index = 0, second = 0;
  unsigned rd = 0;
  bool is_address = false;
  ir::Place place{};           // is_address
  std::uint32_t constant = 0;  // else
  bool same_value(const Load& other) const {
    return is_address == other.is_address && place == other.place && constant == other.constant;
  }
};

struct Label {
  std::uint32_t id = 0;
};

// How the loads of appended words are made: those for which `offsets` has another number than kAsItIs become one lw
// each, of the word that far from register `table`; before word `advance_at` the register goes on by `advance` bytes.
struct FromTable {
  static constexpr std::int32_t kAsItIs = -4096;
  unsigned table = kZero;
  std::vector<std::int32_t> offsets{};
  std::uint32_t advance_at = ir::kNone;
  std::uint32_t advance = 0;
};
struct BoundLabel {
  std::uint32_t word;  // of the code that is appended
  Label label;
};

class Assembler {
 public:
  void emit(spec::Opcode opcode, const spec::Operands& operands) { words_.push_back(spec::encode(opcode, operands)); }
  void r(spec::Opcode opcode, unsigned rd, unsigned rs1, unsigned rs2) {
    emit(opcode, {.rd = rd, .rs1 = rs1, .rs2 = rs2});
  }
  void i(spec::Opcode opcode, unsigned rd, unsigned rs1, std::int32_t imm) {
    emit(opcode, {.rd = rd, .rs1 = rs1, .imm = imm});
  }
  void store(spec::Opcode opcode, unsigned value, std::int32_t imm, unsigned base) {
    emit(opcode, {.rs1 = base, .rs2 = value, .imm = imm});
  }
  void move(unsigned rd, unsigned rs) { i(spec::Opcode::Addi, rd, rs, 0); }
  void read_csr(unsigned rd, spec::Csr csr) { i(spec::Opcode::Csrrs, rd, kZero, static_cast<std::int32_t>(csr)); }
  void write_csr(spec::Csr csr, unsigned rs) { i(spec::Opcode::Csrrw, kZero, rs, static_cast<std::int32_t>(csr)); }
  void load_constant(unsigned rd, std::uint32_t value);
  // Loads the addresses of several places so that no instruction waits for its neighbour more than it must.
  struct Address {
    unsigned rd;
    ir::Place place;
  };
  void load_addresses(const std::vector<Address>& addresses);

  Label label();
  void bind(Label label);
  // Conditional branch within 4 KiB either way; jump within 1 MiB.
  void branch(spec::Opcode opcode, unsigned rs1, unsigned rs2, Label target);
  void jump(unsigned rd, Label target);
  // Conditional branch of any distance: goes on at `target` if the condition of `opcode` does not hold.
  void branch_unless(spec::Opcode opcode, unsigned rs1, unsigned rs2, Label target);

  std::uint32_t bytes() const { return 4 * static_cast<std::uint32_t>(words_.size()); }
  std::uint32_t offset_of(Label label) const { return labels_[label.id]; }
  std::vector<AddressFixup> fixups() const;
  // The finished code: every branch resolved. All labels that were used are bound.
  std::vector<std::uint32_t> take();

  // What there is so far; a branch's word is 0.
  struct BranchUse {
    std::uint32_t index;
    spec::Opcode opcode;
    spec::Operands operands;
    std::uint32_t label;
  };
  std::uint32_t offset_of(std::uint32_t label) const { return labels_[label]; }
  const std::vector<std::uint32_t>& words() const { return words_; }
  const std::vector<BranchUse>& branches() const { return uses_; }  // by index
  const std::vector<Load>& loads() const { return loads_; }         // by index
  std::uint32_t labels() const { return static_cast<std::uint32_t>(labels_.size()); }

  // Has as many labels as `other` before any of its own, and binds them by itself.
  void begin_with_labels_of(const Assembler& other) { labels_.resize(other.labels_.size()); }
  // Appends words [first, last) of `other`, which has the same labels, and binds those that are given. Returns the
  // place in bytes behind the advance, or kNone.
  std::uint32_t append(const Assembler& other, std::uint32_t first, std::uint32_t last,
                       const std::vector<BoundLabel>& labels, const FromTable& from = {});
  // register += bytes
  void advance(unsigned r, std::uint32_t bytes);

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> labels_;  // byte offsets
  std::vector<BranchUse> uses_;
  std::vector<Load> loads_;
};

// Puts the address of each fixup's place into the code.
void resolve_addresses(std::vector<std::uint32_t>& words, const std::vector<AddressFixup>& fixups,
                       const Layout& layout);

}  // namespace tessera::compiler
