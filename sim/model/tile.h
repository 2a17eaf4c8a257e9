// The model of a tile, exact to the cycle (docs/reference/tile.md, exchange.md, edge.md): the twin of rtl/tile/tile.sv.
//
// step() takes the inputs of cycle t and does what the clock edge that ends t does. The outputs it gives are
// registered: what the ports show in cycle t + 1. Before the first step the ports show a default TileOutputs with idle
// set. Cycles may be left out while the tile is idle and its inputs are: the next step() may be of any later cycle.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sim/model/execute.h"
#include "sim/model/flip.h"
#include "sim/model/tile_state.h"
#include "sim/port/chip.h"
#include "sim/port/tile_port.h"

namespace tessera::model {

class ModelTile {
 public:
  static constexpr unsigned kNanoseconds = 50;  // that a step takes, roughly

  ModelTile(const spec::Machine& machine, unsigned id) : ModelTile(machine.geometry(), machine.site(id)) {}
  ModelTile(const spec::TileGeometry&, const spec::TileSite&);
  void reset() { *this = ModelTile(state_.memory.geometry(), state_.site); }  // power-up

  void step(const chip::TileInputs&, chip::TileOutputs&);
  // Of the last step: the instruction that was in M (issued four cycles before), and what the ports
  // wrote.
  const chip::Retire& retire() const { return execution_.record; }
  const chip::PortWrites& port_writes() const { return port_writes_; }

  // Steps cycles from, from + 1, ... with inputs that stay inactive, faster than step(). Stops after the step whose
  // outputs show idle, a sync or a packet request, or after cycle to - 1; returns the next cycle to step. Must not be
  // called while exchanging or while words of a packet are on their way. `observer` may be null (fastest).
  uint64_t run_alone(uint64_t from, uint64_t to, chip::Observer* observer, unsigned tile, chip::TileOutputs&);

  chip::ExceptionStatus exception() const { return state_.exception; }
  chip::TileWait wait() const;                                                   // all but tile and state
  uint64_t peek(uint32_t address) const { return state_.memory.read(address); }  // 64 bits, 8-aligned
  void flip(const chip::Flip& flip) { model::flip(state_, flip); }
  void poke(uint32_t address, uint64_t data) { state_.memory.write(address, data, 0xff); }
  uint8_t bad_bytes(uint32_t address) const { return state_.memory.bad_bytes(address); }
  void spoil(uint32_t address, uint8_t bytes) { state_.memory.spoil(address, bytes); }
  // 4-aligned, inside memory.
  void load(uint32_t address, std::span<const uint32_t> words) { state_.memory.write_words(address, words); }
  const TileState& state() const { return state_; }
  TileState& state() { return state_; }  // checkpoints

 private:
  struct DebugRead {
    uint64_t due = 0;  // cycle in which the data show
    uint32_t data = 0;
  };

 public:
  // Between two steps. What the last step retired or wrote is not part of it.
  class Snapshot {
    friend class ModelTile;
    ControlRegisters control;
    std::shared_ptr<const ArithmeticRegisters> arithmetic;  // those of an earlier one, if they are equal
    Memory::Image memory;
    std::array<DebugRead, 4> debug_reads;
    uint32_t debug_data = 0;
  };
  Snapshot snapshot(size_t& bytes) const;  // adds to `bytes` what it alone holds
  void restore(const Snapshot&);

 private:
  chip::TileOutputs outputs(uint64_t cycle) const;  // what the ports show in `cycle`, the next one to step
  void cycle(const chip::TileInputs&, unsigned slot);
  uint32_t run_ports(const chip::TileInputs&, uint32_t fetched, bool ready);
  void except(spec::Cause, unsigned context, uint32_t pc, uint32_t value, uint64_t cycle, uint64_t now);

  TileState state_;
  Execution execution_;  // of the instruction in M
  PortFault fault_;
  chip::PortWrites port_writes_;
  std::array<DebugRead, 4> debug_reads_;  // under way, by due cycle mod 4
  uint32_t debug_data_ = 0;
  mutable std::shared_ptr<const ArithmeticRegisters> arithmetic_;  // of the last snapshot taken or restored
};

}  // namespace tessera::model
