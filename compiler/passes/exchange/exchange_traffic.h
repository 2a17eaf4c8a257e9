// What one exchange phase transports, and when: the data structures between plan_exchange(), schedule_exchange() and
// the event lists in tile memory (docs/reference/exchange.md). Times are cycles from the phase start P, sizes are
// words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/block.h"
#include "compiler/ir/tile_index.h"

namespace tessera::compiler {

// One receiver of a transfer. The place is 4-aligned in memory.
struct Receiver {
  std::uint32_t tile = 0;
  ir::Place to;
  bool lends = false;  // of a paired transfer: selects for the other tile of its pair, and has no place
};

// Words that one tile sends once and that all its receivers take.
struct Transfer {
  std::uint32_t source = 0;  // tile
  ir::Place from{};
  std::uint32_t words = 0;           // double words if paired
  std::uint32_t first_receiver = 0;  // into Traffic::receivers
  std::uint32_t receivers = 0;
  bool paired = false;  // pair_transfers.h; then both tiles of each pair are receivers, and places are 8-aligned
};

struct Traffic {
  std::vector<Transfer> transfers;
  std::vector<Receiver> receivers;
};

enum class EventKind : std::uint8_t { kSend, kReceive, kDelay };

struct Event {
  std::uint32_t tile = 0;
  std::uint32_t cycle = 0;  // in which it executes
  EventKind kind = EventKind::kDelay;
  std::uint32_t source = 0;  // kReceive: tile of the chip whose port
  ir::Place at;
  std::uint32_t words = 0;  // 1..16383, 0 for kDelay; double words if paired
  std::uint8_t pair = 0;    // as in ExchangeEvent
};

struct Schedule {
  std::vector<Event> events;                    // by tile, then cycle
  ir::TileIndex of_tile;                        // of events
  std::uint32_t cycles = 0;                     // from P to the cycle after the last word is written
  std::vector<std::uint32_t> cycles_of_chip{};  // by chip; 0: it has no phase

  bool on_chip(std::uint32_t chip) const { return cycles_of_chip[chip] != 0; }
};

}  // namespace tessera::compiler
