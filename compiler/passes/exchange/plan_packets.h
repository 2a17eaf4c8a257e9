// Decides what packets an exchange between chips takes (docs/reference/control.md, Packets between chips): cuts its
// moves into packets, into rounds in which no tile awaits more words than its counter counts, and into copies inside
// the tiles before and after them.
//
// A packet takes its payload where it stands and borrows the two words before it. A tile that gets packets may write
// nothing itself meanwhile (docs/reference/tile.md, Clash): it makes those that it sends in a buffer before. What does
// not cover whole words at the receiver arrives in a buffer; many small pieces between two tiles are packed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/program.h"
#include "compiler/passes/exchange/local_copy.h"

namespace tessera::compiler {

constexpr std::uint32_t kMostTilePacketWords = 64;
constexpr std::uint32_t kMostAwaited = 0xff00;  // words that CSR xcount is asked to count at once

struct Packet {
  ir::Place from, to;  // of the payload, 4-aligned; `to` is on another chip, or on a chip of another replica
  std::uint32_t words = 0;
};

// Packets that are awaited together.
struct PacketRound {
  std::vector<Packet> packets{};         // by sending tile, in the order of sending
  ir::TileIndex of_tile{};               // of packets
  ir::PerTile<std::uint32_t> awaited{};  // words, by receiving tile
  std::uint32_t copy = 0;                // of exchanges between replicas: for which receiver of each replica it is
};

// Whether packets come to the tile, which then makes its own before each round.
bool gets_packets(const std::vector<PacketRound>& rounds, std::uint32_t tile);

struct PacketPlan {
  std::vector<LocalCopy> before, after;
  std::vector<PacketRound> rounds;
};

// Adds staging blocks to `blocks`. `tiles`: of all chips.
PacketPlan plan_packets(const ir::Exchange& exchange, ir::Blocks& blocks, std::uint32_t tiles);

// Of an exchange between replicas: the replica that `copy` of what `replica` sends is for; none: it is for nobody.
std::optional<std::uint32_t> receiver_of(const ir::Exchange& exchange, std::uint32_t replica, std::uint32_t copy);
// Whether `replica` awaits that copy from whom it gets something.
bool awaits(const ir::Exchange& exchange, std::uint32_t replica, std::uint32_t copy);

}  // namespace tessera::compiler
