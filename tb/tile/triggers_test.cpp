// Breakpoints and watchpoints: in which cycle they stop a tile, and what has happened then (docs/reference/tile.md).
#include <catch2/catch.hpp>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::kAllContexts;
using tessera::spec::Opcode;

namespace {

using enum tessera::spec::DebugSpace;
using enum tessera::spec::DebugControl;
using tessera::spec::Breakpoint;
using tessera::spec::Watchpoint;

constexpr uint32_t kLoop = kCode + 0x1000;
constexpr unsigned kSupervisor = 0, kAll = kAllContexts;

uint32_t point(uint32_t pc) { return Breakpoint{.enabled = true, .word_pc = pc / 4}.encode(); }
uint32_t writes(uint32_t address, uint32_t size) {
  return Watchpoint{.writes = true, .word_address = address / 4, .size = size}.encode();
}
uint32_t reads(uint32_t address, uint32_t size) {
  return Watchpoint{.reads = true, .word_address = address / 4, .size = size}.encode();
}
uint32_t before(uint32_t contexts) { return contexts; }
uint32_t behind(uint32_t contexts) { return contexts << 8; }

void rest(TileRun& tile) {
  for (int n = 0; n < 20; ++n) tile.step();
}

// x5 counts, x6 counts behind it.
Program counting() {
  Program p;
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  p.add(Opcode::Addi, {.rd = 6, .rs1 = 6, .imm = 1});
  p.add(Opcode::Jal, {.rd = 0, .imm = -8});
  return p;
}

// Six workers that count.
void load_workers(TileRun& tile, const Program& worker) {
  Program p;
  p.load_immediate(10, kLoop);
  p.load_immediate(11, kData);
  p.add(Opcode::Runall, {.rs1 = 10, .rs2 = 11, .imm = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  p.add(Opcode::Ebreak);
  tile.load(p);
  tile.load(kLoop, worker.words);
}

}  // namespace

TEST_CASE("A supervisor stops before its breakpoint, goes on from there, and meets it again") {
  TileRun tile;
  tile.load(counting());
  const unsigned number = GENERATE(0u, 1u);
  tile.write(kControl, kSupervisor, kBreakpoint0 + number, point(kCode + 4));
  CHECK(tile.read(kControl, kSupervisor, kBreakpoint0 + number) == point(kCode + 4));
  CHECK(tile.read(kControl, kSupervisor, kBreakpoint0 + 1 - number) == 0);
  CHECK(tile.read(kControl, 1, kBreakpoint0 + number) == 0);
  tile.start(kCode);
  for (uint32_t turn = 0; turn < 3; ++turn) {
    rest(tile);
    CHECK(tile.top.idle_o);
    CHECK(tile.control(kTriggered) == before(1));
    CHECK(tile.control(kHalt) == 0x7f);
    CHECK(tile.control(kPc) == kCode + 4);
    CHECK(tile.x(0, 5) == turn + 1);
    CHECK(tile.x(0, 6) == turn);
    tile.write(kControl, kAll, kResume, 0);
  }
  tile.write(kControl, kSupervisor, kBreakpoint0 + number, 0);
  for (int n = 0; n < 100; ++n) tile.step();
  CHECK(tile.control(kTriggered) == 0);
  CHECK(tile.control(kHalt) == 0);
  CHECK_FALSE(tile.top.idle_o);
}

TEST_CASE("A breakpoint takes effect in its instruction's issue cycle, where nothing issues") {
  TileRun free;
  free.load(counting());
  free.start(kCode);
  free.step_to(60);
  const auto plain = free.issues(0);
  TileRun tile;
  tile.load(counting());
  tile.write(kControl, kSupervisor, kBreakpoint1, point(kCode + 8));
  tile.start(kCode);
  tile.step_to(60);
  const auto cycles = tile.issues(0);
  REQUIRE(cycles.size() == 2);
  CHECK(cycles[0] == plain[0]);
  CHECK(cycles[1] == plain[1]);
  CHECK(tile.read(kControl, kSupervisor, kPc) == kCode + 8);
}

TEST_CASE("A breakpoint behind a sync is met when the sync is over") {
  Program p;
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 2});
  p.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
  TileRun tile;
  tile.load(p);
  tile.write(kControl, kSupervisor, kBreakpoint0, point(kCode + 4));
  tile.start(kCode);
  tile.step_to(60);
  CHECK(tile.sync().valid);
  CHECK(tile.control(kTriggered) == 0);
  tile.answer({.zone = 2, .ack = 1});
  tile.step();
  tile.answer({});
  rest(tile);
  CHECK_FALSE(tile.sync().valid);
  CHECK(tile.control(kTriggered) == before(1));
}

TEST_CASE("A worker's breakpoint holds all contexts between their instructions, and each meets its own") {
  TileRun tile;
  load_workers(tile, counting());
  tile.write(kControl, kAll, kBreakpoint0 + GENERATE(0u, 1u), point(kLoop + 4));
  tile.start(kCode);
  uint32_t stood = 0;
  for (int stop = 0; stop < 6; ++stop) {
    for (int n = 0; n < 80; ++n) tile.step();
    CHECK(tile.top.idle_o);
    CHECK(tile.control(kHalt) == 0x7f);
    const uint32_t now = tile.control(kTriggered) & ~stood;
    CHECK((now != 0 && (now & (now - 1)) == 0));  // one, that did not stand there before
    stood |= now;
    // The last one's turn comes before that of those that go on.
    if (stop < 5) tile.write(kControl, kAll, kResume, 0);
  }
  CHECK((stood & 0x7e) != 0);
  CHECK((stood & ~0x7eu) == 0);
}

TEST_CASE("A step issues one instruction, a breakpoint or not; the next is met") {
  TileRun tile;
  load_workers(tile, counting());
  tile.write(kControl, 3, kBreakpoint0, point(kLoop));
  tile.write(kControl, 3, kBreakpoint1, point(kLoop + 4));
  tile.start(kCode);
  tile.step_to(100);
  CHECK(tile.control(kTriggered) == before(1 << 3));
  CHECK(tile.read(kControl, 3, kPc) == kLoop);
  tile.write(kControl, 3, kStep, 0);
  rest(tile);
  CHECK(tile.read(kControl, 3, kPc) == kLoop + 4);
  CHECK(tile.control(kTriggered) == 0);  // it has stepped there, and stands before nothing that has stopped it
  tile.write(kControl, 3, kStep, 0);
  rest(tile);
  CHECK(tile.read(kControl, 3, kPc) == kLoop + 8);
  CHECK(tile.x(3, 5) == 1);
  CHECK(tile.x(3, 6) == 1);
  tile.write(kControl, 3, kResume, 0);
  rest(tile);
  CHECK(tile.control(kTriggered) == before(1 << 3));
  CHECK(tile.read(kControl, 3, kPc) == kLoop);
}

TEST_CASE("A start, a written pc, an exception: the context stands before nothing") {
  TileRun tile;
  tile.load(counting());
  tile.write(kControl, kSupervisor, kBreakpoint0, point(kCode + 4));
  tile.start(kCode);
  rest(tile);
  REQUIRE(tile.control(kTriggered) == before(1));
  SECTION("start: met there too") {
    tile.start(kCode + 4);
    rest(tile);
    CHECK(tile.control(kTriggered) == before(1));
    CHECK(tile.x(0, 6) == 0);
  }
  SECTION("pc") {
    tile.write(kControl, kSupervisor, kPc, kCode + 8);
    CHECK(tile.control(kTriggered) == 0);
    tile.write(kControl, kSupervisor, kPc, kCode + 4);
    tile.write(kControl, kAll, kResume, 0);
    rest(tile);
    CHECK(tile.control(kTriggered) == before(1));
    CHECK(tile.x(0, 6) == 0);
  }
}

TEST_CASE("A worker that was stepped before it was launched meets its first breakpoint") {
  Program p;
  p.load_immediate(10, kLoop);
  for (unsigned n = 0; n < 60; ++n) p.add(Opcode::Addi, {.rd = 16 + n % 8, .rs1 = 0, .imm = 1});
  p.add(Opcode::Runall, {.rs1 = 10, .rs2 = 11, .imm = 0});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 0});
  TileRun tile;
  tile.load(p);
  tile.load(kLoop, counting().words);
  tile.write(kControl, 3, kBreakpoint0, point(kLoop));
  tile.start(kCode);
  tile.step_to(20);
  tile.write(kControl, 3, kStep, 0);
  CHECK(tile.control(kTriggered) == before(1 << 3));
  tile.step_to(200);
  CHECK(tile.control(kTriggered) == before(1 << 3));
  CHECK(tile.control(kHalt) == 0x7f);
  CHECK(tile.x(3, 5) == 0);
}

TEST_CASE("In the cycle of an exception no breakpoint stops the tile, and what excepts has made no access") {
  TileRun tile;
  Program p;
  SECTION("breakpoint") {
    const unsigned behind_it = GENERATE(4u, 5u);  // M is four cycles behind the issue
    p.add(Opcode::Sw, {.rs1 = 0, .rs2 = 0, .imm = 0});
    for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 16 + n, .rs1 = 0, .imm = 1});
    tile.load(p);
    tile.write(kControl, kSupervisor, kBreakpoint0, point(kCode + 4 * behind_it));
  }
  SECTION("watchpoint") {
    p.add(Opcode::Sw, {.rs1 = 11, .rs2 = 12, .imm = 0});
    for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 16 + n, .rs1 = 0, .imm = 1});
    tile.load(p);
    tile.write(kInteger, 0, 11, kCode + 0x400);  // in the element of the code: clash
    tile.write(kControl, kSupervisor, kWatchpoint, writes(kCode + 0x400, 2));
  }
  tile.start(kCode);
  rest(tile);
  CHECK(tile.top.exception_o);
  CHECK(tile.control(kTriggered) == 0);
  CHECK(tile.control(kHalt) == 0);
}

TEST_CASE("Both halves of a load of 128 bits are watched") {
  for (const uint32_t offset : {0u, 4u, 8u, 12u, 16u}) {
    INFO(offset);
    Program worker;
    worker.add(Opcode::Ld128step, {.rd = 4, .rs1 = 11, .imm = 16});
    worker.add(Opcode::Jal, {.rd = 0, .imm = 0});
    TileRun tile;
    load_workers(tile, worker);
    tile.write(kInteger, 2, 11, kData);
    for (unsigned other : {1u, 3u, 4u, 5u, 6u}) tile.write(kInteger, other, 11, kData);
    tile.write(kControl, 2, kWatchpoint, reads(kData + offset, 2));
    tile.start(kCode);
    for (int n = 0; n < 80; ++n) tile.step();
    CHECK(tile.control(kTriggered) == (offset < 16 ? behind(1 << 2) : 0));
  }
}

TEST_CASE("A watched store is done; a worker issues nothing behind it, a supervisor four more") {
  Program p;
  p.add(Opcode::Sw, {.rs1 = 11, .rs2 = 12, .imm = 8});
  for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 16 + n, .rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  SECTION("supervisor") {
    TileRun tile;
    tile.load(p);
    tile.write(kInteger, 0, 11, kData);
    tile.write(kInteger, 0, 12, 77);
    tile.write(kControl, kSupervisor, kWatchpoint, writes(kData + 8, 2));
    tile.start(kCode);
    rest(tile);
    CHECK(tile.control(kTriggered) == behind(1));
    CHECK(tile.word(kData + 8) == 77);
    CHECK(tile.control(kPc) == kCode + 4 * 5);
    CHECK(tile.x(0, 19) == 1);
    CHECK(tile.x(0, 20) == 0);
    tile.write(kControl, kAll, kResume, 0);
    rest(tile);
    CHECK(tile.cause() == 1);
  }
  SECTION("worker") {
    TileRun tile;
    load_workers(tile, p);
    tile.write(kInteger, 4, 11, kData);
    tile.write(kControl, 4, kWatchpoint, writes(kData + 8, 2));
    tile.start(kCode);
    for (int n = 0; n < 100; ++n) tile.step();
    CHECK(tile.control(kTriggered) == behind(1 << 4));
    CHECK(tile.read(kControl, 4, kPc) == kLoop + 4);
    CHECK(tile.x(4, 16) == 0);
    tile.write(kControl, 4, kResume, 0);
    CHECK(tile.control(kTriggered) == 0);
  }
}

TEST_CASE("What a watchpoint covers: words of its range, of reads or of writes") {
  struct Access {
    Opcode op;
    int offset;
    bool store;
  };
  const Access access = GENERATE(values<Access>({{Opcode::Sw, 0, true},
                                                 {Opcode::Sw, 4, true},
                                                 {Opcode::Sb, 7, true},
                                                 {Opcode::Sh, 2, true},
                                                 {Opcode::Sw, 16, true},
                                                 {Opcode::Lw, 4, false},
                                                 {Opcode::Lbu, 3, false},
                                                 {Opcode::Lh, 6, false},
                                                 {Opcode::Lw, 12, false}}));
  for (const uint32_t size : {2u, 3u, 4u, 5u})
    for (const bool watches_writes : {true, false})
      for (const uint32_t first : {0u, 4u}) {
        if (first != 0 && size > 2) continue;
        INFO("offset " << access.offset << ", size " << size << ", first " << first);
        Program p;
        if (access.store)
          p.add(access.op, {.rs1 = 11, .rs2 = 12, .imm = access.offset});
        else
          p.add(access.op, {.rd = 7, .rs1 = 11, .imm = access.offset});
        for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 16 + n, .rs1 = 0, .imm = 1});
        p.add(Opcode::Ebreak);
        TileRun tile;
        tile.load(p);
        tile.write(kInteger, 0, 11, kData);
        tile.write(kControl, kSupervisor, kWatchpoint,
                   watches_writes ? writes(kData + first, size) : reads(kData + first, size));
        tile.start(kCode);
        for (int n = 0; n < 60; ++n) tile.step();
        const auto word = static_cast<uint32_t>(access.offset) & ~3u;
        const bool covered = word >= first && word < first + (1u << size);
        CHECK((tile.control(kTriggered) == behind(1)) == (covered && watches_writes == access.store));
        CHECK((tile.cause() == 1) == !(covered && watches_writes == access.store));
      }
}
