// One tile by itself, as RTL and as model: drives the ports, prints what each cycle retires, and compares the two.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"
#include "sim/engine/lockstep.h"
#include "sim/port/tile.h"

using namespace tessera;
using Op = spec::Opcode;

// Adds 5 + 4 + ... + 1, stores the sum, stops by a trap.
std::vector<uint32_t> program(uint32_t result) {
  return {
      spec::encode(Op::Addi, {.rd = 5, .rs1 = 0, .imm = 5}),
      spec::encode(Op::Add, {.rd = 6, .rs1 = 6, .rs2 = 5}),
      spec::encode(Op::Addi, {.rd = 5, .rs1 = 5, .imm = -1}),
      spec::encode(Op::Bne, {.rs1 = 5, .rs2 = 0, .imm = -8}),
      spec::encode(Op::Lui, {.rd = 7, .imm = static_cast<int32_t>(result)}),
      spec::encode(Op::Sw, {.rs1 = 7, .rs2 = 6, .imm = 0}),
      spec::encode(Op::Trap, {.imm = 1}),
  };
}

struct Bench {
  explicit Bench(std::unique_ptr<chip::Tile> t) : tile(std::move(t)) {}

  void step(chip::TileInputs in = {}) {
    in.cycle = cycle++;
    tile->step(in, out);
  }
  void debug_write(chip::DebugSpace space, uint32_t address, uint32_t data) {
    step({.debug_valid = true,
          .debug_write = true,
          .debug_space = space,
          .debug_address = address,
          .debug_wdata = data});
  }
  // What the next instruction that retires did; "" when the tile stands still.
  std::string next() {
    do {
      step();
    } while (!tile->retire().valid && !out.idle);
    return tile->retire().valid ? describe(tile->retire()) : "";
  }

  std::unique_ptr<chip::Tile> tile;
  chip::TileOutputs out;
  uint64_t cycle = 0;
};

int main() {
  const auto machine = spec::load_machine("mk2-4");
  const uint32_t code = machine.memory_base, result = machine.region1_base;
  Bench rtl(chip::make_tile(chip::Backend::kRtl, machine, 0));
  Bench model(chip::make_tile(chip::Backend::kModel, machine, 0));

  for (Bench* bench : {&rtl, &model}) {
    uint32_t address = code;
    for (const uint32_t word : program(result))
      bench->debug_write(chip::DebugSpace::kMemory, address, word), address += 4;
    bench->debug_write(chip::DebugSpace::kControl, 0, code);  // control 0: start here
  }

  for (;;) {
    const auto left = rtl.next(), right = model.next();
    if (left != right) {
      std::printf("differs\n  rtl    %s\n  model  %s\n", left.c_str(), right.c_str());
      return 1;
    }
    if (left.empty()) break;
    std::printf("%s\n", left.c_str());
  }

  const auto sum = static_cast<uint32_t>(rtl.tile->peek(result));
  std::printf("sum %u, cause %u\n", sum, rtl.tile->exception().cause);
  return sum == 15 ? 0 : 1;
}
