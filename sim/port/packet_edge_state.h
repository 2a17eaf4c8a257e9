// What the chip edge knows between two cycles (docs/reference/edge.md): plain data, in snapshots and checkpoints.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

// What is left of it where nothing is in flight.
struct PacketEdgeRest {
  uint64_t down_free = 0;  // first cycle in which the down path takes a packet
  uint64_t drained = 0;    // the first in which nothing was in flight
};

struct PacketEdgeState : PacketEdgeRest {
  struct Packet {  // that a block forwards to the host port
    unsigned tile = 0;
    uint64_t first = 0;           // cycle in which its first word would be at the host port, with nothing before it
    std::vector<uint32_t> words;  // that the block has; one that broke off ends with a 0
    bool over = false;            // these are all
    bool bad = false, refused = false;
    bool for_link = false;  // it leaves for another chip
    size_t left = 0;        // words that have
    uint64_t sent = 0;      // cycle of the last word on the tile's port
  };
  struct Block {
    // Requests that are not granted, by (cycle of the request, tile): the cycle in which it fell, ~0 while it stands.
    std::map<std::pair<uint64_t, unsigned>, uint64_t> queue;
    bool busy = false;              // a packet is granted and not over
    unsigned owner = 0;             // its tile
    uint64_t expected = 0;          // in which its next word has to be on the tile's port
    unsigned words = 0;             // of it that were there
    bool forwards = false;          // it is the last of `packets`
    uint64_t free = 0;              // F
    std::vector<uint64_t> credits;  // from which cycle on each is there; those that are not are on their way
    std::deque<Packet> packets;
    uint64_t left = 0;  // the cycle behind the last word that it has given to the host port
  };
  std::vector<Block> blocks;
  // At the host port.
  std::optional<unsigned> passing;  // the block whose first packet passes
  uint64_t next = 0;                // cycle of the next word; with none passing, the first in which one may begin
  size_t passed = 0;                // words of the packet
  std::optional<Refusal> refusal;   // the first
  struct Read {                     // of the host
    uint64_t left = 0;              // cycle of its last word at the host port
    uint64_t answered = 0;          // and of its response's on its tile's port
  };
  std::vector<Read> reads;  // among them those that are unanswered
};

}  // namespace tessera::chip
