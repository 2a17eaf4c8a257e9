// Moves between chips as packets: each rule of plan_packets() and each case in which something is copied first.
#include <catch2/catch.hpp>
#include <map>

#include "compiler/passes/exchange/plan_packets.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

struct Case {
  ir::Blocks blocks;
  ir::Exchange exchange{.name = "x", .moves = {}};

  ir::BlockId block(std::uint32_t tile, std::uint32_t bytes) {
    return ir::add_block(blocks, {.tile = tile, .bytes = bytes});
  }
  PacketPlan plan() { return plan_packets(exchange, blocks, 8); }
};

}  // namespace

TEST_CASE("long moves are cut into packets of 64 words, in place at both ends") {
  Case c;
  const ir::BlockId from = c.block(0, 1000), to = c.block(4, 1000);
  c.exchange.moves = {{{from, 0}, {to, 0}, 400}, {{from, 400}, {to, 400}, 600}};
  const PacketPlan plan = c.plan();
  CHECK(plan.before.empty());
  CHECK(plan.after.empty());
  REQUIRE(plan.rounds.size() == 1);
  const std::vector<Packet>& packets = plan.rounds[0].packets;
  REQUIRE(packets.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(packets[i].from == ir::Place{from, 256 * i});
    CHECK(packets[i].to == ir::Place{to, 256 * i});
    CHECK(packets[i].words == (i < 3 ? 64 : 58));
  }
  CHECK(*plan.rounds[0].awaited.find(4) == std::vector<std::uint32_t>{250});
  CHECK(plan.rounds[0].awaited.find(0) == nullptr);
}

TEST_CASE("what does not cover words at the receiver is put in place there") {
  Case c;
  const ir::BlockId from = c.block(0, 16), to = c.block(4, 16);
  c.exchange.moves = {{{from, 5}, {to, 2}, 6}};
  const PacketPlan plan = c.plan();
  REQUIRE(plan.after.size() == 1);
  CHECK(plan.after[0].source == ir::Place{2, 1});
  CHECK(plan.after[0].target == ir::Place{to, 2});
  CHECK(plan.after[0].bytes == 6);
  REQUIRE(plan.rounds[0].packets.size() == 1);
  CHECK(plan.rounds[0].packets[0].from == ir::Place{from, 4});
  CHECK(plan.rounds[0].packets[0].to == ir::Place{2, 0});
  CHECK(plan.rounds[0].packets[0].words == 2);
  // The end of a block is nobody else's.
  Case end;
  const ir::BlockId a = end.block(0, 6), b = end.block(4, 6);
  end.exchange.moves = {{{a, 0}, {b, 0}, 6}};
  CHECK(end.plan().after.empty());
}

TEST_CASE("a tile that gets packets makes its own in a buffer before") {
  Case c;
  const ir::BlockId here = c.block(0, 1024), there = c.block(4, 1024), other = c.block(1, 1024);
  c.exchange.moves = {{{here, 4}, {there, 0}, 512}, {{there, 600}, {here, 600}, 4}, {{other, 0}, {there, 512}, 300}};
  const PacketPlan plan = c.plan();
  CHECK(plan.makers == std::vector<std::uint32_t>{0, 4});
  CHECK(plan.apart.empty());
  std::map<std::uint32_t, std::vector<Packet>> sent;
  for (const Packet& packet : plan.rounds.at(0).packets) sent[c.blocks[packet.from.block].tile].push_back(packet);
  REQUIRE(sent[0].size() == 2);
  const ir::BlockId buffer = sent[0][0].from.block;
  CHECK(buffer > other);
  CHECK(sent[0][0].from.offset == 8);
  CHECK(sent[0][1].from == ir::Place{buffer, 8 + 256 + 8});
  CHECK(c.blocks[buffer].bytes == 2 * 264);
  CHECK(sent[1][0].from == ir::Place{other, 0});
  std::uint32_t copied = 0;
  for (const LocalCopy& copy : plan.before)
    if (copy.source.block == here) {
      CHECK(copy.source.offset == 4 + copied);
      CHECK(copy.target == ir::Place{buffer, 8 + copied + 8 * (copied / 256)});
      copied += copy.bytes;
    }
  CHECK(copied == 512);
}

TEST_CASE("small pieces are packed into the packets that such a tile makes") {
  Case c;
  const ir::BlockId here = c.block(0, 4000), there = c.block(4, 4000);
  for (std::uint32_t i = 0; i < 30; ++i) c.exchange.moves.push_back({{here, 40 * i}, {there, 40 * i}, 30});
  c.exchange.moves.push_back({{there, 3000}, {here, 3000}, 4});
  const PacketPlan plan = c.plan();
  std::uint32_t at = 0;
  for (const LocalCopy& copy : plan.before) {
    if (copy.source.block != here) continue;
    CHECK(copy.target.offset == 8 + at + 8 * (at / 256));
    at += copy.bytes;
  }
  CHECK(at == 900);
}

TEST_CASE("a tile that sends much keeps it apart from what comes, and sends it from where it stands") {
  Case c;
  const ir::BlockId here = c.block(0, 4096), there = c.block(4, 4096), got = c.block(0, 4096);
  c.exchange.moves = {{{here, 0}, {there, 0}, 4096}, {{there, 0}, {got, 0}, 64}};
  // Tile 4 sends little, and from the block into which packets come.
  const PacketPlan plan = c.plan();
  CHECK(plan.makers == std::vector<std::uint32_t>{4});
  REQUIRE(plan.apart.size() == 1);
  CHECK(plan.apart[0].source == here);
  CHECK(plan.apart[0].target == got);
  for (const LocalCopy& copy : plan.before) CHECK(copy.source.block == there);
  CHECK(plan_packets(c.exchange, c.blocks, 8, false).makers == std::vector<std::uint32_t>{0, 4});
  // What comes to tile 0 goes through a buffer.
  c.exchange.moves[1].target.offset = 2;
  CHECK(c.plan().makers == std::vector<std::uint32_t>{0, 4});
}

TEST_CASE("many small pieces are one message") {
  Case c;
  const ir::BlockId from = c.block(0, 400), to = c.block(4, 400);
  for (std::uint32_t i = 0; i < 10; ++i) c.exchange.moves.push_back({{from, 40 * i}, {to, 40 * i}, 6});
  const PacketPlan plan = c.plan();
  CHECK(plan.before.size() == 10);
  CHECK(plan.after.size() == 10);
  REQUIRE(plan.rounds[0].packets.size() == 1);
  CHECK(plan.rounds[0].packets[0].words == 15);
}

TEST_CASE("no tile awaits more than 65,280 words in a round") {
  Case c;
  std::map<std::uint32_t, std::uint64_t> received;
  const ir::BlockId to = c.block(4, 4 * 150'000), other = c.block(5, 400);
  for (std::uint32_t tile = 0; tile < 3; ++tile) {
    const ir::BlockId from = c.block(tile, 200'000);
    c.exchange.moves.push_back({{from, 0}, {to, 200'000 * tile}, 200'000});
    c.exchange.moves.push_back({{from, 0}, {other, 100 * tile}, 100});
  }
  const PacketPlan plan = c.plan();
  CHECK(plan.rounds.size() == 3);
  for (const PacketRound& round : plan.rounds) {
    std::map<std::uint32_t, std::uint32_t> sum;
    for (const Packet& packet : round.packets) sum[c.blocks[packet.to.block].tile] += packet.words;
    for (const auto& [tile, words] : sum) {
      CHECK(words <= kMostAwaited);
      CHECK(*round.awaited.find(tile) == std::vector<std::uint32_t>{words});
      received[tile] += words;
    }
  }
  CHECK(received[4] == 150'000);
  CHECK(received[5] == 75);
}

TEST_CASE("replicas that get nothing await nothing") {
  Case c;
  c.exchange.lanes = {{.to = {1, 1, 3, 3}}, {.to = {2, 1, 2, 3}}};
  const ir::BlockId from = c.block(0, 300), to = c.block(0, 300);
  c.exchange.moves = {{{from, 8}, {to, 8}, 280, 0}, {{from, 8}, {to, 8}, 280, 1}};
  const PacketPlan plan = c.plan();
  REQUIRE(plan.rounds.size() == 1);
  CHECK(*plan.rounds[0].awaited.find(0) == std::vector<std::uint32_t>{0, 70, 70, 70});
  // The packets of both lanes in turn.
  REQUIRE(plan.rounds[0].packets.size() == 4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(plan.rounds[0].packets[i].lane == i % 2);
    CHECK(plan.rounds[0].packets[i].words == (i < 2 ? 64 : 6));
  }
  CHECK(ir::keeps_some(c.exchange, c.exchange.moves[0]));
}

TEST_CASE("places that differ by replica keep the lane's shift wherever they are not in a buffer") {
  Case c;
  c.exchange.lanes = {{.to = {1, 0}, .source_shift = {0, 400}, .target_shift = {400, 0}}};
  const ir::BlockId from = c.block(0, 800), to = c.block(0, 800);
  c.exchange.moves = {{{from, 0}, {to, 0}, 400, 0}};
  CHECK(ir::read_by(c.exchange, c.exchange.moves[0]) == ir::Span{{from, 0}, 800});
  CHECK(ir::written_by(c.exchange, c.exchange.moves[0]) == ir::Span{{to, 0}, 800});
  CHECK(ir::keeps_some(c.exchange, c.exchange.moves[0]));
  const PacketPlan whole = c.plan();
  REQUIRE(whole.before.size() == 2);
  for (const LocalCopy& copy : whole.before) {
    CHECK(copy.source_lane == 0);
    CHECK(copy.target_lane == ir::kNone);
  }
  for (const Packet& packet : whole.rounds[0].packets) {
    CHECK_FALSE(packet.shifts_from);
    CHECK(packet.shifts_to);
  }
  // Halves of words: through a buffer at the receiver.
  c.exchange.moves = {{{from, 2}, {to, 2}, 100, 0}};
  const PacketPlan odd = c.plan();
  REQUIRE(odd.after.size() == 1);
  CHECK(odd.after[0].target_lane == 0);
  CHECK_FALSE(odd.rounds[0].packets[0].shifts_to);
}
