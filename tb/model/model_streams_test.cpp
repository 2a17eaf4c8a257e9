// Loads and stores with address update, and repeats, worked out by hand from docs/reference/arithmetic.md.
#include <catch2/catch.hpp>

#include "worker_run.h"

using namespace tessera;
using spec::Opcode;
using test::Program;
using test::WorkerRun;

namespace {

constexpr uint32_t kData = 0x90000;
constexpr unsigned kBreak = 1, kClash = 6, kAddress = 8, kOperand = 9, kIllegal = 12;

uint64_t triple(uint32_t a0, uint32_t a1, uint32_t a2) {
  return uint64_t{a0 / 8} | uint64_t{a1 / 8} << 21 | uint64_t{a2 / 8} << 42;
}

unsigned cause_of(const Program& worker, unsigned x1 = kData, uint64_t f1 = 0) {
  WorkerRun run;
  run.x(1) = x1;
  run.f(1) = f1;
  run.run(worker);
  return run.cause();
}

Program one(Opcode opcode, const spec::Operands& operands) {
  Program w = WorkerRun::worker();
  w.add(opcode, operands);
  w.add(Opcode::Exit);
  return w;
}

}  // namespace

TEST_CASE("Step forms access at rs1 and then move it by the immediate") {
  WorkerRun run;
  run.memory().write(kData, 0x1122334455667788, 0xff);
  run.memory().write(kData + 8, 0x99aabbccddeeff00, 0xff);
  run.x(1) = kData;
  run.x(2) = kData + 2;
  Program w = WorkerRun::worker();
  w.add(Opcode::Ld128step, {.rd = 4, .rs1 = 1, .imm = 32});
  w.add(Opcode::Ld16step, {.rd = 6, .rs1 = 2, .imm = -2});
  w.add(Opcode::Ld32step, {.rd = 7, .rs1 = 2, .imm = 4});
  w.add(Opcode::St16step, {.rs1 = 1, .rs2 = 5, .imm = 2});
  w.add(Opcode::St32step, {.rs1 = 2, .rs2 = 4, .imm = 0});
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == kBreak);
  CHECK(run.f(4) == 0x1122334455667788);
  CHECK(run.f(5) == 0x99aabbccddeeff00);
  CHECK(run.f(6) == 0xffffffffffff5566);
  CHECK(run.f(7) == 0xffffffff55667788);
  CHECK(run.memory().read(kData + 32) == 0xff00);
  CHECK(run.memory().read_word(kData + 4) == 0x55667788);
  CHECK(run.x(1) == kData + 34);
  CHECK(run.x(2) == kData + 4);
  const auto record = run.retired()[0];
  CHECK((record.pair_write && record.base_write && !record.base_float && !record.mem_write));
  CHECK(record.pair_data == 0x99aabbccddeeff00);
  CHECK(record.base == 1);
  CHECK(record.base_data == kData + 32);
}

TEST_CASE("Strides count accesses, are signed and have 18 bits") {
  WorkerRun run;
  run.x(1) = kData;
  run.x(2) = 0x7fffd;  // bits 17:0 = -3
  run.x(3) = kData;
  Program w = WorkerRun::worker();
  w.add(Opcode::Csrrw, {.rd = 0, .rs1 = 2, .imm = 0x808 - 0x1000});
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 0x808 - 0x1000});
  w.add(Opcode::Ld128stride, {.rd = 4, .rs1 = 1, .imm = 3});
  w.add(Opcode::St64stride, {.rs1 = 3, .rs2 = 4, .imm = 0});
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == kBreak);
  CHECK(run.x(5) == 0xfffffffd);
  CHECK(run.x(1) == kData - 48);
  CHECK(run.x(3) == kData + 8);
  CHECK(cause_of(one(Opcode::Ld64stride, {.rd = 4, .rs1 = 1, .imm = 4})) == kIllegal);
}

TEST_CASE("Two loads and a store in one instruction, each address by its own selector") {
  WorkerRun run;
  run.memory().write(kData, 111, 0xff);
  run.memory().write(kData + 0x8008, 222, 0xff);
  run.f(1) = triple(kData, kData + 0x8008, kData + 0x10000) | uint64_t{1} << 63;
  run.f(2) = 333;
  run.floats().strides = {10, 0xfffffffe, 0};
  Program w = WorkerRun::worker();
  w.add(Opcode::Ld2xst64pace, {.rd = 4, .rs1 = 1, .rs2 = 2, .imm = 0 | 1 << 2 | 2 << 4});
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == kBreak);
  CHECK(run.f(4) == 111);
  CHECK(run.f(5) == 222);
  CHECK(run.memory().read(kData + 0x10000) == 333);
  CHECK(run.f(1) == triple(kData + 8, kData + 0x8008 + 80, kData + 0x10000 - 16));
  CHECK(run.retired()[0].base_float);
}

TEST_CASE("A loaded value wins against the update of its own triple; the store takes the old register") {
  WorkerRun run;
  run.memory().write(kData, 111, 0xff);
  const uint64_t addresses = triple(kData, 0, kData + 0x10000);
  run.f(4) = addresses;
  Program w = WorkerRun::worker();
  w.add(Opcode::Ldst64pace, {.rd = 4, .rs1 = 4, .rs2 = 4, .imm = 0});
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == kBreak);
  CHECK(run.f(4) == 111);
  CHECK(run.memory().read(kData + 0x10000) == addresses);
  CHECK(run.retired()[0].base_data == triple(kData + 8, 0, kData + 0x10008));
}

TEST_CASE("Addresses fault in the order a0, a1, a2; reads that share an element clash") {
  const auto pace = one(Opcode::Ld2xst64pace, {.rd = 4, .rs1 = 1, .rs2 = 2, .imm = 0});
  CHECK(cause_of(pace, 0, triple(kData, kData + 16, kData)) == kClash);
  CHECK(cause_of(pace, 0, triple(kData, kData + 8, kData)) == kBreak);  // a read and the write may share one
  CHECK(cause_of(pace, 0, triple(kData, kData + 16, 8)) == kAddress);
  WorkerRun run;
  run.f(1) = triple(kData, 16, 8);
  run.run(pace);
  CHECK(run.tile.exception().value == 16);
  CHECK(!run.retired().back().base_write);
  CHECK(cause_of(one(Opcode::Ld64step, {.rd = 4, .rs1 = 1, .imm = 8}), kData + 4) == kAddress);
  CHECK(cause_of(one(Opcode::Ld128step, {.rd = 4, .rs1 = 1, .imm = 8}), kData + 8) == kAddress);
  CHECK(cause_of(one(Opcode::Ld128step, {.rd = 4, .rs1 = 1, .imm = 8}), 0x60000) == kAddress);
  CHECK(cause_of(one(Opcode::Ld64step, {.rd = 4, .rs1 = 0, .imm = 8})) == kAddress);
}

TEST_CASE("A repeated body runs as often as asked, without cost") {
  WorkerRun run;
  run.x(1) = 3;
  Program w = WorkerRun::worker();
  w.add(Opcode::Rpt, {.rs1 = 1, .imm = 2});
  w.add(Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = 1});
  w.add(Opcode::Addi, {.rd = 3, .rs1 = 3, .imm = 10});
  w.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 5});
  w.add(Opcode::Addi, {.rd = 4, .rs1 = 4, .imm = 1});
  w.add(Opcode::Rpti, {.rd = 1, .rs1 = 0, .imm = 0});
  w.add(Opcode::Ebreak);  // skipped
  w.add(Opcode::Exit);
  run.run(w);
  REQUIRE(run.cause() == kBreak);
  CHECK(run.tile.exception().context == 0);
  CHECK(run.x(2) == 3);
  CHECK(run.x(3) == 30);
  CHECK(run.x(4) == 5);
  CHECK(run.floats().repeat.left == 0);
  const auto records = run.retired();
  REQUIRE(records.size() == 1 + 6 + 1 + 5 + 1 + 1);
  for (size_t n = 1; n < records.size(); ++n) CHECK(records[n].cycle == records[n - 1].cycle + 6);
}

TEST_CASE("A body holds no jumps and no CSR accesses; a repeat of nothing is an operand exception") {
  for (const auto opcode : {Opcode::Beq, Opcode::Csrrwi, Opcode::Fence, Opcode::Exit, Opcode::Rpti, Opcode::Trap}) {
    Program w = WorkerRun::worker();
    w.add(Opcode::Rpti, {.rd = 2, .rs1 = 0, .imm = 2});
    w.add(Opcode::Addi);
    const bool repeat = opcode == Opcode::Rpti, csr = opcode == Opcode::Csrrwi;
    w.add(opcode, {.rd = repeat ? 1u : 0u, .imm = csr ? 1 : 4 * !repeat * (opcode == Opcode::Beq)});
    WorkerRun run;
    run.run(w);
    CHECK(run.cause() == kIllegal);
    CHECK(run.floats().repeat.left == 2);
  }
  Program w = WorkerRun::worker();
  w.add(Opcode::Rpti, {.rd = 0, .rs1 = 0, .imm = 2});
  CHECK(cause_of(w) == kOperand);
}
