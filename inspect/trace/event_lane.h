// Events that are few: requests, syncs, supersteps, vertices, exceptions. Each is written whole.
#pragma once

#include <vector>

#include "inspect/trace/event.h"
#include "inspect/trace/format.h"

namespace tessera::inspect::trace {

// In the order given; cycles may go back a little.
void encode_events(const std::vector<Event>&, Bytes& out);
// Ordered by cycle, those of one cycle as they were given.
std::vector<Event> decode_events(ByteReader, uint32_t tile, uint8_t lane);

}  // namespace tessera::inspect::trace
