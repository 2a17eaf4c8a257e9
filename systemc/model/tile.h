// The model of a tile, exact to the cycle (docs/reference/tile.md, exchange.md, edge.md): the twin of rtl/tile/tile.sv.
//
// step() takes the inputs of cycle t and does what the clock edge that ends t does. The outputs it gives are
// registered: what the ports show in cycle t + 1. Before the first step the ports show a default TileOutputs with idle
// set. Cycles may be left out while the tile is idle and its inputs are: the next step() may be of any later cycle.
#pragma once

#include <cstdint>

#include "chip/chip.h"
#include "chip/tile_port.h"
#include "model/execute.h"
#include "model/tile_state.h"

namespace tessera::model {

class ModelTile {
 public:
  explicit ModelTile(unsigned id = 0) { state_.id = id; }

  void step(const chip::TileInputs&, chip::TileOutputs&);
  // Of the last step: the instruction that was in M (issued four cycles before), and the word that the exchange port or
  // the packet port wrote.
  const chip::Retire& retired() const { return execution_.record; }
  const chip::PortWrite& port_write() const { return receive_write_.valid ? receive_write_ : packet_write_; }

  // The cycles from_cycle.. with inputs that stay inactive, as so many steps, but without the ports. Returns the first
  // cycle not executed: to_cycle, or earlier the first cycle in which the ports newly show a sync request, a packet
  // request or an exception, or show idle. At least one cycle is executed. Must not be called while exchanging or while
  // words of a packet are on their way. `observer` may be null (fastest).
  uint64_t run_alone(uint64_t from_cycle, uint64_t to_cycle, chip::Observer* observer, unsigned tile);
  // What the ports show in `cycle` after run_alone() returned it.
  chip::TileOutputs outputs(uint64_t cycle) const;

  chip::ExceptionStatus exception() const { return state_.exception; }
  const TileState& state() const { return state_; }
  TileState& state() { return state_; }  // checkpoints, and tools that load memory by the back door

 private:
  void cycle(const chip::TileInputs&, unsigned slot);
  void run_ports(const chip::TileInputs&, uint32_t fetched, bool ready);
  void except(spec::Cause, unsigned context, uint32_t pc, uint32_t value, uint64_t cycle, uint64_t now);

  TileState state_;
  Execution execution_;  // of the instruction in M
  PortFault fault_;
  chip::PortWrite receive_write_, packet_write_;
  uint64_t debug_due_ = 0;  // cycle in which debug_next_ shows
  uint32_t debug_next_ = 0, debug_data_ = 0;
};

}  // namespace tessera::model
