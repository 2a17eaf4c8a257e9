// Runs one verilated tile through the work that simulations spend their time on, so that the compiler can lay the
// simulator out for it (profile-guided optimisation, see CMakeLists.txt). The programs' results do not matter and
// nothing is checked. TILE_HEADER names the header of its state, TILE_CLASS the verilated class, the argument the
// machine it was made for.
#include <cstdint>
#include <vector>

#include TILE_HEADER
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace {

using tessera::spec::Csr;
using tessera::spec::DebugSpace;
using tessera::spec::encode;
using tessera::spec::Opcode;
using tessera::spec::Operands;

class Tile {
 public:
  Tile() { reset_tile(top_, tessera::spec::kFirstResetCycles); }
  ~Tile() { top_.final(); }

  void load(uint32_t address, const std::vector<uint32_t>& words) {
    for (const uint32_t word : words) {
      write(DebugSpace::kMemory, address, word);
      address += 4;
    }
  }
  void start(uint32_t pc) { write(DebugSpace::kControl, 0, pc); }
  void run(unsigned cycles) {
    for (unsigned n = 0; n < cycles; ++n) step();
  }

 private:
  void step() {
    top_.cycle_i = cycle_;
    top_.slot_i = cycle_ % 6;
    clock_tile(top_);
    ++cycle_;
  }
  void write(unsigned space, uint32_t address, uint32_t data) {
    top_.debug_valid_i = 1;
    top_.debug_write_i = 1;
    top_.debug_space_i = space;
    top_.debug_context_i = 0;
    top_.debug_address_i = address;
    top_.debug_wdata_i = data;
    step();
    top_.debug_valid_i = 0;
  }

  TILE_CLASS top_;
  uint64_t cycle_ = 0;
};

using Code = std::vector<uint32_t>;

// Elements of their own for both programs and the data.
struct Layout {
  uint32_t supervisor, worker, data;
};

// Launches six workers, waits for them, and does so again for ever.
Code supervisor(const Layout& at) {
  return {encode(Opcode::Lui, {.rd = 1, .imm = static_cast<int32_t>(at.worker)}),
          encode(Opcode::Lui, {.rd = 2, .imm = static_cast<int32_t>(at.data)}),
          encode(Opcode::Runall, {.rs1 = 1, .rs2 = 2, .imm = 64}), encode(Opcode::Sync, {.rs1 = 0, .imm = 0}),
          encode(Opcode::Jal, {.rd = 0, .imm = -8})};
}

// A worker's body, `turns` times, then exit.
Code worker(const Code& body, unsigned turns) {
  Code code{encode(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = static_cast<int32_t>(Csr::Xvbase)}),
            encode(Opcode::Addi, {.rd = 10, .rs1 = 0, .imm = static_cast<int32_t>(turns)})};
  code.insert(code.end(), body.begin(), body.end());
  code.push_back(encode(Opcode::Addi, {.rd = 10, .rs1 = 10, .imm = -1}));
  const auto back = -4 * static_cast<int32_t>(body.size() + 1);
  code.push_back(encode(Opcode::Bne, {.rs1 = 10, .rs2 = 0, .imm = back}));
  code.push_back(encode(Opcode::Exit, {.rs1 = 0}));
  return code;
}

void train(const Layout& at, const Code& body, unsigned cycles) {
  Tile tile;
  tile.load(at.supervisor, supervisor(at));
  tile.load(at.worker, worker(body, 500));
  for (uint32_t n = 0; n < 96; ++n) tile.load(at.data + 4 * n, {0x3c003800u + 0x00110007u * n});
  tile.start(at.supervisor);
  tile.run(cycles);
}

}  // namespace

int main(int, char** argv) {
  const auto machine = tessera::spec::load_machine(argv[1]);
  const Layout at{machine.memory_base, machine.memory_base + machine.element_bytes, machine.region1_base};
  train(at,
        {encode(Opcode::Lw, {.rd = 6, .rs1 = 5, .imm = 0}), encode(Opcode::Addi, {.rd = 6, .rs1 = 6, .imm = 1}),
         encode(Opcode::Sh2add, {.rd = 7, .rs1 = 6, .rs2 = 5}), encode(Opcode::Xor, {.rd = 8, .rs1 = 7, .rs2 = 6}),
         encode(Opcode::Mul, {.rd = 9, .rs1 = 8, .rs2 = 6}), encode(Opcode::Sw, {.rs1 = 5, .rs2 = 6, .imm = 0}),
         encode(Opcode::Add, {.rd = 9, .rs1 = 9, .rs2 = 8})},
        400000);
  train(at,
        {encode(Opcode::Flw, {.rd = 1, .rs1 = 5, .imm = 0}), encode(Opcode::Flw, {.rd = 2, .rs1 = 5, .imm = 4}),
         encode(Opcode::FmulS, {.rd = 3, .rs1 = 1, .rs2 = 2, .rm = 0}),
         encode(Opcode::FmaddS, {.rd = 4, .rs1 = 1, .rs2 = 2, .rs3 = 3, .rm = 0}),
         encode(Opcode::FaddS, {.rd = 6, .rs1 = 4, .rs2 = 2, .rm = 0}),
         encode(Opcode::FmaxS, {.rd = 7, .rs1 = 6, .rs2 = 1}), encode(Opcode::Fsw, {.rs1 = 5, .rs2 = 7, .imm = 8})},
        300000);
  train(at,
        {encode(Opcode::Fld, {.rd = 1, .rs1 = 5, .imm = 0}), encode(Opcode::Fld, {.rd = 2, .rs1 = 5, .imm = 8}),
         encode(Opcode::F16v4fma, {.rd = 3, .rs1 = 1, .rs2 = 2, .rs3 = 1}),
         encode(Opcode::F32v2add, {.rd = 4, .rs1 = 1, .rs2 = 3}), encode(Opcode::F16v2exp, {.rd = 6, .rs1 = 3}),
         encode(Opcode::Fsd, {.rs1 = 5, .rs2 = 4, .imm = 16})},
        12000);
  Code steps{encode(Opcode::Fld, {.rd = 1, .rs1 = 5, .imm = 0}), encode(Opcode::Fld, {.rd = 2, .rs1 = 5, .imm = 8})};
  for (int phase = 0; phase < 4; ++phase)
    for (int n = 0; n < 4; ++n)
      steps.push_back(encode(Opcode::F16v4hihov4amp, {.rd = 3, .rs1 = 1, .rs2 = 2, .imm = phase}));
  train(at, steps, 1500);
}
