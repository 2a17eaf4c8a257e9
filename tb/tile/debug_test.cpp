// The debug port: latency, every space, hold, step and resume (docs/reference/edge.md, Debug spaces).
#include <catch2/catch.hpp>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using tessera::spec::SyncZone;

namespace {
using enum tessera::spec::DebugSpace;
using enum tessera::spec::DebugControl;
}  // namespace

TEST_CASE("After reset everything is zero, the supervisor is halted and the tile idle") {
  TileRun tile;
  tile.step();
  CHECK(tile.top.idle_o);
  CHECK(tile.top.exchange_select_o == 0x7ff);
  CHECK(tile.read(kControl, 0, kStatus) == tessera::spec::TileStatus{.halted = true, .idle = true}.encode());
  CHECK(tile.x(0, 1) == 0);
  CHECK(tile.word(0x4C000) == 0);
  CHECK(tile.word(0xE7FFC) == 0);
  CHECK(tile.read(kCsr, 0, 0xFC0) == 5);
  CHECK(tile.read(kCsr, 3, 0xFC1) == 2);
}

TEST_CASE("A read shows its data four cycles after the access, one read a cycle") {
  TileRun tile;
  tile.load(0x4C000, {1, 2, 3, 4});
  const uint64_t start = tile.cycle();
  tile.top.debug_space_i = kMemory;
  tile.top.debug_write_i = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (i >= 4) CHECK(tile.top.debug_data_o == i - 3);
    tile.top.debug_valid_i = i < 4;
    tile.top.debug_address_i = 0x4C000 + 4 * i;
    tile.step();
  }
  CHECK(tile.cycle() == start + 8);
}

TEST_CASE("Registers of every context are written and read; x0 stays zero") {
  TileRun tile;
  for (unsigned c = 0; c < 7; ++c)
    for (unsigned r = 0; r < 32; ++r) tile.write(kInteger, c, r, 100 * c + r);
  for (unsigned c = 1; c < 7; ++c)
    for (unsigned r = 0; r < 64; ++r) tile.write(kFloat, c, r, 1000 * c + r);
  for (unsigned c = 0; c < 7; ++c)
    for (unsigned r = 0; r < 32; r += 5) CHECK(tile.read(kInteger, c, r) == (r == 0 ? 0 : 100 * c + r));
  for (unsigned c = 1; c < 7; ++c)
    for (unsigned r = 0; r < 64; r += 7) CHECK(tile.read(kFloat, c, r) == 1000 * c + r);
  tile.write(kCsr, 0, 0x804, 12);
  CHECK(tile.read(kCsr, 0, 0x804) == 12);
}

TEST_CASE("Hold, step and resume of the supervisor") {
  Program p;
  for (int i = 0; i < 40; ++i) p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.start(kCode);
  tile.step_to(20);
  tile.write(kControl, 0, kHalt, 0);
  for (int i = 0; i < 20; ++i) tile.step();
  CHECK(tile.top.idle_o);
  const uint32_t before = tile.x(0, 5);
  CHECK(before == 4);  // issued in 2, 8, 14, 20
  CHECK(tile.read(kControl, 0, kPc) == kCode + 16);
  tile.write(kControl, 0, kStep, 0);
  for (int i = 0; i < 20; ++i) tile.step();
  CHECK(tile.x(0, 5) == before + 1);
  tile.write(kControl, 0, kResume, 0);
  for (int i = 0; i < 300; ++i) tile.step();
  CHECK(tile.top.exception_o);
  CHECK(tile.x(0, 5) == 40);
}

TEST_CASE("A step takes a tile on that has excepted, by one instruction") {
  Program p;
  p.add(Opcode::Ebreak);
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  TileRun tile;
  tile.load(p);
  tile.start(kCode);
  tile.step_to(20);
  CHECK(tile.top.exception_o);
  tile.write(kControl, 0, kHalt, 0);
  tile.write(kControl, 0, kPc, kCode + 4);
  tile.write(kControl, 0, kStep, 0);
  for (int i = 0; i < 20; ++i) tile.step();
  CHECK_FALSE(tile.top.exception_o);
  CHECK(tile.cause() == 0);
  CHECK(tile.x(0, 5) == 1);
}

TEST_CASE("An acknowledgement in the cycle of an exception is not taken: the tile that goes on asks again") {
  Program p, w;
  p.load_immediate(1, kWorker);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  p.add(Opcode::Sync, {.imm = tessera::spec::SyncZone::kInternal});
  p.add(Opcode::Ebreak);
  w.base = kWorker;
  for (unsigned n = 0; n < 10; ++n) w.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 1});
  w.add(Opcode::Lw, {.rd = 6, .rs1 = 0, .imm = 0});  // outside memory
  // The first cycle with the exception on the port, when the acknowledgement comes in `ack`; then whether a tile that
  // goes on asks.
  const auto run = [&](uint64_t ack, bool& asks) {
    TileRun tile;
    tile.load(p);
    tile.load(w);
    tile.start(kCode);
    while (!tile.top.exception_o && tile.cycle() < 200) {
      tile.answer({.zone = tessera::spec::SyncZone::kInternal, .ack = tile.cycle() == ack});
      tile.step();
    }
    const uint64_t raised = tile.cycle();
    tile.answer({});
    CHECK_FALSE(tile.sync().valid);
    tile.write(kControl, tessera::spec::kAllContexts, kResume, 0);
    tile.step();
    asks = tile.sync().valid;
    return raised;
  };
  bool asks = false;
  const uint64_t raised = run(0, asks);
  CHECK(asks);
  CHECK(run(raised - 1, asks) == raised);
  CHECK(asks);
  CHECK(run(raised - 2, asks) == raised);
  CHECK_FALSE(asks);
}

TEST_CASE("A held worker goes on where the debugger has written its pc") {
  Program p, w;
  p.load_immediate(1, kWorker);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  p.add(Opcode::Sync, {.imm = 0});
  p.add(Opcode::Ebreak);
  w.base = kWorker;
  w.add(Opcode::Jal, {.rd = 0, .imm = 0});
  w.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 1});
  w.add(Opcode::Addi, {.rd = 6, .rs1 = 0, .imm = 2});
  w.add(Opcode::Exit, {.rs1 = 0});
  TileRun tile;
  tile.load(p);
  tile.load(w);
  tile.start(kCode);
  tile.step_to(60);
  tile.write(kControl, tessera::spec::kAllContexts, kHalt, 0);
  for (int i = 0; i < 20; ++i) tile.step();
  CHECK(tile.read(kControl, 1, kPc) == kWorker);
  tile.write(kControl, 1, kPc, kWorker + 8);
  CHECK_FALSE(tile.top.debug_refused_o);
  CHECK(tile.read(kControl, 1, kPc) == kWorker + 8);
  tile.write(kControl, tessera::spec::kAllContexts, kResume, 0);
  for (int i = 0; i < 100; ++i) tile.step();
  CHECK(tile.cause() == 1);
  CHECK(tile.x(1, 5) == 0);
  CHECK(tile.x(1, 6) == 2);
}

TEST_CASE("Context 7 halts, steps and resumes all contexts in one cycle") {
  Program p, w;
  w.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  w.add(Opcode::Jal, {.rd = 0, .imm = -4});
  p.load_immediate(10, kCode + 0x1000);
  p.add(Opcode::Runall, {.rs1 = 10, .rs2 = 0, .imm = 0});
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Jal, {.rd = 0, .imm = -4});
  TileRun tile;
  tile.load(p);
  tile.load(kCode + 0x1000, w.words);
  tile.start(kCode);
  tile.step_to(200);
  tile.write(kControl, 7, kHalt, 0);
  for (int i = 0; i < 30; ++i) tile.step();
  std::array<uint32_t, 7> x{}, pc{};
  const auto look = [&] {
    for (unsigned c = 0; c < 7; ++c) x[c] = tile.x(c, 5), pc[c] = tile.read(kControl, c, kPc);
    return std::pair(x, pc);
  };
  const auto halted = look();
  for (unsigned c = 1; c < 7; ++c) CHECK(halted.first[c] > 3);
  for (int i = 0; i < 30; ++i) tile.step();
  CHECK(look() == halted);
  tile.write(kControl, 7, kStep, 0);
  for (int i = 0; i < 30; ++i) tile.step();
  const auto stepped = look();
  for (unsigned c = 1; c < 7; ++c) {
    const bool adds = halted.second[c] == kCode + 0x1000;
    CHECK(stepped.first[c] == halted.first[c] + adds);
    CHECK(stepped.second[c] == kCode + 0x1000 + (adds ? 4 : 0));
  }
  tile.write(kControl, 7, kResume, 0);
  for (int i = 0; i < 60; ++i) tile.step();
  tile.write(kControl, 7, kHalt, 0);
  for (int i = 0; i < 30; ++i) tile.step();
  for (unsigned c = 1; c < 7; ++c) CHECK(look().first[c] > stepped.first[c] + 3);
}

TEST_CASE("The next event of an armed sequencer is read while the supervisor waits") {
  Program p;
  p.load_immediate(10, 0x90000);
  p.add(Opcode::Xarm, {.rs1 = 10});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.load(0x90000, {1, 0});  // one empty event, the last
  CHECK(tile.read(kControl, 0, kArmedEvent) == 0);
  tile.start(kCode);
  for (int i = 0; i < 60; ++i) tile.step();
  CHECK(tile.read(kControl, 0, kArmedEvent) == 0x90008);
  tile.answer({.zone = SyncZone::kInternal, .ack = 1});
  tile.step();
  tile.answer({});
  for (int i = 0; i < 40; ++i) tile.step();
  CHECK(tile.top.exception_o);
  CHECK(tile.read(kControl, 0, kArmedEvent) == 0);
}

TEST_CASE("Automatic syncs are counted in a register that can be written, and that start clears") {
  Program p;
  p.add(Opcode::Sans, {.imm = 4});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  CHECK(tile.read(kControl, 0, kAutomaticSyncs) == 0);
  tile.start(kCode);
  for (int i = 0; i < 20; ++i) tile.step();
  CHECK(tile.top.exception_o);
  CHECK(tile.read(kControl, 0, kAutomaticSyncs) == 5);
  tile.start(kCode + 4);
  CHECK(tile.read(kControl, 0, kAutomaticSyncs) == 0);
  tile.write(kControl, 0, kHalt, 0);
  for (int i = 0; i < 8; ++i) tile.step();
  tile.write(kControl, 0, kAutomaticSyncs, 2);
  CHECK(tile.read(kControl, 0, kAutomaticSyncs) == 2);
}

TEST_CASE("A worker is held between instructions, not between the passes of one") {
  Program p, w;
  p.load_immediate(1, kWorker);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  w.base = kWorker;
  w.load_immediate(5, 84);
  w.load_immediate(6, 2);
  w.add(Opcode::Div, {.rd = 7, .rs1 = 5, .rs2 = 6});  // passes in 30, 36, ... 66
  w.add(Opcode::Exit, {.rs1 = 7});
  TileRun tile;
  tile.load(p);
  tile.load(w);
  tile.start(kCode);
  tile.step_to(45);
  tile.write(kControl, 1, kHalt, 0);
  tile.step_to(120);
  CHECK(tile.issues(1) == std::vector<uint64_t>{18, 24, 66});
  CHECK(tile.records.back().data == 42);
  tile.write(kControl, 1, kResume, 0);
  tile.step_to(160);
  CHECK(tile.issues(1).back() == 126);
  CHECK(tile.top.exception_o);
}
