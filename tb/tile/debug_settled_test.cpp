// What the debug port refuses of a tile at work, and what a start squashes (docs/reference/tile.md, Halt, start,
// debug).
#include <catch2/catch.hpp>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using tessera::spec::SyncZone;

namespace {

using enum tessera::spec::DebugSpace;
using enum tessera::spec::DebugControl;

Program counting() {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Jal, {.rd = 0, .imm = -4});
  return p;
}

}  // namespace

TEST_CASE("Accesses that would meet what a tile does are refused; control and status are not") {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Jal, {.rd = 0, .imm = -4});
  TileRun tile;
  tile.load(p);
  tile.load(0x90000, {11});
  CHECK_FALSE(tile.top.debug_refused_o);
  tile.start(kCode);
  for (int i = 0; i < 20; ++i) tile.step();
  tile.write(kMemory, 0, 0x90000, 12);
  CHECK(tile.top.debug_refused_o);
  CHECK((tile.read(kControl, 0, kStatus) & 0x100) == 0);  // runs
  CHECK_FALSE(tile.top.debug_refused_o);
  for (const auto space : {kMemory, kInteger, kCsr}) {
    CHECK(tile.read(space, 0, space == kMemory ? 0x90000 : 5) == 0);
    CHECK(tile.top.debug_refused_o);
    CHECK((tile.read(kControl, 0, kStatus) & 0x2000) != 0);  // the access before
    CHECK((tile.read(kControl, 0, kStatus) & 0x2000) == 0);
  }
  tile.write(kControl, 0, kPc, kCode + 400);
  CHECK(tile.top.debug_refused_o);
  tile.write(kControl, 0, kAutomaticSyncs, 2);
  CHECK(tile.top.debug_refused_o);
  CHECK(tile.read(kControl, 0, kAutomaticSyncs) == 0);
  tile.write(kControl, 0, kHalt, 0);
  CHECK_FALSE(tile.top.debug_refused_o);
  for (int i = 0; i < 12; ++i) tile.step();
  CHECK(tile.read(kInteger, 0, 5) > 1);
  CHECK(tile.read(kMemory, 0, 0x90000) == 11);
  tile.write(kMemory, 0, 0x90000, 13);
  CHECK_FALSE(tile.top.debug_refused_o);
  CHECK(tile.read(kMemory, 0, 0x90000) == 13);
}

TEST_CASE("A read is answered if the tile has settled in the cycle of the access and in that of the look") {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 3});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  for (int n = 0; n < 40; ++n) p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  // The acknowledgement comes so many cycles after the access; the wait is over in the cycle behind it.
  for (int ack = -2; ack <= 3; ++ack) {
    INFO("acknowledged " << ack << " cycles after the access");
    TileRun tile;
    tile.load(p);
    tile.start(kCode);
    tile.step_to(60);
    for (int n = -2; n < 6; ++n) {
      tile.answer({.zone = SyncZone::kInternal, .ack = n == ack});
      tile.top.debug_valid_i = n == 0;
      tile.top.debug_write_i = 0;
      tile.top.debug_space_i = kInteger;
      tile.top.debug_context_i = 0;
      tile.top.debug_address_i = 5;
      tile.step();
      if (n == 3) CHECK(tile.top.debug_data_o == (ack >= 1 ? 3 : 0));
      if (n == 1) CHECK(tile.top.debug_refused_o == (ack < 1));
    }
  }
}

TEST_CASE("A halted tile settles when the last instruction has left the pipeline: writes first, reads with them") {
  for (int phase = 0; phase < 6; ++phase) {
    int first_write = -1, first_read = -1;
    for (int after = 0; after < 16; ++after) {
      for (const bool writes : {true, false}) {
        TileRun tile;
        tile.load(counting());
        tile.start(kCode);
        tile.step_to(60 + phase);
        tile.write(kControl, 0, kHalt, 0);
        for (int n = 0; n < after; ++n) tile.step();
        if (writes) {
          tile.write(kInteger, 0, 5, 1000);
          if (tile.top.debug_refused_o) continue;
          if (first_write < 0) first_write = after;
          for (int n = 0; n < 10; ++n) tile.step();
          CHECK(tile.x(0, 5) == 1000);  // no instruction under way has written it since
        } else {
          const uint32_t value = tile.x(0, 5);
          if (tile.top.debug_refused_o) {
            CHECK(value == 0);
            continue;
          }
          if (first_read < 0) first_read = after;
          CHECK(tile.x(0, 5) == value);
        }
      }
    }
    CHECK(first_write >= 0);
    CHECK(first_read == first_write);
  }
}

TEST_CASE("Workers that run keep a tile with a held supervisor from settling; HALT reads who is held") {
  constexpr uint32_t kLoop = kCode + 0x1000;
  Program p;
  p.load_immediate(10, kLoop);
  p.add(Opcode::Runall, {.rs1 = 10, .rs2 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.load(kLoop, counting().words);
  CHECK(tile.read(kControl, 0, kHalt) == 1);
  tile.start(kCode);
  CHECK(tile.read(kControl, 0, kHalt) == 0);
  tile.step_to(100);
  const auto wait = [&] {
    for (int n = 0; n < 20; ++n) tile.step();
  };
  tile.write(kControl, 0, kHalt, 0);
  tile.write(kControl, 2, kHalt, 0);
  wait();
  CHECK(tile.read(kControl, 0, kHalt) == 0b101);
  CHECK(tile.read(kInteger, 2, 5) == 0);
  CHECK(tile.top.debug_refused_o);
  tile.write(kControl, 7, kHalt, 0);
  wait();
  CHECK(tile.read(kControl, 0, kHalt) == 0x7f);
  const uint32_t counted = tile.read(kInteger, 6, 5);
  CHECK(counted > 3);
  tile.write(kControl, 6, kStep, 0);
  wait();
  CHECK(tile.read(kControl, 0, kHalt) == 0x7f);
  tile.write(kControl, 6, kStep, 0);
  wait();
  CHECK(tile.read(kInteger, 6, 5) == counted + 1);  // two instructions, of which one counts
  tile.write(kControl, 7, kResume, 0);
  CHECK(tile.read(kControl, 0, kHalt) == 0);
}

TEST_CASE("A start behind the M of a launch takes nothing back that the launch has given its workers") {
  using tessera::spec::Csr;
  constexpr uint32_t kModes = 1u << 16 | 3, kFormats = 0x201;
  int given = 0;
  for (int at = 2; at < 20; ++at) {
    INFO("start in cycle " << at);
    Program p;
    p.add(Opcode::Runall, {.rs1 = 10, .rs2 = 0, .imm = 0});
    p.add(Opcode::Ebreak);
    TileRun tile;
    tile.load(p);
    tile.load(kCode + 0x1000, counting().words);
    tile.write(kInteger, 0, 10, kCode + 0x1000);
    tile.write(kCsr, 0, static_cast<uint32_t>(Csr::Xfpictl), kModes);
    tile.write(kCsr, 0, static_cast<uint32_t>(Csr::Xf8i), kFormats);
    tile.start(kCode);
    tile.step_to(static_cast<uint64_t>(at));
    tile.write(kControl, 0, kStart, kCode + 4);
    for (int n = 0; n < 20; ++n) tile.step();
    const bool modes = tile.read(kCsr, 3, static_cast<uint32_t>(Csr::Frm)) == 1;
    const bool formats = tile.read(kCsr, 3, static_cast<uint32_t>(Csr::Xf8)) == kFormats;
    CHECK(modes == formats);
    given += modes;
    CHECK((tile.read(kControl, 0, kActive) == 0));
  }
  CHECK(given > 5);
  CHECK(given < 18);
}

TEST_CASE("A single worker keeps its tile from settling in every cycle, also while nothing of it is in the pipeline") {
  constexpr uint32_t kLoop = kCode + 0x1000;
  Program p;
  p.load_immediate(10, kLoop);
  p.add(Opcode::Run, {.rs1 = 10, .rs2 = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.load(kLoop, counting().words);
  tile.start(kCode);
  tile.step_to(100);
  tile.write(kControl, 0, kHalt, 0);
  for (int n = 0; n < 20; ++n) tile.step();
  for (int n = 0; n < 12; ++n) {
    tile.write(kInteger, 0, 9, 5);
    CHECK(tile.top.debug_refused_o);
  }
}

TEST_CASE("Memory is refused while the exchange uses it, registers are not") {
  constexpr uint32_t kEvents = 0x90000, kSend = 0x98000;
  Program p;
  p.load_immediate(1, kEvents);
  p.add(Opcode::Xarm, {.rs1 = 1});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 1});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 4});
  TileRun tile;
  tile.load(p);
  const uint64_t send =
      tessera::spec::ExchangeEvent{
          .last = true, .is_receive = false, .delay = 4, .word_address = kSend / 4, .count = 60, .source = 0}
          .encode();
  tile.load(kEvents, {static_cast<uint32_t>(send), static_cast<uint32_t>(send >> 32)});
  tile.load(kSend, {17});
  tile.start(kCode);
  tile.step_to(80);
  tile.answer({.zone = SyncZone::kInternal, .ack = 1});
  tile.step();
  tile.answer({});
  while (!tile.top.exchanging_o) tile.step();
  for (int n = 0; n < 20; ++n) tile.step();
  CHECK(tile.read(kInteger, 0, 1) == kEvents);
  CHECK_FALSE(tile.top.debug_refused_o);
  CHECK(tile.read(kMemory, 0, kSend) == 0);
  CHECK(tile.top.debug_refused_o);
  tile.write(kMemory, 0, kSend, 18);
  CHECK(tile.top.debug_refused_o);
  for (int n = 0; n < 100; ++n) tile.step();
  CHECK(tile.read(kMemory, 0, kSend) == 17);
  CHECK_FALSE(tile.top.debug_refused_o);
}

TEST_CASE("A start in any cycle goes on where it says, and what was not in M has not been") {
  constexpr uint32_t kOther = kCode + 0x100;
  Program p, other;
  p.load_immediate(6, kData);
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Sw, {.rs1 = 6, .rs2 = 5, .imm = 0});
  p.add(Opcode::Jal, {.rd = 0, .imm = -8});
  other.base = kOther;
  other.add(Opcode::Addi, {.rd = 7, .rs1 = 5, .imm = 0});
  other.add(Opcode::Ebreak);
  uint64_t begins = 0;  // the first issue, counted from the start
  for (int after = 30; after < 72; ++after) {
    INFO("started anew in cycle " << after);
    TileRun tile;
    tile.load(p);
    tile.load(other);
    tile.start(kCode);
    tile.step_to(after);
    tile.write(kControl, 0, kStart, kOther);
    for (int i = 0; i < 40; ++i) tile.step();
    uint32_t counted = 0, stored = 0;
    uint64_t first = 0, last = 0;
    for (const Record& r : tile.records) {
      if (r.writes && r.reg == 5) counted = static_cast<uint32_t>(r.data);
      if (r.stores) stored = static_cast<uint32_t>(r.stored);
      if (r.pc == kOther) first = r.cycle;
      if (r.pc < kOther) last = r.cycle;
    }
    CHECK(tile.exception_pc() == kOther + 4);
    CHECK(tile.x(0, 5) == counted);
    CHECK(tile.x(0, 7) == counted);
    CHECK(tile.word(kData) == stored);
    CHECK(last + 4 <= static_cast<uint64_t>(after));  // was in M
    if (begins == 0) begins = first - after;
    CHECK(first - after == begins);
  }
}

TEST_CASE("While loads and stores follow each other, accesses of memory are refused in every cycle") {
  constexpr uint32_t kLooked = kData + 64;
  for (const bool writes : {true, false}) {
    Program p;
    p.add(Opcode::Lui, {.rd = 1, .imm = int(kData)});
    for (unsigned n = 0; n < 12; ++n) p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 1, .imm = 0});
    for (unsigned n = 0; n < 12; ++n) p.add(Opcode::Lw, {.rd = 5 + n, .rs1 = 1, .imm = 8});
    p.add(Opcode::Ebreak);
    TileRun tile;
    tile.load(p);
    tile.write(DebugSpace::kMemory, 0, kLooked, 77);
    tile.start(kCode);
    unsigned refused = 0;
    while (tile.cycle() < 34) {  // the last load is in M
      tile.top.debug_valid_i = 1;
      tile.top.debug_write_i = writes;
      tile.top.debug_space_i = DebugSpace::kMemory;
      tile.top.debug_context_i = 0;
      tile.top.debug_address_i = kLooked;
      tile.top.debug_wdata_i = 5;
      tile.step();
      refused += tile.top.debug_refused_o;
      CHECK(tile.top.debug_data_o != 77);
    }
    tile.top.debug_valid_i = 0;
    tile.step_to(80);
    CHECK(refused >= 32);
    CHECK(tile.cause() == 1);
    CHECK(tile.word(kLooked) == 77);
    CHECK(tile.word(kData) == kData);
  }
}
