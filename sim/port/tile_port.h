// The ports of a tile as plain structs: the same signals, under the same names, as rtl/tile/tile.sv and the model's
// tile. A value belongs to one cycle. Times and meanings: docs/reference/{tile,exchange,edge}.md.
//
// Stepping. Every output is a register. step(in, out) runs one cycle t = in.cycle: `in` is what the input ports hold in
// cycle t, `out` afterwards is what the output ports show in cycle t + 1. So a request that is high from cycle c + 6 is
// in the `out` of step(c + 5); an acknowledgement high in cycle A is in the `in` of step(A), and that step's `out` has
// dropped the request. Words leave by `packet` as by `exchange`: read from memory in cycle r, on the port in r + 2.
// They come by a register of the tile (TileWords). After reset, before the first step, all outputs are zero except
// exchange_select = kNoTile and idle = true.
//
// What the chip engine asks of a tile class (RtlTile, model::ModelTile):
//   Tile(const spec::Machine&, unsigned tile_id);
//   void reset();                                  // power-up: memory and registers zero, supervisor halted
//   void step(const TileInputs&, TileOutputs&);    // one cycle
//   const Retire& retire() const;                  // of the last step; valid = false when nothing retired
//   const PortWrites& port_writes() const;         // of the last step
//   uint64_t run_alone(uint64_t from, uint64_t to, Observer*, unsigned tile, TileOutputs&);
//     Steps cycles from, from + 1, ... with all inputs inactive. Stops after the step whose outputs show idle,
//     packet_request or another sync_request than before the first, or after cycle to - 1; returns the next cycle to
//     step. The observer (may be null) gets what each step retired or wrote, or what it stored if that is all it wants.
//     Never called while exchanging.
//   ExceptionStatus exception();                   // cause 0: none. These three take no chip time and change nothing
//   TileWait wait();                               // who is active, pcs of the next to issue
//   uint64_t peek(uint32_t address);               // memory word of 64 bits, 8-aligned; RTL: only while idle
//   Snapshot snapshot(size_t& bytes);              // all state, between two steps; adds to `bytes` what it alone holds
//   void restore(const Snapshot&);                 // of this tile, or of one of the same class and id
//   void poke(uint32_t address, uint64_t data);    // the same word; takes no chip time; while idle
//   uint8_t bad_bytes(uint32_t address);           // bytes of it that do not fit their check bits: bit 0, the lowest
//   void spoil(uint32_t address, uint8_t bytes);   // turns the check bits of these bytes over
//   void load(uint32_t address, std::span<const uint32_t>);  // words at a 4-aligned address, inside memory; while
//   idle;
//     what debug writes of them do, without their time (optional: else they are made one by one)
//   void flip(const Flip&);                        // a fault of what the tile holds; takes no time (optional)
// The Retire of an instruction issued in c comes from step(c + 4) or step(c + 5), at the latest from the first step
// that shows idle again. (Exchange faults have no instruction and no record.) What ports write likewise.
#pragma once

#include <cstdint>

#include "rtl/spec/causes.h"
#include "rtl/spec/numbers.h"

namespace tessera::chip {

using spec::DebugSpace;
using spec::kNoTile;

// What enters a register of the tile: on the input in cycle t, it is written to memory in t + 1.
struct TileWords {
  bool exchange_valid = false;
  uint32_t exchange_data = 0;
  bool pair_valid = false;  // what the other tile of its pair gets, a cycle behind `paired`
  uint32_t pair_data = 0;
  bool packet_valid = false;  // packet in
  bool packet_first = false;
  uint32_t packet_data = 0;
};

struct TileInputs : TileWords {
  uint64_t cycle = 0;  // chip cycle; the tile derives nothing else from it (slot = cycle mod 6 is given beside it)
  bool sync_ack = false;
  uint8_t sync_ack_zone = 0;  // which sync is over
  bool sync_consensus = false;
  uint16_t sync_mark = 0;
  bool packet_grant = false;  // one cycle: G in edge.md
  bool debug_valid = false;   // debug access: result on debug_data four cycles later
  bool debug_write = false;
  DebugSpace debug_space = DebugSpace::kMemory;
  uint8_t debug_context = 0;
  uint32_t debug_address = 0;
  uint32_t debug_wdata = 0;
};

struct TileOutputs {
  bool sync_request = false;
  uint8_t sync_zone = 0;
  bool sync_value = false;
  bool exchange_valid = false;
  uint32_t exchange_data = 0;
  uint16_t exchange_select = kNoTile;
  bool pair_valid = false;  // goes out by the port of the other tile of its pair
  uint32_t pair_data = 0;
  bool paired = false;          // halves of double words may come in this phase
  bool packet_request = false;  // hsend waits for its grant
  bool packet_valid = false;    // packet out
  bool packet_last = false;
  uint32_t packet_data = 0;
  uint32_t debug_data = 0;
  bool debug_refused = false;  // the last debug access, from the cycle behind a write, two behind a read
  bool exception = false;
  bool idle = false;        // state cannot change until an input does: need not be evaluated
  bool exchanging = false;  // sequencer started and not done: from P on (armed and waiting does not count)
};

// What retired in M of some instruction, and what the other ports wrote to memory. Filled once per cycle at most each.
struct Retire {
  bool valid = false;
  uint64_t cycle = 0;   // issue cycle of the (last pass of the) instruction
  uint8_t context = 0;  // 0 supervisor, 1..6 workers
  uint32_t pc = 0;
  uint32_t instruction = 0;
  bool reg_write = false;  // x0 is never written
  bool reg_float = false;
  uint8_t reg = 0;
  uint64_t reg_data = 0;    // integer registers: low 32 bits
  bool pair_write = false;  // float register reg + 1 as well
  uint64_t pair_data = 0;
  bool base_write = false;  // rs1, updated: an address register or, base_float, an address triple
  bool base_float = false;
  uint8_t base = 0;  // x0 is never written
  uint64_t base_data = 0;
  bool mem_write = false;
  uint32_t mem_address = 0;  // 8-aligned
  uint64_t mem_data = 0;     // in byte lanes; lanes without strobe are 0
  uint8_t mem_strobe = 0;
  uint8_t flags = 0;      // float flags raised
  uint8_t exception = 0;  // cause; an excepting instruction gives a record without writes
};

struct PortWrite {  // a word written by the exchange receive or packet in port
  bool valid = false;
  bool packet = false;
  uint64_t cycle = 0;
  uint32_t address = 0;
  uint32_t data = 0;
  bool half = false;  // of a double word of a paired transfer
};

struct PortWrites {  // of a cycle: each port may have written a word, the exchange two that follow each other
  PortWrite received, received_high, packet;

  bool any() const { return received.valid || packet.valid; }
  void clear() { received.valid = received_high.valid = packet.valid = false; }
  template <class Visit>
  void each(const Visit& visit) const {
    if (received.valid) visit(received);
    if (received_high.valid) visit(received_high);
    if (packet.valid) visit(packet);
  }
};

struct ExceptionStatus {
  uint8_t cause = 0;
  uint8_t context = 0;
  uint32_t pc = 0;
  uint32_t value = 0;
  uint64_t cycle = 0;

  // Raised by the exchange ports and not by an instruction: then pc is 0, and a supervisor at pc 0 can only have been
  // sent there.
  bool is_of_ports() const { return pc == 0 && context == 0 && cause != static_cast<uint8_t>(spec::Cause::Pc); }
};

}  // namespace tessera::chip
