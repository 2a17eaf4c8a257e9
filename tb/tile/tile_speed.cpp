// Evaluated cycles a second of one verilated tile: six workers in an integer loop, in a float loop and in one of matrix
// steps, and a tile that stands idle. Usage: tile_speed [million cycles [loop]]. Quote the result as a ratio to
// tests/bench/calibrate of the same run.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;

namespace {

constexpr uint32_t kHalves = 0xBC003C00;  // two f16, 1 and -1: data and weights are numbers near these

Program supervisor() {
  Program p;
  p.load_immediate(1, kWorker);
  p.load_immediate(2, kData);
  p.add(Opcode::Runall, {.rs1 = 1, .rs2 = 2, .imm = 64});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  return p;
}

Program workers() {
  Program w;
  w.base = kWorker;
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xFC2 - 0x1000});  // vertex base
  return w;
}

void measure(const char* name, const Program& s, const Program& w, double millions) {
  TileRun tile;
  tile.recording = false;
  tile.load(s);
  tile.load(w);
  for (uint32_t word = 0; word < 96; ++word)
    tile.write(tessera::spec::DebugSpace::kMemory, 0, kData + 4 * word, kHalves ^ word << 16 ^ word);
  for (uint32_t word = 0; word < 128; ++word)
    tile.write(tessera::spec::DebugSpace::kVector, 0, word, kHalves ^ (word << 18) ^ word << 1);
  tile.start(kCode);
  const std::clock_t begin = std::clock();  // of this process: other work on the machine does not count
  tile.step_to(static_cast<uint64_t>(millions * 1e6));
  const double taken = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (tile.top.exception_o) {
    std::fprintf(stderr, "tile_speed: the tile has excepted, with cause %u\n", tile.cause());
    std::exit(1);
  }
  std::printf("%-8s %.2f million cycles/s\n", name, millions / taken);
}

}  // namespace

int main(int argc, char** argv) {
  const double millions = argc > 1 ? std::atof(argv[1]) : 2;
  Program integer = workers();
  integer.add(Opcode::Lw, {.rd = 6, .rs1 = 5, .imm = 0});
  integer.add(Opcode::Addi, {.rd = 6, .rs1 = 6, .imm = 1});
  integer.add(Opcode::Sh2add, {.rd = 7, .rs1 = 6, .rs2 = 5});
  integer.add(Opcode::Xor, {.rd = 8, .rs1 = 7, .rs2 = 6});
  integer.add(Opcode::Sw, {.rs1 = 5, .rs2 = 6, .imm = 0});
  integer.add(Opcode::Add, {.rd = 9, .rs1 = 9, .rs2 = 8});
  integer.add(Opcode::Bne, {.rs1 = 6, .rs2 = 0, .imm = -24});
  Program fma = workers();
  fma.add(Opcode::Flw, {.rd = 1, .rs1 = 5, .imm = 0});
  for (unsigned r = 2; r < 7; ++r) fma.add(Opcode::FmaddS, {.rd = r, .rs1 = 1, .rs2 = r, .rs3 = 1, .rm = 0});
  fma.add(Opcode::Fsw, {.rs1 = 5, .rs2 = 2, .imm = 8});
  fma.add(Opcode::Jal, {.rd = 0, .imm = -28});
  Program amp = workers();
  amp.add(Opcode::Fld, {.rd = 1, .rs1 = 5, .imm = 0});
  amp.add(Opcode::Fld, {.rd = 2, .rs1 = 5, .imm = 8});
  for (int step = 0; step < 16; ++step) amp.add(Opcode::F16v4sisoamp, {.rd = 4, .rs1 = 1, .rs2 = 2, .imm = step % 4});
  amp.add(Opcode::Jal, {.rd = 0, .imm = -64});
  Program idle;
  idle.load_immediate(1, 1);
  idle.add(Opcode::Sync, {.rs1 = 1, .imm = 2});
  const std::string chosen = argc > 2 ? argv[2] : "";
  for (int round = 0; round < 3; ++round) {
    if (chosen.empty() || chosen == "integer") measure("integer", supervisor(), integer, millions);
    if (chosen.empty() || chosen == "fma") measure("fma", supervisor(), fma, millions);
    if (chosen.empty() || chosen == "amp") measure("amp", supervisor(), amp, millions);
    if (chosen.empty() || chosen == "idle") measure("idle", idle, workers(), millions);
  }
}
