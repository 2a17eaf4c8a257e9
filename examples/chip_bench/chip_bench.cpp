// A chip under an observer; then the same chip with a fault in it; then the fault found by a second chip in lockstep.
#include <cstdio>
#include <map>
#include <memory>

#include "inspect/faults/fault_injector.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/port/chip.h"

using namespace tessera;
using Op = spec::Opcode;

constexpr unsigned kWords = 64;

// Every tile adds up a table of 64 words into x6 and stops by a trap.
void load(chip::Chip& chip) {
  const uint32_t at = chip.machine().memory_base, table_at = chip.machine().region1_base;  // of code, of the table
  const std::vector<uint32_t> code = {
      spec::encode(Op::Lui, {.rd = 5, .imm = static_cast<int32_t>(table_at)}),
      spec::encode(Op::Addi, {.rd = 7, .rs1 = 5, .imm = 4 * kWords}),
      spec::encode(Op::Lw, {.rd = 8, .rs1 = 5, .imm = 0}),
      spec::encode(Op::Add, {.rd = 6, .rs1 = 6, .rs2 = 8}),
      spec::encode(Op::Addi, {.rd = 5, .rs1 = 5, .imm = 4}),
      spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 7, .imm = -12}),
      spec::encode(Op::Trap, {.imm = 1}),
  };
  std::vector<uint32_t> table(kWords);
  for (unsigned i = 0; i < kWords; ++i) table[i] = i;
  chip.load(chip::kNoTile, at, code);  // kNoTile: all tiles at once
  chip.load(chip::kNoTile, table_at, table);
  chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, at);
}

uint32_t run(chip::Chip& chip) {
  load(chip);
  chip.run(1'000'000, 0);
  return chip.debug_read(2, chip::DebugSpace::kInteger, 0, 6);
}

struct Profile : chip::Observer {  // instructions of tile 2 by mnemonic
  std::map<std::string_view, unsigned> count;
  bool wants(unsigned tile) const override { return tile == 2; }
  void retire(unsigned, const chip::Retire& record) override {
    ++count[spec::info(spec::decode(record.instruction)).mnemonic];
  }
};

int main() {
  const auto machine = spec::load_machine("mk2-4");

  Profile profile;
  const auto rtl = chip::make_chip(chip::Backend::kRtl, machine);
  rtl->observe(&profile);
  const uint32_t sum = run(*rtl);
  for (const auto& [mnemonic, count] : profile.count) std::printf("%-6s %u\n", mnemonic.data(), count);

  // Bit 4 of the table's last word of tile 2 turns over, in cycle 500.
  const auto faults = inspect::parse_faults("memory tile=2 address=0x800fc bit=4 cycle=500", machine);
  inspect::FaultyChip faulty(chip::make_chip(chip::Backend::kRtl, machine), faults);
  const uint32_t wrong = run(faulty);
  std::printf("sum %u, with the fault %u\n", sum, wrong);

  bool found = false;
  auto suspect = inspect::make_faulty_chip(chip::make_chip(chip::Backend::kRtl, machine), faults);
  const auto pair = chip::make_lockstep_chip(std::move(suspect), chip::make_chip(chip::Backend::kModel, machine),
                                             {"faulty", "model"});
  try {
    run(*pair);
  } catch (const chip::LockstepDifference& difference) {
    found = true;
    std::printf("%s", difference.what());
  }
  return sum == 2016 && wrong == sum - 16 && found ? 0 : 1;
}
