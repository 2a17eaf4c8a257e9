// A chip's links, as the system around it sees them (docs/reference/link.md): what goes in and out, by cycle.
#pragma once

#include <cstdint>
#include <optional>

namespace tessera::chip {

struct LinkWord {
  bool last = false, bad = false;
  uint8_t layer = 0;
  uint32_t data = 0;
};

// Zones of a chip that others have to come to as well (register PLACE).
struct Grouped {
  bool external = false;
  bool replica = false;
};

// Something on a channel in a cycle: a word, or a credit for its other direction.
struct LinkEvent {
  uint64_t cycle = 0;
  unsigned channel = 0;
  std::optional<LinkWord> word;  // else a credit
  uint8_t layer = 0;             // of the credit
};

}  // namespace tessera::chip
