// rpt and rpti on the tile in RTL (docs/reference/arithmetic.md, Repeat).
#include <catch2/catch.hpp>

#include "worker_code.h"

using namespace tessera::test;
using tessera::spec::Opcode;

namespace {
constexpr unsigned kBreak = 1, kOperand = 9, kIllegal = 12;
constexpr unsigned kFirst = 38, kLast = 39, kLeft = 40, kXrepeat = 0xFC5;
}  // namespace

TEST_CASE("A body runs as often as asked, an issue every slot, and nothing is left of the repeat") {
  WorkerCode tile;
  tile.set_x(1, 3);
  Program w = WorkerCode::worker();
  w.add(Opcode::Rpt, {.rs1 = 1, .imm = 2});
  w.add(Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = 1});
  w.add(Opcode::Addi, {.rd = 3, .rs1 = 3, .imm = 10});
  w.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 4});
  w.add(Opcode::Addi, {.rd = 4, .rs1 = 4, .imm = 1});
  w.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 0});
  w.add(Opcode::Ebreak);  // skipped
  w.add(Opcode::Rpt, {.rs1 = 0, .imm = 2});
  w.add(Opcode::Ebreak);
  w.add(Opcode::Ebreak);
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.exception_context() == 0);
  CHECK(tile.x(1, 2) == 3);
  CHECK(tile.x(1, 3) == 30);
  CHECK(tile.x(1, 4) == 4);
  CHECK(tile.csr(kXrepeat) == 0);
  CHECK(tile.vector(kLeft) == 0);
  const auto cycles = tile.issues(1);
  REQUIRE(cycles.size() == 1 + 6 + 1 + 4 + 1 + 1 + 1);
  for (size_t n = 1; n < cycles.size(); ++n) CHECK(cycles[n] == cycles[n - 1] + 6);
}

TEST_CASE("Instructions of several slots repeat as a whole") {
  WorkerCode tile;
  tile.set_x(1, 1000);
  tile.set_x(2, 10);
  Program w = WorkerCode::worker();
  w.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 3});
  w.add(Opcode::Div, {.rd = 1, .rs1 = 1, .rs2 = 2});
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.x(1, 1) == 1);
}

TEST_CASE("Nothing that jumps, ends, waits or reads CSRs stands in a body; the exception leaves the repeat") {
  for (const auto opcode : {Opcode::Beq, Opcode::Jal, Opcode::Csrrwi, Opcode::Fence, Opcode::Exit, Opcode::Rpti,
                            Opcode::Rpt, Opcode::Trap, Opcode::Ecall, Opcode::Ebreak}) {
    WorkerCode tile;
    Program w = WorkerCode::worker();
    w.add(Opcode::Rpti, {.rd = 3, .rs1 = 0, .imm = 2});
    w.add(Opcode::Addi);
    w.add(opcode,
          {.rd = 0, .imm = opcode == Opcode::Csrrwi || opcode == Opcode::Rpt || opcode == Opcode::Rpti ? 1 : 0});
    INFO(tessera::spec::info(opcode).mnemonic);
    CHECK(tile.run(w) == kIllegal);
    CHECK(tile.vector(kLeft) == 2);
    CHECK(tile.csr(kXrepeat) == 2);
    CHECK(tile.vector(kFirst) == kWorker + 4);
    CHECK(tile.vector(kLast) == kWorker + 12);
    CHECK(tile.vector(kLeft, 2) == 0);
  }
}

TEST_CASE("A repeat of no instructions is an operand exception; launch and start end repeats") {
  WorkerCode tile;
  Program w = WorkerCode::worker();
  w.add(Opcode::Rpti, {.rd = 0, .rs1 = 0, .imm = 2});
  CHECK(tile.run(w) == kOperand);
  CHECK(tile.exception_value() == 0);
  tile.set_vector(kFirst, kWorker);
  tile.set_vector(kLast, kWorker + 4);
  tile.set_vector(kLeft, 7);
  CHECK(tile.csr(kXrepeat) == 7);
  Program exits = WorkerCode::worker();
  exits.add(Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = 1});
  exits.add(Opcode::Exit);
  CHECK(tile.run(exits) == kBreak);
  CHECK(tile.exception_context() == 0);
  CHECK(tile.x(1, 2) == 1);
  CHECK(tile.vector(kLeft) == 0);
}

TEST_CASE("The debugger begins a repeat whose pcs it has not said: they are 0, whatever was repeated before") {
  constexpr unsigned kBefore = 20, kLength = 40, kAll = 7;
  WorkerCode tile;
  Program repeats = WorkerCode::worker();
  for (unsigned n = 1; n < kBefore; ++n) repeats.add(Opcode::Addi, {.rd = 3, .rs1 = 3, .imm = 1});
  repeats.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 2});
  repeats.add(Opcode::Addi, {.rd = 3, .rs1 = 3, .imm = 1});
  repeats.add(Opcode::Exit);
  REQUIRE(tile.run(repeats) == kBreak);
  Program straight = WorkerCode::worker();
  for (unsigned n = 0; n < kLength; ++n) straight.add(Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = 1});
  straight.add(Opcode::Exit);
  tile.load(straight);
  tile.start(kCode);
  tile.step_to(60);
  tile.write(DebugSpace::kControl, kAll, DebugControl::kHalt, 0);
  for (int n = 0; n < 12; ++n) tile.step();
  REQUIRE(tile.x(1, 2) > 0);
  REQUIRE(tile.x(1, 2) < kBefore);
  tile.set_vector(kLeft, 3);
  CHECK(tile.vector(kLeft) == 3);
  CHECK(tile.vector(kFirst) == 0);
  CHECK(tile.vector(kLast) == 0);
  tile.write(DebugSpace::kControl, kAll, DebugControl::kResume, 0);
  while (!tile.top.exception_o && tile.cycle() < 2000) tile.step();
  CHECK(tile.cause() == kIllegal);  // exit within a repeat
  CHECK(tile.x(1, 2) == kLength);
}
