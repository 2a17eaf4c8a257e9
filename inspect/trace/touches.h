// Which memory of its tile an event reads and writes.
#pragma once

#include <vector>

#include "inspect/trace/event.h"

namespace tessera::inspect::trace {

struct Touch {
  uint32_t address = 0, bytes = 0;
  bool write = false;
  uint64_t value = 0;  // written: bytes from the first on
  uint8_t strobe = 0;  // of a write: which of them
};
// Reads whose address is known, and writes: of instructions, exchange, packets and the host's debug port.
std::vector<Touch> touches(const Event&);

}  // namespace tessera::inspect::trace
