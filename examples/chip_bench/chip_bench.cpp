// A chip under an observer; then the same chip with a fault in it; then the fault found by a second chip in lockstep.
//
//   chip_bench [rtl|model|lockstep] [--waves FILE] [--trace FILE] [--gdb [PORT]] ...
//   rtl, model  what the first chip is; the options look into it (the default is rtl)
//   lockstep    they look into the two chips in lockstep, each with files of its own: FILE.faulty.fst, FILE.model.fst
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "inspect/bench/bench_options.h"
#include "inspect/bench/inspected_chip.h"
#include "inspect/faults/fault_injector.h"
#include "rtl/spec/causes.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/engine/backend.h"
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

bool bench(const std::string& which, const std::string& options) {
  const auto machine = spec::load_machine("mk2-4");
  const bool pair_looked_into = which == "lockstep";

  Profile profile;
  inspect::InspectedChip first(chip::make_backend, pair_looked_into ? "rtl" : which, machine,
                               pair_looked_into ? "" : options);
  first.observe(&profile);
  const uint32_t sum = run(first);
  for (const auto& [mnemonic, count] : profile.count) std::printf("%-6s %u\n", mnemonic.data(), count);

  // Bit 4 of the table's last word of tile 2 turns over, in cycle 500.
  const auto faults = inspect::parse_faults("memory tile=2 address=0x800fc bit=4 cycle=500", machine);
  inspect::FaultyChip faulty(chip::make_chip(chip::Backend::kRtl, machine), faults);
  run(faulty);
  const auto status = faulty.exception(2);
  std::printf("sum %u; with the fault: exception %s, word at %#x, read in cycle %llu\n", sum,
              std::string(spec::cause_name(status.cause)).c_str(), status.value,
              static_cast<unsigned long long>(status.cycle));

  const auto looked_into = [&](std::unique_ptr<chip::Chip> chip, const char* name) {
    return std::make_unique<inspect::InspectedChip>(std::move(chip),
                                                    pair_looked_into ? inspect::for_chip(options, name) : "");
  };
  bool found = false;
  auto suspect = inspect::make_faulty_chip(chip::make_chip(chip::Backend::kRtl, machine), faults);
  const auto pair = chip::make_lockstep_chip(looked_into(std::move(suspect), "faulty"),
                                             looked_into(chip::make_chip(chip::Backend::kModel, machine), "model"),
                                             {"faulty", "model"});
  try {
    run(*pair);
  } catch (const chip::LockstepDifference& difference) {
    found = true;
    std::printf("%s", difference.what());
  }
  return sum == 2016 && static_cast<spec::Cause>(status.cause) == spec::Cause::Parity && found;
}

int main(int argc, char* argv[]) {
  try {
    const std::string options = inspect::take_options(argc, argv);  // and what TESSERA_INSPECT says
    return bench(argc > 1 ? argv[1] : "rtl", options) ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "chip_bench: %s\n", error.what());
    return 1;
  }
}
