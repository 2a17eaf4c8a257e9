// Which memory an instruction reads. A retire record tells writes only; the addresses of loads follow from the
// instruction and the registers before it, of which a shadow is kept.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/port/tile_port.h"

namespace tessera::inspect {

class FrozenView;

struct Range {
  uint32_t address = 0, bytes = 0;
  bool meets(uint32_t other, uint32_t length) const {
    return bytes != 0 && length != 0 && other < address + bytes && address < other + length;
  }
};

// Registers of a tile's seven contexts, kept by retire records.
class RegisterShadow {
 public:
  void fill(FrozenView& view, unsigned tile);
  void apply(const chip::Retire&);
  // Of an instruction that has not been applied; ranges of no bytes: no read.
  std::array<Range, 2> reads(const chip::Retire&) const;

 private:
  struct Context {
    std::array<uint32_t, 32> x{};
    std::array<uint64_t, 32> f{};
  };
  std::array<Context, 7> contexts_;
};

}  // namespace tessera::inspect
