// Runs base programs on a tile, one on each worker, and compares what they leave with QEMU. Tile: ModelTile or RtlTile.
#pragma once

#include <fmt/format.h>

#include "qemu_machine.h"
#include "rtl/spec/causes.h"
#include "sim/port/tile_port.h"
#include "tb/model/program.h"
#include "tb/random/layout.h"

namespace tessera::test {

template <class Tile>
class TileWorkers {
 public:
  explicit TileWorkers(Tile& tile) : tile_(tile) {}

  uint64_t instructions() const { return instructions_; }  // that workers retired
  uint64_t cycles() const { return cycles_; }

  // Runs up to kProgramsInMemory programs, program n on worker n. Returns what differs from `expected`, or "".
  std::string run(const BaseProgram* programs, const QemuResult* expected, unsigned count) {
    tile_.reset();
    cycle_ = 0;
    Program supervisor;
    for (unsigned n = 0; n < count; ++n) {
      load(programs[n]);
      supervisor.load_immediate(1, programs[n].entry);
      supervisor.add(spec::Opcode::Run, {.rs1 = 1, .rs2 = 0});
    }
    supervisor.add(spec::Opcode::Sync, {.imm = 0});
    supervisor.add(spec::Opcode::Ebreak);
    for (size_t n = 0; n < supervisor.words.size(); ++n)
      write(chip::DebugSpace::kMemory, supervisor.base + 4 * static_cast<uint32_t>(n), supervisor.words[n]);
    write(chip::DebugSpace::kControl, 0, supervisor.base);
    while (!out_.exception && cycle_ < kLimit) step({});
    const auto end = tile_.exception();
    if (end.cause != static_cast<uint8_t>(spec::Cause::Break))
      return fmt::format("ended with exception {} of context {} at pc {:#x}", end.cause, end.context, end.pc);
    std::string differences;
    for (unsigned n = 0; n < count && differences.empty(); ++n) differences = compare(n + 1, programs[n], expected[n]);
    return differences;
  }

 private:
  static constexpr uint64_t kLimit = 200000;

  void load(const BaseProgram& program) {
    for (const auto& image : program.images)
      for (size_t w = 0; w < image.words.size(); ++w)
        write(chip::DebugSpace::kMemory, image.address + 4 * static_cast<uint32_t>(w), image.words[w]);
    write(chip::DebugSpace::kMemory, program.end, spec::encode(spec::Opcode::Exit, {.rs1 = 0}));
  }
  void step(chip::TileInputs in) {
    in.cycle = cycle_++;
    ++cycles_;
    tile_.step(in, out_);
    if (tile_.retire().valid && tile_.retire().context != 0) ++instructions_;
  }
  void write(chip::DebugSpace space, uint32_t address, uint32_t data) {
    chip::TileInputs in;
    in.debug_valid = in.debug_write = true;
    in.debug_space = space;
    in.debug_address = address;
    in.debug_wdata = data;
    step(in);
  }
  uint32_t read(chip::DebugSpace space, unsigned context, uint32_t number) {
    chip::TileInputs in;
    in.debug_valid = true;
    in.debug_space = space;
    in.debug_context = static_cast<uint8_t>(context);
    in.debug_address = number;
    step(in);
    for (int n = 0; n < 3; ++n) step({});
    return out_.debug_data;
  }

  std::string compare(unsigned context, const BaseProgram& program, const QemuResult& expected) {
    std::string text;
    const auto check = [&text](const std::string& what, uint64_t tile, uint64_t qemu) {
      if (tile != qemu) text += fmt::format("{}: tile {:#x}, qemu {:#x}\n", what, tile, qemu);
    };
    if (expected.cause != 9) return fmt::format("qemu: trap {} at {:#x}", expected.cause, expected.pc);
    for (unsigned r = 1; r < 32; ++r)
      check(fmt::format("x{}", r), read(chip::DebugSpace::kInteger, context, r), expected.registers.x[r]);
    for (unsigned r = 0; r < 32; ++r)
      check(fmt::format("f{}", r),
            read(chip::DebugSpace::kFloat, context, 2 * r) |
                uint64_t{read(chip::DebugSpace::kFloat, context, 2 * r + 1)} << 32,
            expected.registers.f[r]);
    check("fcsr", read(chip::DebugSpace::kCsr, context, 3), expected.registers.fcsr);
    size_t word = 0;
    for (const uint32_t area : program.data)
      for (uint32_t a = area; a < area + BaseProgram::kDataBytes; a += 4)
        check(fmt::format("[{:05x}]", a), read(chip::DebugSpace::kMemory, 0, a), expected.data[word++]);
    return text.empty() ? text : fmt::format("program at {:#x}:\n{}", program.entry, text);
  }

  Tile& tile_;
  chip::TileOutputs out_;
  uint64_t cycle_ = 0, cycles_ = 0, instructions_ = 0;
};

}  // namespace tessera::test
