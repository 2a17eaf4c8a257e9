// Packets of one tile: hsend after its grant, read responses into memory (docs/reference/edge.md, Packets).
#include <catch2/catch.hpp>
#include <map>

#include "rtl/spec/causes.h"
#include "rtl/spec/words.h"
#include "tile_run.h"

using namespace tessera::test;
using tessera::spec::Opcode;
using tessera::spec::SyncZone;

namespace {
constexpr uint32_t kOut = 0x90000, kIn = 0xA0004;
constexpr unsigned kTile = 5;  // TileRun's id
constexpr int kCount = static_cast<int>(tessera::spec::Csr::Xcount) - 0x1000;
}  // namespace

TEST_CASE("hsend requests from the sixth cycle, reads after its grant, and lets the supervisor go on") {
  Program p;
  p.load_immediate(1, kOut);
  p.load_immediate(2, 3);
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 3});
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.load(kOut, {11, 22, 33, 44});
  tile.start(kCode);
  std::map<uint64_t, uint32_t> sent;
  uint64_t requested = 0, last = 0;
  constexpr uint64_t kAck = 40, kGrant = 70;
  while (tile.cycle() < 100) {
    const uint64_t now = tile.cycle();
    if (tile.top.packet_request_o && requested == 0) requested = now;
    if (tile.top.packet_valid_o) sent[now] = tile.top.packet_data_o;
    if (tile.top.packet_last_o) last = now;
    if (now == kGrant) CHECK(tile.top.idle_o);
    if (now == kGrant + 1) CHECK_FALSE(tile.top.packet_request_o);
    tile.answer({.zone = SyncZone::kExternal, .ack = now == kAck});
    tile.top.packet_grant_i = now == kGrant;
    tile.step();
  }
  CHECK(requested == kAck + 1 + 6);
  CHECK(sent == std::map<uint64_t, uint32_t>{{kGrant + 3, 11}, {kGrant + 4, 22}, {kGrant + 5, 33}});
  CHECK(last == kGrant + 5);
  CHECK(tile.issues(0).back() == kGrant + 1 + 3);
  CHECK(tile.cause() == 1);
}

TEST_CASE("A read response for this tile is written as it comes, and counted; others are ignored") {
  Program p;
  p.load_immediate(1, 3);
  p.add(Opcode::Csrrw, {.rd = 0, .rs1 = 1, .imm = kCount});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 5});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.start(kCode);
  const auto header = [](unsigned tile_id, unsigned words) {
    return tessera::spec::PacketHeader{.words = words, .tile = tile_id, .kind = tessera::spec::PacketKind::kResponse}
        .encode();
  };
  const std::map<uint64_t, uint32_t> packets = {
      {40, header(kTile + 1, 1)}, {41, kIn}, {42, 99}, {50, header(kTile, 3)}, {51, kIn}, {52, 7}, {53, 8}, {55, 9}};
  std::vector<uint64_t> busy;  // while it waits, until the last but one
  while (tile.cycle() < 80) {
    const uint64_t in_register = tile.cycle() + 1;
    const auto word = packets.find(in_register);
    tile.top.packet_valid_i = word != packets.end();
    tile.top.packet_first_i = in_register == 40 || in_register == 50;
    tile.top.packet_data_i = word != packets.end() ? word->second : 0;
    tile.step();
    if (tile.cycle() >= 35 && tile.cycle() <= 53 && !tile.top.idle_o) busy.push_back(tile.cycle());
  }
  CHECK(busy == std::vector<uint64_t>{50, 51, 52, 53});
  CHECK(tile.word(kIn) == 7);
  CHECK(tile.word(kIn + 4) == 8);
  CHECK(tile.word(kIn + 8) == 9);
  CHECK(tile.issues(0).back() == 56);  // xcount is 0 from the cycle after the last word
  CHECK(tile.cause() == 1);
}

TEST_CASE("A packet that would be written outside the memory is a config exception with the word's address") {
  Program p;
  p.load_immediate(1, 3);
  p.add(Opcode::Csrrw, {.rd = 0, .rs1 = 1, .imm = kCount});
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 5});
  TileRun tile;
  tile.load(p);
  tile.start(kCode);
  constexpr uint32_t kLast = 0xE7FFC;  // of the memory
  const uint32_t header =
      tessera::spec::PacketHeader{.words = 2, .tile = kTile, .kind = tessera::spec::PacketKind::kResponse}.encode();
  const std::map<uint64_t, uint32_t> packet = {{50, header}, {51, kLast}, {52, 7}, {53, 8}};
  while (tile.cycle() < 80) {
    const uint64_t in_register = tile.cycle() + 1;
    const auto word = packet.find(in_register);
    tile.top.packet_valid_i = word != packet.end();
    tile.top.packet_first_i = in_register == 50;
    tile.top.packet_data_i = word != packet.end() ? word->second : 0;
    tile.step();
  }
  CHECK(tile.top.exception_o);
  CHECK(tile.cause() == static_cast<unsigned>(tessera::spec::Cause::Config));
  CHECK(tile.exception_value() == kLast + 4);
  CHECK(tile.exception_cycle() == 53);
  CHECK(tile.word(kLast) == 7);
}

TEST_CASE("A packet has 2 to 258 words and ends with the memory at the latest") {
  const auto hsend = [](uint32_t address, uint32_t words) {
    Program p;
    p.load_immediate(1, address);
    p.load_immediate(2, words);
    p.add(Opcode::Sync, {.rs1 = 0, .imm = 3});
    p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
    p.add(Opcode::Ebreak);
    TileRun tile;
    tile.load(p);
    tile.start(kCode);
    unsigned sent = 0;
    while (!tile.top.exception_o && tile.cycle() < 500) {
      tile.answer({.zone = SyncZone::kExternal, .ack = tile.cycle() == 40});
      tile.top.packet_grant_i = tile.cycle() == 70;
      sent += tile.top.packet_valid_o;
      tile.step();
    }
    return std::pair(tile.cause(), sent);
  };
  using Ended = std::pair<unsigned, unsigned>;  // cause, words that came out
  constexpr uint32_t kEnd = 0xE8000;
  constexpr unsigned kBreak = 1, kOperand = 9;
  CHECK(hsend(kOut, 1) == Ended{kOperand, 0});
  CHECK(hsend(kOut, 2).first == kBreak);
  CHECK(hsend(kOut, 258).first == kBreak);
  CHECK(hsend(kOut, 259) == Ended{kOperand, 0});
  CHECK(hsend(kEnd - 4 * 3, 3).first == kBreak);
  CHECK(hsend(kEnd - 4 * 2, 3) == Ended{kOperand, 0});
  CHECK(hsend(kEnd - 4 * 258, 258).first == kBreak);
  CHECK(hsend(kEnd - 4 * 257, 258) == Ended{kOperand, 0});
}

TEST_CASE("A second hsend waits for the packet of the first") {
  Program p;
  p.load_immediate(1, kOut);
  p.load_immediate(2, 3);
  p.add(Opcode::Sync, {.rs1 = 0, .imm = 3});
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
  p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
  p.add(Opcode::Ebreak);
  TileRun tile;
  tile.load(p);
  tile.load(kOut, {11, 22, 33});
  tile.start(kCode);
  std::map<uint64_t, uint32_t> sent;
  while (!tile.top.exception_o && tile.cycle() < 200) {
    if (tile.top.packet_valid_o) sent[tile.cycle()] = tile.top.packet_data_o;
    tile.answer({.zone = SyncZone::kExternal, .ack = tile.cycle() == 40});
    tile.top.packet_grant_i = tile.cycle() == 70 || tile.cycle() == 100;
    tile.step();
  }
  CHECK(sent == std::map<uint64_t, uint32_t>{{73, 11}, {74, 22}, {75, 33}, {103, 11}, {104, 22}, {105, 33}});
  CHECK(tile.cause() == 1);
}

TEST_CASE("A word of a packet that is read in the element of a worker's fetch is a port clash") {
  const auto send = [](uint32_t address) {
    Program p;
    p.load_immediate(1, address);
    p.load_immediate(2, 12);
    p.load_immediate(3, kWorker);
    p.add(Opcode::Run, {.rs1 = 3, .rs2 = 0});
    p.add(Opcode::Sync, {.rs1 = 0, .imm = 3});
    p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
    p.add(Opcode::Ebreak);
    Program w;
    w.base = kWorker;
    w.add(Opcode::Jal, {.rd = 0, .imm = 0});
    auto tile = std::make_unique<TileRun>();
    tile->load(p);
    tile->load(w);
    tile->start(kCode);
    while (!tile->top.exception_o && tile->cycle() < 300) {
      tile->answer({.zone = SyncZone::kExternal, .ack = tile->cycle() == 80});
      tile->top.packet_grant_i = tile->cycle() == 120;
      tile->step();
    }
    return tile;
  };
  constexpr uint32_t kBeside = kWorker + 0x1000;
  const auto tile = send(kBeside);
  CHECK(tile->cause() == 13);
  const uint32_t word = (tile->exception_value() - kBeside) / 4;
  CHECK(word < 6);  // the worker fetches in one of six cycles
  CHECK(tile->exception_cycle() == 121 + word);
  CHECK(send(kOut)->cause() == 1);
}

TEST_CASE("An illegal load makes no access: it meets no word of a packet in its element") {
  constexpr uint32_t kElement = 0x60000;  // apart from all text
  const auto cause = [](int selector) {
    Program p, w;
    p.load_immediate(1, kElement);
    p.load_immediate(2, 60);
    p.load_immediate(3, kWorker);
    p.add(Opcode::Run, {.rs1 = 3, .rs2 = 0});
    p.add(Opcode::Sync, {.rs1 = 0, .imm = 3});
    p.add(Opcode::Hsend, {.rs1 = 1, .rs2 = 2});
    p.add(Opcode::Ebreak);
    w.base = kWorker;
    w.load_immediate(6, kElement);
    for (int i = 0; i < 19; ++i) w.add(Opcode::Addi, {.rd = 5, .rs1 = 5, .imm = 1});
    w.add(Opcode::Ld64stride, {.rd = 1, .rs1 = 6, .imm = selector});
    w.add(Opcode::Jal, {.rd = 0, .imm = 0});
    TileRun tile;
    tile.load(p);
    tile.load(w);
    tile.start(kCode);
    while (!tile.top.exception_o && tile.cycle() < 300) {
      tile.answer({.zone = SyncZone::kExternal, .ack = tile.cycle() == 80});
      tile.top.packet_grant_i = tile.cycle() == 120;
      tile.step();
    }
    CHECK(tile.exception_cycle() > 121);  // while the 60 words are read
    CHECK(tile.exception_cycle() < 175);
    return static_cast<tessera::spec::Cause>(tile.cause());
  };
  CHECK(cause(0) == tessera::spec::Cause::Exchange);
  CHECK(cause(4) == tessera::spec::Cause::Illegal);
}
