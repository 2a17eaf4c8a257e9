// Decides what packets an exchange between chips takes (docs/reference/control.md, Packets between chips): cuts its
// moves into packets, into rounds in which no tile awaits more words than its counter counts, and into copies inside
// the tiles before and after them.
//
// A packet takes its payload where it stands and borrows the two words before it. While packets come to a tile it may
// write only to other elements of its memory than they do (docs/reference/tile.md, Clash): one that sends much has both
// in different ones, if all that comes is put in place at once; any other makes those that it sends in a buffer before.
// What does not cover whole words at the receiver arrives in a buffer; many small pieces between two tiles are packed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/exchange/local_copy.h"

namespace tessera::compiler {

constexpr std::uint32_t kMostTilePacketWords = 64;
constexpr std::uint32_t kMostAwaited = 0xff00;  // words that CSR xcount is asked to count at once
constexpr std::uint32_t kBorrowed = 8;          // bytes before the payload that header and address take the place of

struct Packet {
  ir::Place from, to;  // of the payload, 4-aligned; `to` is on another chip, or on a chip of another replica
  std::uint32_t words = 0;
  std::uint32_t lane = ir::kNone;               // of the exchange: between replicas
  bool shifts_from = false, shifts_to = false;  // whether the place has the lane's shift; it has none in a buffer
};

// Packets that are awaited together.
struct PacketRound {
  std::vector<Packet> packets{};  // by sending tile, in the order of sending
  ir::TileIndex of_tile{};        // of packets
  // Words, by receiving tile, and then by replica, or one number for all.
  ir::PerTile<std::vector<std::uint32_t>> awaited{};
};

// Blocks of a tile that must not share an element of memory, nor must the bytes that packets borrow.
struct ApartInPackets {
  ir::BlockId source, target;
};

struct PacketPlan {
  std::vector<LocalCopy> before, after;
  std::vector<PacketRound> rounds;
  std::vector<std::uint32_t> makers;  // tiles that make their packets before each round, ascending
  std::vector<ApartInPackets> apart;
};

// Adds staging blocks to `blocks`. `tiles`: of all chips.
PacketPlan plan_packets(const ir::Exchange& exchange, ir::Blocks& blocks, std::uint32_t tiles,
                        bool send_in_place = true);

}  // namespace tessera::compiler
