// A tile's exchange event list, read back from its memory (docs/reference/exchange.md, Event lists).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "inspect/failure/stopped_chip.h"

namespace tessera::inspect::failure {

struct Event {
  bool receive = false, last = false;
  unsigned delay = 0, count = 0;
  unsigned pair = 0;     // not 0: count double words, of which one half is on the tile's port
  uint32_t address = 0;  // bytes
  unsigned source = 0;   // tile, receive
  uint64_t cycle = 0;    // in which it executes
  uint64_t first = 0;    // in which its first word is on the port, or is written
};
// From the list's address and the phase start P; `word` reads the tile's memory, 4-aligned and inside. Ends at the last
// event, or where it leaves memory.
std::vector<Event> read_events(const std::function<uint32_t(uint32_t)>& word, const spec::Machine&, unsigned tile,
                               uint32_t list, uint64_t phase_start);
std::vector<Event> read_events(StoppedChip&, const spec::Machine&, unsigned tile, uint32_t list, uint64_t phase_start);

// The receive event whose word is on the input in that cycle, and which of its words; null: there is none.
const Event* receiving(const std::vector<Event>&, uint64_t cycle, unsigned& word);
// The send event whose word is on the port in that cycle.
const Event* sending(const std::vector<Event>&, uint64_t cycle, unsigned& word);

// "receives 16 words from tile 3 to 0x5c000, cycles 2100..2115"
std::string describe(const Event&);

}  // namespace tessera::inspect::failure
