// What lies at an address of a tile, in the words of the program: an element, the buffer of a vertex's field, a stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "program/place_names.h"

namespace tessera::inspect::waves {

class Places {
 public:
  // The program is not owned and may not change meanwhile.
  Places(const names::ProgramInfo& program, unsigned tile) : names_(program, tile), tile_(tile) {}

  // `by`: the vertex that writes there; null: the exchange or a packet.
  std::string at(uint32_t address, const names::Vertex* by = nullptr) const {
    return names_.at(tile_, address, by, step_ ? &*step_ : nullptr);
  }
  // The tile's supervisor is in it now.
  void in(const names::Step& step) { step_ = step; }

 private:
  const names::PlaceNames names_;
  const unsigned tile_;
  std::optional<names::Step> step_;
};

}  // namespace tessera::inspect::waves
