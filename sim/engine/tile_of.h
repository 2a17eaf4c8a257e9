// A tile class of the chip engine behind the interface of tile.h.
#pragma once

#include <stdexcept>

#include "sim/port/tile.h"

namespace tessera::chip {

template <class T>
class TileOf : public Tile {
 public:
  TileOf(const spec::Machine& machine, unsigned id) : machine_(machine), tile_(machine, id) {
    if (id >= machine.tiles())
      throw std::out_of_range("machine " + machine.name + " has no tile " + std::to_string(id));
    tile_.reset();
  }
  void reset() override { tile_.reset(); }
  void step(const TileInputs& in, TileOutputs& out) override { tile_.step(in, out); }
  const Retire& retire() const override { return tile_.retire(); }
  const PortWrites& port_writes() const override { return tile_.port_writes(); }
  ExceptionStatus exception() override { return tile_.exception(); }
  TileWait wait() override { return tile_.wait(); }
  uint64_t peek(uint32_t address) override { return tile_.peek(address); }
  void flip(const Flip& flip) override {
    check_flip(machine_, flip);
    if (!is_state(flip.site)) throw std::logic_error("fault: words on their way are the bench's own");
    tile_.flip(flip);
  }

 private:
  const spec::Machine machine_;
  T tile_;
};

}  // namespace tessera::chip
