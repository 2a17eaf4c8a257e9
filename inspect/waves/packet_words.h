// Packets in words, from their words (docs/reference/edge.md, link.md).
#pragma once

#include <cstdint>
#include <string>

#include "inspect/waves/places.h"

namespace tessera::inspect::waves {

// Follows the words of one direction of one tile's packet port.
class PacketWords {
 public:
  enum class Direction { kOut, kIn };
  PacketWords(const Places& places, unsigned tile, Direction direction)
      : places_(places), tile_(tile), direction_(direction) {}

  // The next word; what is known of its packet with it, "" when the packet is not this tile's.
  std::string next(uint32_t word, bool first);

 private:
  std::string place(uint32_t tile_address) const;

  const Places& places_;
  const unsigned tile_;
  const Direction direction_;
  unsigned index_ = 0;
  uint32_t header_ = 0;
  std::string text_;
};

}  // namespace tessera::inspect::waves
