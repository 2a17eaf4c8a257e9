// What a tile's inputs do in a random program: the sync controller, the exchange wires and the chip edge answer its
// outputs after random times, as docs/reference/{exchange,edge}.md allow.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "random.h"
#include "sim/port/tile_port.h"

namespace tessera::test {

class TileSurroundings {
 public:
  TileSurroundings(uint64_t seed, unsigned tile) : random_(seed), tile_(tile) {}

  // Inputs of cycle `cycle` (all but debug), given what the ports show in that cycle. Called once for every cycle.
  chip::TileInputs inputs(uint64_t cycle, const chip::TileOutputs& shown);
  // The tile starts afresh: nothing is under way any more.
  void restart();

 private:
  void answer_sync(const chip::TileOutputs&, chip::TileInputs&);
  void answer_packet(const chip::TileOutputs&, chip::TileInputs&);
  void send_response(const std::vector<uint32_t>& request);

  Random random_;
  const unsigned tile_;
  std::deque<uint16_t> selects_;  // of the last cycles
  bool paired_ = false;           // in the cycle before
  uint32_t sync_delay_ = 0, grant_delay_ = 0;
  bool sync_pending_ = false, grant_pending_ = false;
  std::vector<uint32_t> packet_;  // words that the tile has sent so far
  uint32_t response_delay_ = 0;
  std::deque<uint32_t> response_;
  bool response_first_ = false;
};

}  // namespace tessera::test
