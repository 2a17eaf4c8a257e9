// Words of the memory in which bits have turned over (docs/reference/tile.md, Parity).
#include <catch2/catch.hpp>
#include <optional>

#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;

namespace {

constexpr uint32_t kBreak = 1, kParity = 14, kOut = 0x90000;

struct Flipped {
  uint32_t address, mask;
};

// Runs a supervisor program whose memory has these flips to its exception.
std::unique_ptr<TileRun> run(const Program& p, const std::vector<Flipped>& flips) {
  auto tile = std::make_unique<TileRun>();
  tile->load(p);
  for (const auto& [address, mask] : flips) tile->flip(address, mask);
  tile->start(kCode);
  while (!tile->top.exception_o && tile->cycle() < 400) tile->step();
  return tile;
}

void check_parity(TileRun& tile, uint32_t address, uint64_t cycle) {
  CHECK(tile.cycle() == cycle + 3);  // raised in cycle + 2, on the port from the next one on
  CHECK(tile.cause() == kParity);
  CHECK(tile.exception_context() == 0);
  CHECK(tile.exception_pc() == 0);
  CHECK(tile.exception_value() == address);
  CHECK(tile.exception_cycle() == cycle);
}

// x1 = kData in 2, then one access in 8, which is in M in 12, then the rest.
Program access(Opcode opcode, int offset, const std::vector<std::pair<Opcode, int>>& then = {}) {
  Program p;
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kData)});
  p.add(opcode, {.rd = 3, .rs1 = 1, .rs2 = 2, .imm = offset});
  for (const auto& [next, at] : then) p.add(next, {.rd = 4, .rs1 = 1, .rs2 = 2, .imm = at});
  p.add(Opcode::Ebreak);
  return p;
}

}  // namespace

TEST_CASE("An instruction in which a bit has turned over is found two cycles behind its fetch") {
  Program p;
  for (int n = 0; n < 6; ++n) p.add(Opcode::Addi, {.rd = 5, .rs1 = 0, .imm = n});
  p.add(Opcode::Ebreak);
  check_parity(*run(p, {{kCode, 1u << 31}}), kCode, 1);
  Program q;
  for (unsigned n = 0; n < 6; ++n) q.add(Opcode::Addi, {.rd = 5 + n, .rs1 = 0, .imm = 1});
  q.add(Opcode::Ebreak);
  check_parity(*run(q, {{kCode + 8, 1}}), kCode + 8, 3);  // fetched with the issue of the one before
}

TEST_CASE("Of a load the words in which its bytes lie are looked at") {
  const auto cause = [](const Program& p, uint32_t address) { return run(p, {{address, 0x4000}})->cause(); };
  check_parity(*run(access(Opcode::Lw, 0), {{kData, 0x4000}}), kData, 12);
  check_parity(*run(access(Opcode::Lb, 3), {{kData, 0x4000}}), kData, 12);
  check_parity(*run(access(Opcode::Lhu, 6), {{kData + 4, 0x4000}}), kData + 4, 12);
  check_parity(*run(access(Opcode::Lw, 4), {{kData + 4, 1}, {kData, 1}}), kData + 4, 12);
  CHECK(cause(access(Opcode::Lw, 4), kData) == kBreak);
  CHECK(cause(access(Opcode::Lb, 3), kData + 4) == kBreak);
  CHECK(cause(access(Opcode::Lw, 8), kData) == kBreak);
}

TEST_CASE("A write makes what it writes fit again, and nothing beside it") {
  const auto stored = [](Opcode opcode, int offset, uint32_t flipped) {
    return run(access(opcode, offset, {{Opcode::Lw, 0}}), {{kData, flipped}})->cause();
  };
  CHECK(stored(Opcode::Sw, 0, 0x01000001) == kBreak);
  CHECK(stored(Opcode::Sw, 4, 0x01000001) == kParity);
  CHECK(stored(Opcode::Sb, 0, 0x00000001) == kBreak);
  CHECK(stored(Opcode::Sb, 0, 0x01000001) == kParity);
  CHECK(stored(Opcode::Sh, 2, 0x01010000) == kBreak);
  CHECK(stored(Opcode::Sh, 2, 0x00000001) == kParity);
  auto tile = run(access(Opcode::Lw, 0), {{kData, 8}});
  CHECK(tile->cause() == kParity);
  CHECK(tile->word(kData) == 8);  // a debugger may look
  tile->write(DebugSpace::kMemory, 0, kData, 9);
  tile->start(kCode);
  while (!tile->top.exception_o && tile->cycle() < 400) tile->step();
  CHECK(tile->cause() == kBreak);
  CHECK(tile->x(0, 3) == 9);
}

TEST_CASE("Up to four bits in four bytes of a word are seen, two in one byte are not") {
  const auto cause = [](uint32_t mask) { return run(access(Opcode::Lw, 0), {{kData, mask}})->cause(); };
  CHECK(cause(0x01800420) == kParity);
  CHECK(cause(0x00000003) == kBreak);
  CHECK(cause(0x00000103) == kParity);
}

TEST_CASE("A word of a packet out") {
  Program p;
  p.load_immediate(1, kOut);
  p.load_immediate(2, 3);
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 3});
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
  p.add(Opcode::Ebreak);
  const auto send = [&](uint32_t flipped) {
    auto tile = std::make_unique<TileRun>();
    tile->load(p);
    tile->flip(flipped, 0x20);
    tile->start(kCode);
    while (!tile->top.exception_o && tile->cycle() < 200) {
      tile->answer({.zone = tessera::spec::SyncZone::kExternal, .ack = tile->cycle() == 40});
      tile->top.packet_grant_i = tile->cycle() == 70;
      tile->step();
    }
    return tile;
  };
  check_parity(*send(kOut + 4), kOut + 4, 72);
  CHECK(send(kOut + 12)->cause() == kBreak);
}

TEST_CASE("Another exception in the cycle of the read, or in the one behind it, is the one that is told") {
  const auto fault = [](unsigned distance) {
    Program program;
    program.add(Opcode::Lui, {.rd = 1, .imm = int(kData)});
    program.add(Opcode::Lw, {.rd = 3, .rs1 = 1, .imm = 0});
    for (unsigned n = 1; n < distance; ++n) program.add(Opcode::Addi, {.rd = 4 + n, .rs1 = 0, .imm = 1});
    program.add(Opcode::Lw, {.rd = 9, .rs1 = 0, .imm = 0});  // outside memory
    return run(program, {{kData, 2}})->cause();
  };
  CHECK(fault(1) == 8);
  CHECK(fault(2) == kParity);
  CHECK(fault(3) == kParity);
}

TEST_CASE("A tile that is held is neither idle nor settled in the cycle of the exception") {
  Program p;
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kData)});
  p.add(Opcode::Lw, {.rd = 3, .rs1 = 1, .imm = 0});
  for (unsigned n = 0; n < 20; ++n) p.add(Opcode::Addi, {.rd = 4, .rs1 = 0, .imm = 1});
  TileRun tile;
  tile.load(p);
  tile.flip(kData, 2);
  tile.start(kCode);
  tile.step_to(8);
  tile.write(DebugSpace::kControl, 0, DebugControl::kHalt, 0);  // nothing issues behind the load
  std::optional<uint64_t> idle;
  while (!tile.top.exception_o && tile.cycle() < 40) {
    if (tile.top.idle_o && !idle) idle = tile.cycle();
    tile.step();
  }
  CHECK_FALSE(idle);
  check_parity(tile, kData, 12);
}

TEST_CASE("Of a fetch and a load of one cycle the fetch is told; of two words of a load the low one") {
  Program p = access(Opcode::Lw, 0);  // its M is 12, when the word behind what issues in 12 is fetched
  p.words.pop_back();
  for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 5 + n, .rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  check_parity(*run(p, {{kCode + 24, 1}, {kData, 1}}), kCode + 24, 12);
  check_parity(*run(p, {{kCode + 28, 1}, {kData, 1}}), kData, 12);
}

TEST_CASE("What the debugger reads is not looked at, of a tile that has not excepted either") {
  TileRun tile;
  tile.flip(kData, 1);
  CHECK(tile.word(kData) == 1);
  for (int n = 0; n < 8; ++n) tile.step();
  CHECK_FALSE(tile.top.exception_o);
}

TEST_CASE("What is read in the cycle of an exception is forgotten, even if the tile goes on at once") {
  Program p;
  p.add(Opcode::Lw, {.rd = 3, .rs1 = 0, .imm = 0});  // outside memory: issued in 2, excepts in 6
  for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 5 + n, .rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.flip(kCode + 20, 1);  // fetched in 6
  tile.start(kCode);
  tile.step_to(7);
  CHECK(tile.top.exception_o);
  tile.write(DebugSpace::kControl, 0, DebugControl::kResume, 0);
  CHECK_FALSE(tile.top.exception_o);
  while (!tile.top.exception_o && tile.cycle() < 40) tile.step();
  CHECK(tile.cause() == 8);  // the same load again
}

TEST_CASE("So is what a load would have got that meets a fetch in its element") {
  Program p;
  p.add(Opcode::Lui, {.rd = 1, .imm = int(kCode)});
  p.add(Opcode::Lw, {.rd = 3, .rs1 = 1, .imm = 0x100});  // issued in 8, clashes in 12
  for (unsigned n = 0; n < 8; ++n) p.add(Opcode::Addi, {.rd = 5 + n, .rs1 = 0, .imm = 1});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.flip(kCode + 24, 1);  // fetched in 12
  tile.start(kCode);
  tile.step_to(13);
  CHECK(tile.top.exception_o);
  tile.write(DebugSpace::kControl, 0, DebugControl::kResume, 0);
  CHECK_FALSE(tile.top.exception_o);
  while (!tile.top.exception_o && tile.cycle() < 60) tile.step();
  CHECK(tile.cause() == 6);  // the same load again
}
