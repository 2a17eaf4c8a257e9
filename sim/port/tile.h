// One tile by itself, RTL or model, for benches that drive its ports: tile_port.h says what the ports mean and when.
// Both backends show the same on every port in every cycle, and retire the same records.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/port/chip.h"
#include "sim/port/tile_port.h"

namespace tessera::chip {

class Tile {
 public:
  virtual ~Tile() = default;
  virtual void reset() = 0;  // power-up: memory and registers zero, supervisor halted
  // Runs cycle `in.cycle`, the one after that of the last step; while the tile is idle cycles may be left out.
  virtual void step(const TileInputs& in, TileOutputs& out) = 0;
  // Of the last step; valid = false: nothing retired, nothing was written by a port.
  virtual const Retire& retire() const = 0;
  virtual const PortWrites& port_writes() const = 0;

  // These take no time and change nothing.
  virtual ExceptionStatus exception() = 0;      // cause 0: none
  virtual TileWait wait() = 0;                  // where its contexts are
  virtual uint64_t peek(uint32_t address) = 0;  // memory, 64 bits, 8-aligned; RTL: only while idle
  virtual void flip(const Flip&) = 0;           // a fault of what the tile holds
};

std::unique_ptr<Tile> make_tile(Backend, const spec::Machine&, unsigned id);
std::unique_ptr<Tile> make_model_tile(const spec::Machine&, unsigned id);  // needs no verilated code

}  // namespace tessera::chip
