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

TEST_CASE("A debug access in reset is none, and behind it nobody stands before or behind anything") {
  auto tile = used();
  tile->top.debug_valid_i = 1;
  tile->top.debug_write_i = 0;
  tile->top.debug_space_i = DebugSpace::kControl;
  tile->top.debug_address_i = DebugControl::kStatus;
  reset_tile(tile->top, tessera::spec::kResetCycles);
  tile->top.debug_valid_i = 0;
  for (int i = 0; i < 6; ++i) {
    CHECK(tile->top.debug_data_o == 0);
    CHECK_FALSE(tile->top.debug_refused_o);
    tile->step();
  }
  for (unsigned context = 0; context < 7; ++context) {
    CHECK(tile->read(DebugSpace::kControl, context, DebugControl::kTriggered) == 0);
    CHECK(tile->read(DebugSpace::kControl, context, DebugControl::kBreakpoint0) == 0);
    CHECK(tile->read(DebugSpace::kControl, context, DebugControl::kBreakpoint1) == 0);
    CHECK(tile->read(DebugSpace::kControl, context, DebugControl::kWatchpoint) == 0);
  }
}

TEST_CASE("Reset makes every CSR what it was in the beginning: zero, but for the random numbers and what is wired") {
  using tessera::spec::Csr;
  using tessera::spec::Who;
  TileRun fresh, tile;
  const auto each = [](const auto& visit) {
    for (uint32_t number = 0; number < 0x1000; ++number)
      if (const auto* csr = tessera::spec::csr_info(static_cast<uint16_t>(number)))
        for (unsigned context = 0; context < 7; ++context)
          if (csr->who == Who::Both || (csr->who == Who::Supervisor) == (context == 0)) visit(*csr, context);
  };
  each([&](const auto& csr, unsigned context) {
    if (!csr.read_only) tile.write(DebugSpace::kCsr, context, csr.number, ~uint32_t{0});
  });
  CHECK(tile.read(DebugSpace::kCsr, 0, static_cast<uint32_t>(Csr::Xfpictl)) == 0x7003f);
  reset_tile(tile.top, tessera::spec::kResetCycles);
  unsigned seen = 0;
  each([&](const auto& csr, unsigned context) {
    const auto id = static_cast<Csr>(csr.number);
    if (id == Csr::Cycle || id == Csr::Cycleh) return;
    INFO(csr.name << " of context " << context);
    const uint32_t value = tile.read(DebugSpace::kCsr, context, csr.number);
    CHECK(value == fresh.read(DebugSpace::kCsr, context, csr.number));
    const bool random = id >= Csr::Xprng0 && id <= Csr::Xprng3;
    if (!random && id != Csr::Xtile && id != Csr::Xwid) CHECK(value == 0);
    ++seen;
  });
  CHECK(seen > 100);
}
