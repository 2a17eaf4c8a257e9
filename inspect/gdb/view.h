// The tiles of all chips of a target at record time c: a FrozenView of each chip, made when it is first looked into. A
// chip that has not come to c is shown as it stands.
#pragma once

#include <memory>
#include <vector>

#include "inspect/frozen_view.h"
#include "inspect/gdb/target.h"

namespace tessera::inspect::gdb {

class View {
 public:
  View(Target& target, uint64_t c) : target_(target), cycle_(c), chips_(target.chips()) {}

  // As FrozenView says.
  uint32_t pc(unsigned tile, unsigned context) { return chip(tile).pc(on_chip(tile), context); }
  uint32_t x(unsigned tile, unsigned context, unsigned number) { return chip(tile).x(on_chip(tile), context, number); }
  uint64_t f(unsigned tile, unsigned context, unsigned number) { return chip(tile).f(on_chip(tile), context, number); }
  uint32_t csr(unsigned tile, unsigned context, unsigned number) {
    return chip(tile).csr(on_chip(tile), context, number);
  }
  uint32_t vector(unsigned tile, unsigned context, unsigned number) {
    return chip(tile).vector(on_chip(tile), context, number);
  }
  uint8_t active(unsigned tile) { return chip(tile).active(on_chip(tile)); }
  chip::ExceptionStatus exception(unsigned tile) { return chip(tile).exception(on_chip(tile)); }
  chip::TileWait wait(unsigned tile) {
    chip::TileWait wait = chip(tile).wait(on_chip(tile));
    wait.tile = tile;
    return wait;
  }
  void read(unsigned tile, uint32_t address, std::span<uint8_t> bytes) {
    chip(tile).read(on_chip(tile), address, bytes);
  }
  uint32_t word(unsigned tile, uint32_t address) { return chip(tile).word(on_chip(tile), address); }

  // Of the chip of a tile.
  FrozenView& chip(unsigned tile) {
    const Target::OnChip at = target_.of(tile);
    auto& view = chips_[at.place.chip];
    if (!view) view = std::make_unique<FrozenView>(at.run, Target::within(at.run, cycle_));
    return *view;
  }

 private:
  unsigned on_chip(unsigned tile) const { return target_.of(tile).tile; }

  Target& target_;
  const uint64_t cycle_;
  std::vector<std::unique_ptr<FrozenView>> chips_;
};

}  // namespace tessera::inspect::gdb
