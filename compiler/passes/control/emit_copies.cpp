#include "compiler/passes/control/emit_copies.h"

#include <iterator>
#include <vector>

namespace tessera::compiler {
namespace {

using spec::Opcode;

constexpr unsigned kRegisters[] = {kT0, kT1, kT2, kT3, kT4, kT5, kA2, kA3, kA4, kA5, kA6, kA7};

struct Run {
  ir::Place source, target;
  std::uint32_t words;
  const unsigned* registers;  // of its two addresses, then of its words
};

// Runs as many at a time as there are registers for, so that none waits for its own addresses and words.
class CopyEmission {
 public:
  explicit CopyEmission(Assembler& code) : a_(code) {}

  void add(const ir::Place& source, const ir::Place& target, std::uint32_t words) {
    if (used_ + 2 + words > std::size(kRegisters)) emit();
    batch_.push_back({source, target, words, kRegisters + used_});
    used_ += 2 + words;
  }
  void emit() {
    std::vector<Assembler::Address> addresses;
    for (const Run& run : batch_) {
      addresses.push_back({run.registers[0], run.source});
      addresses.push_back({run.registers[1], run.target});
    }
    a_.load_addresses(addresses);
    for (const Run& run : batch_)
      for (std::uint32_t w = 0; w < run.words; ++w) a_.i(Opcode::Lw, run.registers[2 + w], run.registers[0], 4 * w);
    for (const Run& run : batch_)
      for (std::uint32_t w = 0; w < run.words; ++w) a_.store(Opcode::Sw, run.registers[2 + w], 4 * w, run.registers[1]);
    batch_.clear();
    used_ = 0;
  }

 private:
  Assembler& a_;
  std::vector<Run> batch_;
  std::uint32_t used_ = 0;  // registers
};

}  // namespace

void emit_copies(std::span<const LocalCopy> copies, Assembler& code) {
  CopyEmission emission(code);
  for (const LocalCopy& copy : copies)
    for (std::uint32_t run = 0; run < copy.count; ++run)
      emission.add({copy.source.block, copy.source.offset + run * copy.source_step},
                   {copy.target.block, copy.target.offset + run * copy.target_step}, copy.bytes / 4);
  emission.emit();
}

}  // namespace tessera::compiler
