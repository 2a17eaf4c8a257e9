// Loads and stores with address update on the tile in RTL (docs/reference/arithmetic.md): values, records, order of
// faults.
#include <catch2/catch.hpp>

#include "worker_code.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using tessera::spec::Operands;

namespace {

constexpr unsigned kBreak = 1, kClash = 6, kAddress = 8, kIllegal = 12;

uint64_t triple(uint32_t a0, uint32_t a1, uint32_t a2) {
  return uint64_t{a0 / 8} | uint64_t{a1 / 8} << 21 | uint64_t{a2 / 8} << 42;
}

struct Fault {
  unsigned cause;
  uint32_t value;
  bool operator==(const Fault&) const = default;
};
// What one instruction with the address or triple in register 1 raises.
Fault fault_of(Opcode opcode, const Operands& operands, uint32_t x1, uint64_t f1 = 0) {
  WorkerCode tile;
  tile.set_x(1, x1);
  tile.set_f(1, f1);
  Program w = WorkerCode::worker();
  w.add(opcode, operands);
  w.add(Opcode::Exit);
  const unsigned cause = tile.run(w);
  if (cause != kBreak) {
    const auto r = tile.retired().back();
    CHECK((!r.writes && !r.pair_write && !r.base_write && !r.stores));
    CHECK(tile.f(1) == f1);
    CHECK(tile.x(1, 1) == x1);
  }
  return {cause, tile.exception_value()};
}

}  // namespace

TEST_CASE("Steps of every size use the address and then move it") {
  WorkerCode tile;
  tile.set_memory(kData, 0x0123456789abcdef);
  tile.set_memory(kData + 8, 0xfedcba9876543210);
  tile.set_x(1, kData);
  tile.set_x(2, kData + 6);
  tile.set_x(3, kData + 0x40);
  Program w = WorkerCode::worker();
  w.add(Opcode::Ld128step, {.rd = 2, .rs1 = 1, .imm = 8});
  w.add(Opcode::Ld64step, {.rd = 4, .rs1 = 1, .imm = -4});
  w.add(Opcode::Ld32step, {.rd = 5, .rs1 = 1, .imm = 0});
  w.add(Opcode::Ld16step, {.rd = 6, .rs1 = 2, .imm = 2047});
  w.add(Opcode::St64step, {.rs1 = 3, .rs2 = 2, .imm = 8});
  w.add(Opcode::St32step, {.rs1 = 3, .rs2 = 3, .imm = 6});
  w.add(Opcode::St16step, {.rs1 = 3, .rs2 = 2, .imm = -2048});
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.f(2) == 0x0123456789abcdef);
  CHECK(tile.f(3) == 0xfedcba9876543210);
  CHECK(tile.f(4) == 0xfedcba9876543210);
  CHECK(tile.f(5) == 0xffffffff01234567);
  CHECK(tile.f(6) == 0xffffffffffff0123);
  CHECK(tile.x(1, 1) == kData + 4);
  CHECK(tile.x(1, 2) == kData + 6 + 2047);
  CHECK(tile.x(1, 3) == kData + 0x40 + 14 - 2048);
  CHECK(tile.memory(kData + 0x40) == 0x0123456789abcdef);
  CHECK(tile.memory(kData + 0x48) == 0xcdef000076543210);
  const auto records = tile.retired();
  CHECK((records[0].writes && records[0].reg == 2 && records[0].pair_write && records[0].base_write));
  CHECK(!records[0].base_float);
  CHECK(records[0].pair_data == 0xfedcba9876543210);
  CHECK(records[0].base == 1);
  CHECK(records[0].base_data == kData + 8);
  CHECK((!records[4].writes && records[4].stores && records[4].base_write));
  CHECK(records[4].address == kData + 0x40);
  CHECK(records[6].strobe == 0xc0);
  CHECK(records[6].address == kData + 0x48);
  CHECK(records[6].stored == 0xcdef000000000000);
}

TEST_CASE("Strides are signed, of 18 bits, in units of the access") {
  WorkerCode tile;
  tile.set_csr(0x806, 0x3ffff);  // -1
  tile.set_csr(0x807, 0x40005);  // 5: bit 18 is not kept
  tile.set_csr(0x808, 0x20000);  // -131072
  CHECK(tile.csr(0x806) == 0xffffffff);
  CHECK(tile.csr(0x807) == 5);
  CHECK(tile.csr(0x808) == 0xfffe0000);
  for (unsigned r = 1; r < 5; ++r) tile.set_x(r, kData + 0x100);
  Program w = WorkerCode::worker();
  w.add(Opcode::Ld64stride, {.rd = 1, .rs1 = 1, .imm = 0});
  w.add(Opcode::Ld64stride, {.rd = 1, .rs1 = 2, .imm = 1});
  w.add(Opcode::Ld128stride, {.rd = 2, .rs1 = 3, .imm = 2});
  w.add(Opcode::St64stride, {.rs1 = 4, .rs2 = 2, .imm = 3});
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.x(1, 1) == kData + 0x108);
  CHECK(tile.x(1, 2) == kData + 0xf8);
  CHECK(tile.x(1, 3) == kData + 0x100 + 80);
  CHECK(tile.x(1, 4) == kData + 0x100 - 8 * 131072);
  CHECK(fault_of(Opcode::Ld64stride, {.rd = 2, .rs1 = 1, .imm = 4}, kData).cause == kIllegal);
  CHECK(fault_of(Opcode::Ld128stride, {.rd = 2, .rs1 = 1, .imm = 7}, kData).cause == kIllegal);
}

TEST_CASE("Paced accesses: addresses move by their selectors modulo 2^21 words, unused ones stay, the top bit goes") {
  WorkerCode tile;
  tile.set_csr(0x806, 3);
  tile.set_csr(0x807, 0x3fff0);  // -16
  tile.set_csr(0x808, 0x10000);
  tile.set_memory(kData, 0x11);
  tile.set_memory(kData + 8, 0x22);
  tile.set_f(1, triple(kData, kData + 8, kData + 16) | uint64_t{1} << 63);
  tile.set_f(2, 0x33);
  tile.set_f(3, triple(kData, 0xfffff8, kData + 24));
  tile.set_f(6, triple(kData, kData + 8, 0xfffff8));
  Program w = WorkerCode::worker();
  w.add(Opcode::Ld2xst64pace, {.rd = 4, .rs1 = 1, .rs2 = 2, .imm = 1 | 2 << 2 | 3 << 4});
  w.add(Opcode::Ldst64pace, {.rd = 8, .rs1 = 3, .rs2 = 1, .imm = 2 | 1 << 2});
  w.add(Opcode::Ld2x64pace, {.rd = 10, .rs1 = 6, .imm = 0 | 3 << 2});
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.f(4) == 0x11);
  CHECK(tile.f(5) == 0x22);
  CHECK(tile.memory(kData + 16) == 0x33);
  const uint64_t moved = triple(kData + 24, kData + 8 - 128, kData + 16 + 0x80000);
  CHECK(tile.f(1) == moved);
  CHECK(tile.memory(kData + 24) == moved);
  CHECK(tile.f(3) == triple(kData - 128, 0xfffff8, kData + 24 + 24));
  CHECK(tile.f(10) == 0x11);
  CHECK(tile.f(11) == 0x22);
  CHECK(tile.f(6) == triple(kData + 8, kData + 8 + 0x80000, 0xfffff8));
  const auto r = tile.retired()[0];
  CHECK((r.writes && r.reg == 4 && r.pair_write && r.base_write && r.base_float && r.base == 1 && r.stores));
  CHECK(r.base_data == moved);
  CHECK(r.address == kData + 16);
}

TEST_CASE("Where a loaded register is the triple, the load wins; the record shows both") {
  WorkerCode tile;
  tile.set_memory(kData, 0x11);
  tile.set_memory(kData + 8, 0x22);
  tile.set_f(4, triple(kData, kData + 8, kData + 16));
  tile.set_f(7, triple(kData, kData + 8, kData + 32));
  Program w = WorkerCode::worker();
  w.add(Opcode::Ldst64pace, {.rd = 4, .rs1 = 4, .rs2 = 4, .imm = 0});
  w.add(Opcode::Ld2x64pace, {.rd = 6, .rs1 = 7, .imm = 0});
  w.add(Opcode::Exit);
  REQUIRE(tile.run(w) == kBreak);
  CHECK(tile.f(4) == 0x11);
  CHECK(tile.f(7) == 0x22);
  CHECK(tile.memory(kData + 16) == triple(kData, kData + 8, kData + 16));
  CHECK(tile.retired()[0].base_data == triple(kData + 8, kData + 8, kData + 24));
}

TEST_CASE("Faults: alignment, regions, the first bad address of a triple, two reads in one element") {
  const Operands pace{.rd = 4, .rs1 = 1, .rs2 = 2, .imm = 0}, step{.rd = 4, .rs1 = 1, .imm = 8};
  CHECK(fault_of(Opcode::Ld64step, step, kData + 4) == Fault{kAddress, kData + 4});
  CHECK(fault_of(Opcode::Ld32step, step, kData + 2) == Fault{kAddress, kData + 2});
  CHECK(fault_of(Opcode::Ld16step, step, kData + 1) == Fault{kAddress, kData + 1});
  CHECK(fault_of(Opcode::Ld128step, step, kData + 8) == Fault{kAddress, kData + 8});
  CHECK(fault_of(Opcode::Ld128step, step, 0x60000) == Fault{kAddress, 0x60000});
  CHECK(fault_of(Opcode::Ld128step, step, 0xE8000) == Fault{kAddress, 0xE8000});
  CHECK(fault_of(Opcode::Ld128step, step, 0xE7FF0).cause == kBreak);
  CHECK(fault_of(Opcode::St64stride, {.rs1 = 1, .rs2 = 2, .imm = 0}, 0x4BFF8) == Fault{kAddress, 0x4BFF8});
  CHECK(fault_of(Opcode::Ld2xst64pace, pace, 0, triple(8, 16, 24)) == Fault{kAddress, 8});
  CHECK(fault_of(Opcode::Ld2xst64pace, pace, 0, triple(kData, 0xE8000, 24)) == Fault{kAddress, 0xE8000});
  CHECK(fault_of(Opcode::Ld2xst64pace, pace, 0, triple(kData, kData + 8, 0xfffff8)) == Fault{kAddress, 0xfffff8});
  CHECK(fault_of(Opcode::Ld2xst64pace, pace, 0, triple(kData, kData + 16, kData)) == Fault{kClash, kData + 16});
  CHECK(fault_of(Opcode::Ld2xst64pace, pace, 0, triple(kData, kData + 8, kData)).cause == kBreak);
  CHECK(fault_of(Opcode::Ldst64pace, pace, 0, triple(kData, 8, kData)).cause == kBreak);  // a1 is not used
}

TEST_CASE("The first access that meets a fetch is the value of a clash") {
  // Workers 4 and 5 fetch in the cycles in which worker 0's accesses are in M; all code is in element 1.
  Program p;
  p.load_immediate(1, kWorker);
  p.add(Opcode::Runall, {.rs1 = 1, .rs2 = 0, .imm = 0});
  p.add(Opcode::Sync, {.imm = 0});
  p.add(Opcode::Ebreak);
  const auto value = [&p](uint64_t addresses) {
    WorkerCode tile;
    for (unsigned c = 1; c < 7; ++c) tile.set_f(1, addresses, c);
    Program w = WorkerCode::worker();
    w.add(Opcode::Ld2xst64pace, {.rd = 4, .rs1 = 1, .rs2 = 2, .imm = 0});
    for (int i = 0; i < 4; ++i) w.add(Opcode::Addi);
    w.add(Opcode::Exit);
    const unsigned cause = tile.run(w, p);
    return Fault{cause, cause == kClash ? tile.exception_value() : 0};
  };
  constexpr uint32_t kHere = kWorker + 0x100;
  CHECK(value(triple(kHere, kData, kData)) == Fault{kClash, kHere});
  CHECK(value(triple(kData, kHere, kData)) == Fault{kClash, kHere});
  CHECK(value(triple(kData, kData + 8, kHere)) == Fault{kClash, kHere});
  CHECK(value(triple(kData, kHere, kHere + 8)) == Fault{kClash, kHere});
  CHECK(value(triple(kData, kData + 8, kData)) == Fault{kBreak, 0});
}
