// What reset leaves (docs/reference/tile.md, Reset).
#include <catch2/catch.hpp>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;

namespace {

constexpr int kPlace = 0x408;  // row 64 of its element, which a count of 256 from anywhere near 0 comes to

// A tile in the midst of a program, with something in registers and memory.
std::unique_ptr<TileRun> used() {
  Program p;
  p.load_immediate(5, 0x1234567);
  p.load_immediate(6, kData);
  p.add(Opcode::Sw, {.rs1 = 6, .rs2 = 5, .imm = kPlace});
  p.add(Opcode::Jal, {.rd = 0, .imm = 0});
  auto tile = std::make_unique<TileRun>();
  tile->load(p);
  tile->flip(kData + kPlace, 0);
  tile->start(kCode);
  tile->step_to(100);
  return tile;
}

}  // namespace

TEST_CASE("257 cycles of reset make registers zero and leave the memory, and the check bits of its words") {
  auto tile = used();
  tile->flip(kData + kPlace + 4, 1);  // a word that does not fit
  tile->top.clear_memory_i = 0;
  reset_tile(tile->top, tessera::spec::kResetCycles);
  CHECK(tile->top.idle_o);
  CHECK(tile->x(0, 5) == 0);
  CHECK(tile->control(DebugControl::kPc) == 0);
  CHECK(tile->word(kData + kPlace) == 0x1234567);
  Program p;
  p.load_immediate(6, kData);
  p.add(Opcode::Lw, {.rd = 7, .rs1 = 6, .imm = kPlace + 4});
  p.add(Opcode::Ebreak);
  tile->load(p);
  tile->start(kCode);
  tile->step_to(100);
  CHECK(tile->cause() == 14);
}

TEST_CASE("With clear_memory_i it makes the memory zero, too, in a cycle more than an element has rows") {
  auto tile = used();
  tile->flip(kData + kPlace, 3);
  tile->top.clear_memory_i = 1;
  reset_tile(tile->top, tessera::spec::reset_memory_cycles(16384));
  tile->top.clear_memory_i = 0;
  for (uint32_t address = 0x4C000; address < 0xE8000; address += 0x1FFC) CHECK(tile->word(address) == 0);
  CHECK(tile->word(kData + kPlace) == 0);
  CHECK(tile->word(kCode) == 0);
}

TEST_CASE("A reset ends whatever the tile does: worker, wait, exchange, exception, held contexts") {
  Program p;
  p.load_immediate(1, kWorker);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  Program w;
  w.base = kWorker;
  w.add(Opcode::Jal, {.rd = 0, .imm = 0});
  TileRun tile;
  tile.load(p);
  tile.load(w);
  tile.start(kCode);
  tile.step_to(200);
  CHECK_FALSE(tile.top.idle_o);
  CHECK(tile.sync().valid);
  reset_tile(tile.top, tessera::spec::kResetCycles);
  CHECK(tile.top.idle_o);
  CHECK_FALSE(tile.sync().valid);
  CHECK(tile.control(DebugControl::kActive) == 0);
  for (unsigned context = 0; context < 7; ++context)
    CHECK(tile.read(DebugSpace::kControl, context, DebugControl::kPc) == 0);
  CHECK(tile.cause() == 0);
}
