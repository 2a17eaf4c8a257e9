// A verilated fabric (rtl/chip/fabric.sv) by its pins. Inputs are those of the present cycle, outputs functions of
// registers only, so that they are known when the cycle begins.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rtl/spec/link_tables.h"
#include "rtl/spec/machine.h"
#include "sim/engine/state_pages.h"
#include "sim/port/fabric_choice.h"
#include "sim/port/link_port.h"
#include "sim/port/tile_port.h"

class VerilatedContext;
class VerilatedFstC;

namespace tessera::chip {

class FabricPins {
 public:
  virtual ~FabricPins() = default;

  struct Word {  // of a packet, at the host's end
    bool valid = false, first = false, last = false, bad = false;
    uint32_t data = 0;
    bool operator==(const Word&) const = default;
  };

  virtual void reset() = 0;
  // What a tile shows.
  virtual void tile(unsigned id, const TileOutputs&) = 0;
  // From the host, in the present cycle: a word of a response; its answer to a host sync.
  virtual void down(const Word&) = 0;
  virtual void mark(uint16_t) = 0;
  // The host sets up an access of the debug port, which takes no chip time; makes it in the present cycle, until
  // clock(); and reads what a tile has answered. `select`: spec::DebugSelect.
  virtual void select(uint32_t select, uint32_t address) = 0;
  virtual void access(bool write, uint32_t data) = 0;
  virtual uint32_t answer() = 0;
  // Of a chip in a system of several, std::logic_error of another. The host tells it of the system, which takes no chip
  // time; in the present cycle something comes on a channel, or the group's answer; what is on the channels, in their
  // order, a word before credits.
  virtual void join(uint32_t chip, const spec::LinkTables&, Grouped grouped);
  // Where nothing is in its links: the source whose turn comes first, by way.
  virtual void turns(std::span<const unsigned> first);
  virtual void link_in(const LinkEvent&);
  virtual void group_answer(uint8_t zone, bool consensus);
  virtual std::vector<LinkEvent> link_out() const { return {}; }
  virtual void clock(uint64_t cycle) = 0;  // ends that cycle
  virtual void settle() = 0;               // what follows from the inputs of the present cycle is there to be seen
  // Adds all signals to a file that is not open yet; not to be reset then. Of those with waves.
  virtual void trace(VerilatedFstC&) = 0;

  // What the fabric gives a tile: all of TileInputs but the cycle. A packet's words are on every tile's port.
  virtual void inputs(unsigned id, TileInputs&) const = 0;
  virtual bool gives() const = 0;  // some tile gets something: where none does, none has to be asked
  virtual Word up() const = 0;
  virtual bool host_waits() const = 0;
  // Register i of the machine's description, as the host reads it.
  virtual uint32_t description(unsigned i) = 0;

  virtual Pages save(const Pages& earlier, size_t& bytes) = 0;
  virtual void load(const Pages&) = 0;
};

// In tessera_fabric. The machine whose verilated fabric is that of `machine`, empty for the engine's.
std::string fabric_kind_of(FabricChoice, const spec::Machine&);
// The fabric of a machine, null for that of the engine.
// `linked`: of a chip in a system of several.
std::unique_ptr<FabricPins> make_fabric_pins(FabricChoice, const spec::Machine&, bool linked = false);
// In tessera_wave_chip: with waves.
std::unique_ptr<FabricPins> make_traced_fabric_pins(FabricChoice, const spec::Machine&, VerilatedContext&);

}  // namespace tessera::chip
