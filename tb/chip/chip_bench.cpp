// Speed of 16 instances of the verilated tile: against the flat top of 16 tiles built with the same flags, while all
// workers of all tiles loop; and of 16 tiles that do nothing but sync with the latencies of mk2, over and over, against
// the same tiles computing: a tile that waits for the others costs nothing.
#include <chrono>
#include <memory>

#include "Vtile_state.h"
#include "chip_programs.h"
#include "flat_chip.h"
#include "sim/engine/chip_engine.h"
#include "sim/engine/rtl_tile.h"
#include "tests/bench/figure.h"
#include "tests/bench/turns.h"

using namespace tessera;
using namespace tessera::test;

namespace {

using Op = TileProgram::Op;

ChipProgram busy_program(const spec::Machine& m) {
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

// Chip cycles per second.
template <class Chip>
double speed(uint64_t cycles, const spec::Machine& m, const ChipProgram& program) {
  const auto chip = std::make_unique<Chip>(m);
  load_and_start(*chip, program);
  return static_cast<double>(cycles) / seconds([&] { chip->run(chip->cycle() + cycles); });
}

// The engine with the flat top's way of running.
struct Instances : chip::ChipEngine<chip::RtlTile<Vtile>> {
  using ChipEngine::ChipEngine;
  void run(uint64_t limit) { ChipEngine::run(limit, 0); }
};

ChipProgram syncing_program(const spec::Machine& m) {
  ChipProgram tiles(m.tiles());
  for (TileProgram& p : tiles) {
    const uint32_t begin = p.here();
    p.sync(spec::SyncZone::kInternal);
    p.add(Op::Jal, {.rd = 0, .imm = static_cast<int32_t>(begin - p.here())});
  }
  return tiles;
}

}  // namespace

int main() {
  const auto m = spec::load_machine("mk2-16");
  const auto busy = busy_program(m);
  constexpr uint64_t kCycles = 200000;
  auto far = m;
  far.sync_request = far.sync_acknowledge = spec::load_machine("mk2").sync_request;
  const auto syncing_only = syncing_program(far);
  Best instances, flat, syncing;
  turns_until_steady({&instances, &flat, &syncing}, [&] {
    instances.take(speed<Instances>(kCycles, m, busy));
    flat.take(speed<FlatChip>(kCycles, m, busy));
    syncing.take(speed<Instances>(10 * kCycles, far, syncing_only));
  });
  bool ok = print_figure(
      "instances-against-flat", instances.value() / flat.value(), "of the flat top's speed", Goal::kAtLeast, 0.9,
      {{"instances tile-cycles/s", instances.value() * m.tiles()}, {"flat tile-cycles/s", flat.value() * m.tiles()}});
  ok &= print_figure("syncing-against-computing", syncing.value() / instances.value(),
                     "times the chip cycles per second", Goal::kAtLeast, 5,
                     {{"syncing chip cycles/s", syncing.value()}, {"computing chip cycles/s", instances.value()}});
  return ok ? 0 : 1;
}
