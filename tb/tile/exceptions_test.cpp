// Exceptions: what raises them, in which order, and what they leave (docs/reference/tile.md, Exceptions).
#include <catch2/catch.hpp>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using Cycles = std::vector<uint64_t>;

namespace {

enum Cause { kBreak = 1, kTrap, kFloat = 5, kClash, kConfig, kAddress, kOperand, kPc, kStack, kIllegal, kExchange };
constexpr int kStackLimitCsr = 0x800 - 0x1000;

// Runs a supervisor program to its exception.
std::unique_ptr<TileRun> fault(const Program& p) {
  auto tile = std::make_unique<TileRun>();
  tile->load(p);
  tile->start(kCode);
  while (!tile->top.exception_o && tile->cycle() < 400) tile->step();
  return tile;
}

void check(TileRun& tile, Cause cause, uint32_t pc, uint32_t value, uint64_t cycle) {
  CHECK(tile.top.exception_o);
  CHECK(tile.top.idle_o);
  CHECK(tile.cause() == cause);
  CHECK(tile.exception_context() == 0);
  CHECK(tile.exception_pc() == pc);
  CHECK(tile.exception_value() == value);
  CHECK(tile.exception_cycle() == cycle);
}

}  // namespace

TEST_CASE("break, ecall and trap") {
  Program b, e, t;
  b.add(Opcode::Ebreak);
  e.add(Opcode::Ecall);
  t.add(Opcode::Trap, {.imm = 77});
  check(*fault(b), kBreak, kCode, kCode, 2);
  check(*fault(e), kTrap, kCode, 0, 2);
  check(*fault(t), kTrap, kCode, 77, 2);
}

TEST_CASE("The oldest faulting instruction is reported; it and younger ones write nothing, older ones complete") {
  Program p;
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kData)});
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 0, .imm = 3});
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 2, .imm = 0});    // 9
  p.add(Opcode::Lw, {.rd = 3, .rs1 = 0, .imm = 0});     // 10: address 0
  p.add(Opcode::Sw, {.rs1 = 1, .rs2 = 2, .imm = 8});    // 11
  p.add(Opcode::Addi, {.rd = 4, .rs1 = 0, .imm = 9});   // 12
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = 10});  // 13
  p.add(Opcode::Addi, {.rd = 6, .rs1 = 0, .imm = 11});  // 14: issues while the load is in M
  const auto tile = fault(p);
  CHECK(tile->cycle() == 15);
  tile->step_to(30);
  CHECK(tile->issues(0) == Cycles{2, 3, 9, 10});
  CHECK(tile->records.back().cause == kAddress);
  check(*tile, kAddress, kCode + 12, 0, 10);
  CHECK(tile->word(kData) == 3);
  CHECK(tile->word(kData + 8) == 0);
  CHECK(tile->x(0, 4) == 0);
  CHECK(tile->read(4, 0, 4) == kCode + 12);  // pc of the oldest squashed
}

TEST_CASE("Misaligned and outside data addresses") {
  const auto load = [](uint32_t address, Opcode opcode) {
    Program p;
    p.load_immediate(1, address);
    p.add(opcode, {.rd = 2, .rs1 = 1, .imm = 0});
    p.add(Opcode::Ebreak);
    const auto tile = fault(p);
    const auto cause = tile->cause();
    if (cause == kAddress) CHECK(tile->exception_value() == address);
    return cause;
  };
  CHECK(load(0x50000, Opcode::Lw) == kBreak);
  CHECK(load(0xE7FFC, Opcode::Lw) == kBreak);
  CHECK(load(0xE8000, Opcode::Lw) == kAddress);
  CHECK(load(0x4BFFC, Opcode::Lw) == kAddress);
  CHECK(load(0x50002, Opcode::Lw) == kAddress);
  CHECK(load(0x50002, Opcode::Lh) == kBreak);
  CHECK(load(0x50003, Opcode::Lh) == kAddress);
  CHECK(load(0x50003, Opcode::Lb) == kBreak);
  CHECK(load(0x80150000, Opcode::Lw) == kAddress);
}

TEST_CASE("A load or store in the element of the fetch of its M stage clashes and writes nothing") {
  for (const bool store : {false, true}) {
    Program p;
    p.load_immediate(1, kCode + 0x800);                                                    // 2, 8
    p.add(store ? Opcode::Sw : Opcode::Lw, {.rd = 0, .rs1 = 1, .rs2 = 1, .imm = 0});       // 14: M in 18
    for (unsigned r = 5; r < 10; ++r) p.add(Opcode::Addi, {.rd = r, .rs1 = 0, .imm = 1});  // 15...: 18 fetches
    p.add(Opcode::Ebreak);
    const auto tile = fault(p);
    check(*tile, kClash, kCode + 8, kCode + 0x800, 14);
    CHECK(tile->word(kCode + 0x800) == 0);
  }
}

TEST_CASE("Fetch outside region 0 or misaligned") {
  for (const uint32_t target : {0x80000u, 0x4BFFCu, 0x50002u, 0x100004C0u & ~1u}) {
    Program p;
    p.load_immediate(1, target);
    const auto jump = static_cast<uint64_t>(p.words.size());
    p.add(Opcode::Jalr, {.rd = 0, .rs1 = 1, .imm = 0});
    const auto tile = fault(p);
    CHECK(tile->cause() == kPc);
    CHECK(tile->exception_pc() == target);
    CHECK(tile->exception_value() == target);
    REQUIRE(tile->issues(0).size() >= jump + 1);
    CHECK(tile->exception_cycle() == tile->issues(0)[jump] + 6);
  }
}

TEST_CASE("Illegal: unknown words, instructions of the other kind of context, CSRs") {
  const auto one = [](uint32_t word) {
    Program p;
    p.words.push_back(word);
    const auto tile = fault(p);
    check(*tile, kIllegal, kCode, word, 2);
  };
  const auto encoded = [](Opcode opcode, const tessera::spec::Operands& o) { return tessera::spec::encode(opcode, o); };
  one(0);
  one(0xffffffff);
  one(encoded(Opcode::Exit, {.rs1 = 1}));
  one(encoded(Opcode::FaddS, {.rd = 1, .rs1 = 1, .rs2 = 1, .rm = 0}));
  one(encoded(Opcode::Csrrs, {.rd = 1, .rs1 = 0, .imm = 0x123}));           // unknown
  one(encoded(Opcode::Csrrs, {.rd = 1, .rs1 = 0, .imm = 0x001}));           // fflags: workers'
  one(encoded(Opcode::Csrrw, {.rd = 1, .rs1 = 0, .imm = 0xC00 - 0x1000}));  // cycle: read-only
}

TEST_CASE("Stack limit: writes of x2 below it, but for loads") {
  Program p;
  p.load_immediate(1, 0x50100);
  p.add(Opcode::Csrrw, {.rd = 0, .rs1 = 1, .imm = kStackLimitCsr});
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 1, .imm = 16});
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = -16});
  const uint32_t faulting = p.here();
  p.add(Opcode::Addi, {.rd = 2, .rs1 = 2, .imm = -4});
  const auto tile = fault(p);
  CHECK(tile->cause() == kStack);
  CHECK(tile->exception_pc() == faulting);
  CHECK(tile->exception_value() == 0x500fc);
  CHECK(tile->x(0, 2) == 0x50100);
}

TEST_CASE("What writes no x2, and a load of it, may give anything below the stack limit") {
  Program p;
  p.load_immediate(1, kData);
  p.load_immediate(4, kData + 0x100);
  p.add(Opcode::Csrrw, {.rd = 0, .rs1 = 4, .imm = kStackLimitCsr});
  p.add(Opcode::Addi, {.rd = 3, .rs1 = 0, .imm = 7});           // another register
  p.add(Opcode::Sb, {.rs1 = 1, .rs2 = 3, .imm = 2});            // 2 where others have rd
  p.add(Opcode::Beq, {.rs1 = 0, .rs2 = 3, .imm = 2 - 4 * 16});  // likewise
  p.add(Opcode::Lbu, {.rd = 2, .rs1 = 1, .imm = 2});
  p.add(Opcode::Ebreak);
  const auto tile = fault(p);
  CHECK(tile->cause() == kBreak);
  CHECK(tile->x(0, 2) == 7);
  CHECK(tile->x(0, 3) == 7);
}

TEST_CASE("System operands: entries, zones, sequencer, packets out of phase") {
  const auto with = [](uint32_t value, Opcode opcode, int imm) {
    Program p;
    p.load_immediate(1, value);
    p.load_immediate(2, 2);
    p.add(opcode, {.rs1 = 1, .rs2 = 2, .imm = imm});
    const auto tile = fault(p);
    CHECK(tile->exception_value() == value);
    return tile->cause();
  };
  CHECK(with(0x80000, Opcode::Run, 0) == kOperand);
  CHECK(with(0x50002, Opcode::Runall, 0) == kOperand);
  CHECK(with(1, Opcode::Sync, 6) == kOperand);
  CHECK(with(1, Opcode::Sync, 8) == kOperand);
  CHECK(with(1, Opcode::Sync, 15) == kOperand);
  CHECK(with(0x50004, Opcode::Xarm, 0) == kConfig);
  CHECK(with(0xE8000, Opcode::Xarm, 0) == kConfig);
  CHECK(with(0x50000, Opcode::Hsend, 0) == kOperand);
}

TEST_CASE("A float trap stops the worker's instruction; flags accumulate without one") {
  Program p, w;
  p.load_immediate(1, kWorker);
  p.add(Opcode::Run, {.rs1 = 1, .rs2 = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  w.base = kWorker;
  w.add(Opcode::FcvtSW, {.rd = 1, .rs1 = 0, .rm = 0});
  w.add(Opcode::FdivS, {.rd = 2, .rs1 = 1, .rs2 = 1, .rm = 0});  // 0 / 0: invalid
  w.add(Opcode::Csrrs, {.rd = 5, .rs1 = 0, .imm = 1});
  w.add(Opcode::Csrrwi, {.rd = 0, .rs1 = 1, .imm = 0x801 - 0x1000});
  w.add(Opcode::FdivS, {.rd = 3, .rs1 = 1, .rs2 = 1, .rm = 0});
  w.add(Opcode::Exit, {.rs1 = 0});
  TileRun tile;
  tile.load(p);
  tile.load(w);
  tile.start(kCode);
  while (!tile.top.exception_o && tile.cycle() < 400) tile.step();
  CHECK(tile.cause() == kFloat);
  CHECK(tile.exception_context() == 1);
  CHECK(tile.exception_pc() == kWorker + 16);
  CHECK(tile.exception_value() == 16);
  CHECK(tile.x(1, 5) == 16);
  CHECK(tile.read(2, 1, 2 * 2) == 0x7fc00000);
  CHECK(tile.read(2, 1, 2 * 2 + 1) == 0xffffffff);
  CHECK(tile.read(2, 1, 2 * 3) == 0);
}
