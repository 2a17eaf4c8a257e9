// Speed of the flat top of 16 tiles against 16 instances of the verilated tile, on one program: all workers of all
// tiles loop. Prints tile-cycles per second of both. Usage: flat_bench [cycles]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "Vtile.h"
#include "chip/chip_engine.h"
#include "chip/rtl_tile.h"
#include "chip_programs.h"
#include "flat_chip.h"

using namespace tessera;
using namespace tessera::test;

namespace {

ChipProgram busy_program(const spec::Machine& m) {
  using Op = TileProgram::Op;
  ChipProgram tiles(m.tiles());
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram& p = tiles[t];
    p.delay(t);  // so that tiles do not all do the same in the same cycle
    p.add(Op::Jal, {.rd = 0, .imm = 4 * 7});
    const uint32_t entry = p.here();
    p.csr_read(10, spec::Csr::Xvbase);
    p.add(Op::Addi, {.rd = 5, .rs1 = 5, .imm = 3});
    p.add(Op::Mul, {.rd = 6, .rs1 = 5, .rs2 = 5});
    p.add(Op::Sw, {.rs1 = 10, .rs2 = 6});
    p.add(Op::Lw, {.rd = 7, .rs1 = 10});
    p.add(Op::Jal, {.rd = 0, .imm = -16});
    p.li(11, entry);
    p.li(12, kData);
    p.add(Op::Runall, {.rs1 = 11, .rs2 = 12, .imm = 0});
    p.sync(0);
  }
  return tiles;
}

template <class Run>
double seconds(const Run& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100000;
  const auto m = spec::load_machine("mk2-16");
  const auto program = busy_program(m);
  chip::ChipEngine<chip::RtlTile<Vtile>> engine(m);
  load_and_start(engine, program);
  const double instances = seconds([&] { engine.run(engine.cycle() + cycles, 0); });
  FlatChip flat(m);
  load_and_start(flat, program);
  const double one = seconds([&] { flat.run(flat.cycle() + cycles); });
  const double work = static_cast<double>(cycles) * m.tiles();
  std::printf("instances %.3g tile-cycles/s, flat %.3g tile-cycles/s\n", work / instances, work / one);
}
