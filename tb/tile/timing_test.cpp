// Issue cycles of the verilated tile, worked out by hand from docs/reference/tile.md.
#include <catch2/catch.hpp>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using tessera::spec::SyncZone;
using Cycles = std::vector<uint64_t>;

namespace {

constexpr int kCycleCsr = 0xC00 - 0x1000;

Program worker_program() {
  Program p;
  p.base = kWorker;
  return p;
}

std::unique_ptr<TileRun> run(const Program& supervisor, const Program& worker, uint64_t to) {
  auto tile = std::make_unique<TileRun>();
  tile->load(supervisor);
  tile->load(worker);
  tile->start(supervisor.base);
  tile->step_to(to);
  return tile;
}

std::unique_ptr<TileRun> run(const Program& supervisor, uint64_t to) { return run(supervisor, worker_program(), to); }

}  // namespace

TEST_CASE("Independent supervisor instructions issue one a cycle, dependent ones six apart") {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 40});
  p.add(Opcode::Addi, {.rd = 6, .rs1 = 0, .imm = 2});
  p.add(Opcode::Addi, {.rd = 7, .rs1 = 0, .imm = 9});
  p.add(Opcode::Sub, {.rd = 8, .rs1 = 5, .rs2 = 6});   // x6 of cycle 3
  p.add(Opcode::Addi, {.rd = 8, .rs1 = 0, .imm = 1});  // writes x8 again
  p.add(Opcode::Addi, {.rd = 0, .rs1 = 0, .imm = 1});
  p.add(Opcode::Add, {.rd = 9, .rs1 = 0, .rs2 = 0});  // x0 never waits
  p.add(Opcode::Ebreak);
  const auto tile = run(p, 40);
  CHECK(tile->issues(0) == Cycles{2, 3, 4, 9, 15, 16, 17, 23});
  CHECK(tile->records[3].data == 38);
  CHECK_FALSE(tile->records[5].writes);
}

TEST_CASE("Every supervisor branch, jump and fence.i costs six cycles, taken or not") {
  Program p;
  p.add(Opcode::Bne, {.rs1 = 0, .rs2 = 0, .imm = 8});  // not taken
  p.add(Opcode::Beq, {.rs1 = 0, .rs2 = 0, .imm = 8});  // taken
  p.add(Opcode::Ebreak);
  p.add(Opcode::FenceI);
  p.add(Opcode::Fence);
  p.add(Opcode::Jal, {.rd = 1, .imm = 8});
  p.add(Opcode::Ebreak);
  p.add(Opcode::Jalr, {.rd = 2, .rs1 = 1, .imm = 8});  // waits for x1 no longer than for the jump
  p.add(Opcode::Ebreak);
  const auto tile = run(p, 60);
  CHECK(tile->issues(0) == Cycles{2, 8, 14, 20, 21, 27, 33});
  CHECK(tile->records.back().pc == kCode + 32);
  CHECK(tile->records.back().cause == 1);
}

TEST_CASE("Serialising instructions stand six cycles off on both sides") {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 7});
  p.add(Opcode::Csrrs, {.rd = 6, .rs1 = 0, .imm = kCycleCsr});
  p.add(Opcode::Addi, {.rd = 7, .rs1 = 0, .imm = 7});
  p.add(Opcode::Csrrs, {.rd = 8, .rs1 = 0, .imm = kCycleCsr});
  p.add(Opcode::Ebreak);
  const auto tile = run(p, 40);
  CHECK(tile->issues(0) == Cycles{2, 8, 14, 20, 26});
  CHECK(tile->records[1].data == 8);
  CHECK(tile->records[3].data == 20);
}

TEST_CASE("A divide of the supervisor holds seven slots and retires in the last") {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = -100});
  p.add(Opcode::Addi, {.rd = 6, .rs1 = 0, .imm = 7});
  p.add(Opcode::Div, {.rd = 7, .rs1 = 5, .rs2 = 6});
  p.add(Opcode::Remu, {.rd = 8, .rs1 = 5, .rs2 = 6});
  p.add(Opcode::Ebreak);
  const auto tile = run(p, 130);
  CHECK(tile->issues(0) == Cycles{2, 3, 9 + 36, 51 + 36, 93});
  CHECK(tile->records[2].data == uint32_t(-14));
  CHECK(tile->records[3].data == uint32_t(-100) % 7);
}

TEST_CASE("A launched worker starts in the first cycle of its slot from the sixth cycle on and branches for free") {
  Program p, w = worker_program();
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kWorker)});
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});  // 8: active from 14; slot 0: 18
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 1});  // 14: active from 20; worker 1, slot 1: 25
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xFC2 - 0x1000});
  w.add(Opcode::Beq, {.rs1 = 0, .rs2 = 0, .imm = 8});
  w.add(Opcode::Ebreak);
  w.add(Opcode::Exit, {.rs1 = 0});
  const auto tile = run(p, w, 70);
  CHECK(tile->issues(1) == Cycles{18, 24, 30});
  CHECK(tile->issues(2) == Cycles{25, 31, 37});
  // run in 20 (slot 2); local sync ends when worker 1 is inactive, from 43.
  CHECK(tile->issues(0) == Cycles{2, 8, 14, 20, 43});
  for (const auto& r : tile->records)
    if (r.context == 2 && r.cycle == 25) CHECK(r.data == kWorker);
}

TEST_CASE("runall starts six workers with their vertex bases; the supervisor has no slot until one ends") {
  Program p, w = worker_program();
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kWorker)});
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 0, .imm = 100});
  p.add(Opcode::Runall, {.rs1 = 1, .rs2 = 2, .imm = 8});  // 9: active from 15
  p.add(Opcode::Addi, {.rd = 3, .rs1 = 0, .imm = 1});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xFC2 - 0x1000});
  w.add(Opcode::Exit, {.rs1 = 5});
  const auto tile = run(p, w, 70);
  // Worker 3 (slot 3) issues in 15 and 21: its slot is free in 27. The last exit is that of worker 2, in 26.
  CHECK(tile->issues(4) == Cycles{15, 21});
  CHECK(tile->issues(3) == Cycles{20, 26});
  CHECK(tile->issues(0) == Cycles{2, 3, 9, 27, 33, 39});
  for (const auto& r : tile->records)
    if (r.context != 0 && r.writes) CHECK(r.data == 100 + 8 * (r.context - 1));
}

TEST_CASE("Divide and square root of workers hold 7, 6 and 4 of their slots, all six workers at once") {
  Program p, w = worker_program();
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kWorker)});
  p.add(Opcode::Runall, {.rs1 = 1, .rs2 = 0, .imm = 0});  // 8: active from 14
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xFC1 - 0x1000});
  w.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 9});
  w.add(Opcode::FcvtSWu, {.rd = 1, .rs1 = 5, .rm = 0});
  w.add(Opcode::FdivS, {.rd = 2, .rs1 = 1, .rs2 = 1, .rm = 0});
  w.add(Opcode::FsqrtS, {.rd = 3, .rs1 = 2, .rm = 0});
  w.add(Opcode::FcvtHS, {.rd = 4, .rs1 = 1, .rm = 0});
  w.add(Opcode::FdivH, {.rd = 4, .rs1 = 4, .rs2 = 4, .rm = 0});
  w.add(Opcode::Divu, {.rd = 6, .rs1 = 5, .rs2 = 5});
  w.add(Opcode::Exit, {.rs1 = 0});
  const auto tile = run(p, w, 260);
  // Worker 2 (slot 2) from 14 on: 14, 20, 26, fdiv.s 32..62, fsqrt.s 68..98, 104, fdiv.h 110..128, divu 134..170, 176.
  CHECK(tile->issues(3) == Cycles{14, 20, 26, 62, 98, 104, 128, 170, 176});
  unsigned ones = 0, halves = 0, quotients = 0;
  for (const auto& r : tile->records) {
    if (r.context == 0) continue;
    ones += r.reg == 2 + (r.pc - kWorker - 12) / 4 && r.data == 0xffffffff3f800000;
    halves += r.pc == kWorker + 24 && r.data == 0xffffffffffff3c00;
    quotients += r.pc == kWorker + 28 && r.data == 1;
  }
  CHECK(ones == 12);
  CHECK(halves == 6);
  CHECK(quotients == 6);
}

TEST_CASE("Loads see the stores issued before them; lanes and extension") {
  Program p;
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kData)});
  p.load_immediate(2, 0x8899aabb);
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 2, .imm = 4});
  p.add(Opcode::Sb, {.rs1 = 1, .rs2 = 2, .imm = 7});
  p.add(Opcode::Lw, {.rd = 3, .rs1 = 1, .imm = 4});
  p.add(Opcode::Lb, {.rd = 4, .rs1 = 1, .imm = 5});
  p.add(Opcode::Lhu, {.rd = 5, .rs1 = 1, .imm = 4});
  p.add(Opcode::Lh, {.rd = 6, .rs1 = 1, .imm = 6});
  p.add(Opcode::Ebreak);
  const auto tile = run(p, 60);
  // lui 2, lui 3, addi 9, sw 15, then one a cycle.
  CHECK(tile->issues(0) == Cycles{2, 3, 9, 15, 16, 17, 18, 19, 20, 26});
  CHECK(tile->records[3].strobe == 0xf0);
  CHECK(tile->records[3].stored == 0x8899aabb00000000);
  CHECK(tile->records[4].strobe == 0x80);
  CHECK(tile->records[5].data == 0xbb99aabb);
  CHECK(tile->records[6].data == 0xffffffaa);
  CHECK(tile->records[7].data == 0xaabb);
  CHECK(tile->records[8].data == 0xffffbb99);
}

TEST_CASE("Waiting for zone 2 requests from the sixth cycle and goes on in the cycle after the acknowledgement") {
  Program p;
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2 + 16});  // 2: contributes 0
  p.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0xFC3 - 0x1000});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.start(kCode);
  tile.step_to(7);
  CHECK_FALSE(tile.sync().valid);
  tile.step_to(8);
  CHECK(tile.sync().valid);
  CHECK(tile.sync().zone == 2);
  CHECK_FALSE(tile.sync().value);
  CHECK(tile.top.idle_o);
  tile.step_to(50);
  CHECK(tile.sync().valid);
  tile.answer({.consensus = 1, .zone = SyncZone::kInternal, .ack = 1});
  tile.step();
  tile.answer({});
  CHECK_FALSE(tile.sync().valid);
  tile.step_to(80);
  CHECK(tile.issues(0) == Cycles{2, 51, 57});
  CHECK(tile.records[1].data == 1);
}

TEST_CASE("sans takes part in syncs while the supervisor goes on, and before what it waits for") {
  Program p;
  p.add(Opcode::Sans, {.rs1 = 0, .imm = 1});
  for (unsigned r = 1; r <= 8; ++r) p.add(Opcode::Addi, {.rd = r, .rs1 = 0, .imm = 1});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.answer({.zone = SyncZone::kInternal});  // which says nothing without an acknowledgement
  tile.load(p);
  tile.start(kCode);
  const auto acknowledge = [&](uint64_t cycle) {
    tile.step_to(cycle);
    tile.answer({.zone = SyncZone::kInternal, .ack = 1});
    tile.step();
    tile.answer({});
  };
  tile.step_to(7);
  CHECK_FALSE(tile.sync().valid);
  tile.step_to(8);
  CHECK(tile.sync().valid);
  CHECK(tile.sync().zone == 6);
  CHECK(tile.sync().value);
  CHECK_FALSE(tile.top.idle_o);
  acknowledge(12);
  CHECK_FALSE(tile.sync().valid);
  tile.step_to(14);
  CHECK(tile.sync().zone == 6);
  acknowledge(18);
  CHECK_FALSE(tile.sync().valid);
  tile.step_to(21);
  CHECK_FALSE(tile.sync().valid);
  tile.step_to(22);
  CHECK(tile.sync().zone == 2);
  CHECK(tile.top.idle_o);
  acknowledge(40);
  tile.step_to(80);
  CHECK(tile.issues(0) == Cycles{2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 41});
}

TEST_CASE("An acknowledgement in the cycle of an exception takes no automatic sync off") {
  Program p;
  p.add(Opcode::Sans, {.rs1 = 0, .imm = 0});  // 2: requested from 8 on
  p.add(Opcode::Ebreak);                      // 8: excepts in 12
  const auto left = [&](uint64_t acknowledged) {
    TileRun tile;
    tile.load(p);
    tile.start(kCode);
    tile.step_to(acknowledged);
    tile.answer({.zone = SyncZone::kInternal, .ack = 1});
    tile.step();
    tile.answer({});
    tile.step_to(20);
    CHECK(tile.cause() == 1);
    return tile.control(DebugControl::kAutomaticSyncs);
  };
  CHECK(left(11) == 0);
  CHECK(left(12) == 1);
}

TEST_CASE("With 128 automatic syncs outstanding a sans does not issue") {
  Program p;
  for (int n = 0; n < 20; ++n) p.add(Opcode::Sans, {.rs1 = 0, .imm = 15});
  TileRun tile;
  tile.load(p);
  tile.start(kCode);
  tile.step_to(19);
  CHECK_FALSE(tile.top.idle_o);
  tile.step_to(20);
  CHECK(tile.top.idle_o);
  CHECK(tile.sync().zone == 6);
  CHECK(tile.issues(0).size() == 13);
  for (uint64_t cycle = 30; cycle < 192; cycle += 2) {
    tile.step_to(cycle);
    tile.answer({.zone = SyncZone::kInternal, .ack = 1});
    tile.step();
    tile.answer({});
    CHECK_FALSE(tile.sync().valid);
  }
  tile.step_to(210);
  CHECK(tile.issues(0).at(13) == 191);
}
