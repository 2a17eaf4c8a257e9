// A verilated tile stepped by hand: programs go in through the debug port, records come out. Cycle 0 is the first cycle
// after reset in which the tile is started; what happens before has negative sign and is not counted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "Vtile_state.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"
#include "sim/engine/rtl_state.h"
#include "tb/model/program.h"

namespace tessera::test {

using spec::DebugControl;
using spec::DebugSpace;

struct Record {
  uint64_t cycle = 0;
  unsigned context = 0;
  uint32_t pc = 0;
  bool writes = false;
  unsigned reg = 0;
  uint64_t data = 0;
  bool stores = false;
  uint32_t address = 0;
  uint64_t stored = 0;
  unsigned strobe = 0;
  unsigned flags = 0;
  unsigned cause = 0;
  bool pair_write = false;
  uint64_t pair_data = 0;
  bool base_write = false, base_float = false;
  unsigned base = 0;
  uint64_t base_data = 0;
};

class TileRun {
 public:
  Vtile top;
  std::vector<Record> records;
  bool recording = true;  // else no records: speed

  TileRun() {
    stands(true);
    reset_tile(top, spec::kFirstResetCycles);
  }
  ~TileRun() { top.final(); }

  void stands(bool in_pair) {
    top.site_i = spec::TileSite{.in_pair = in_pair, .select_latency = 11, .tile_id = 5}.encode();
  }
  // What the tile is told of its sync in the present cycle, and what it asks.
  void answer(const spec::SyncAnswer& answer) { top.sync_i = answer.encode(); }
  spec::SyncRequest sync() const { return spec::SyncRequest::decode(top.sync_o); }

  uint64_t cycle() const { return cycle_; }  // of the present cycle: inputs set now belong to it, outputs show it

  void step() {
    top.cycle_i = cycle_;
    top.slot_i = cycle_ % 6;
    clock_tile(top);
    ++cycle_;
    const auto o = spec::Observe::decode(&top.observe_o[0]);
    if (!o.retire_valid || !recording) return;
    Record r;
    r.cycle = cycle_ - 5;
    r.context = o.context_id;
    r.pc = o.pc;
    r.writes = o.reg_write;
    r.reg = o.reg_number;
    r.data = o.reg_data;
    r.stores = o.mem_write;
    r.address = o.mem_address;
    r.stored = o.mem_data;
    r.strobe = o.mem_strobe;
    r.flags = o.flags;
    r.cause = o.exception;
    r.pair_write = o.pair_write;
    r.pair_data = o.pair_data;
    r.base_write = o.base_write;
    r.base_float = o.base_float;
    r.base = o.base_number;
    r.base_data = o.base_data;
    records.push_back(r);
  }
  void step_to(uint64_t cycle) {
    while (cycle_ < cycle) step();
  }

  void write(unsigned space, unsigned context, uint32_t address, uint32_t data) {
    access(true, space, context, address, data);
    step();
    top.debug_valid_i = 0;
  }
  uint32_t read(unsigned space, unsigned context, uint32_t address) {
    access(false, space, context, address, 0);
    step();
    top.debug_valid_i = 0;
    for (int i = 0; i < 3; ++i) step();
    return top.debug_data_o;
  }
  void load(uint32_t address, const std::vector<uint32_t>& words) {
    for (const uint32_t word : words) {
      write(0, 0, address, word);
      address += 4;
    }
  }
  void load(const Program& p) { load(p.base, p.words); }
  // The start is written in a cycle that is made cycle 0 of the chip: fetch in 1, first issue in 2.
  void start(uint32_t pc) {
    cycle_ = 0;
    records.clear();
    write(DebugSpace::kControl, 0, DebugControl::kStart, pc);
  }

  // Issue cycles of a context, in order.
  std::vector<uint64_t> issues(unsigned context) const {
    std::vector<uint64_t> cycles;
    for (const auto& r : records)
      if (r.context == context) cycles.push_back(r.cycle);
    return cycles;
  }
  uint32_t control(uint32_t number) { return read(DebugSpace::kControl, 0, number); }
  uint32_t cause() { return spec::TileStatus::decode(control(DebugControl::kStatus)).cause; }
  uint32_t exception_context() { return spec::TileStatus::decode(control(DebugControl::kStatus)).context_id; }
  uint32_t exception_pc() { return control(DebugControl::kExceptionPc); }
  uint32_t exception_value() { return control(DebugControl::kExceptionValue); }
  uint32_t exception_cycle() { return control(DebugControl::kExceptionCycleLow); }
  uint32_t x(unsigned context, unsigned number) { return read(DebugSpace::kInteger, context, number); }
  uint32_t word(uint32_t address) { return read(DebugSpace::kMemory, 0, address); }

  // Turns bits of a word of the memory over, and not its check bits.
  void flip(uint32_t address, uint32_t mask) {
    static const spec::Machine machine = spec::load_machine("mk2");
    chip::rtl_memory_row(tile_storage(top), machine, address).word ^= uint64_t{mask} << (8 * (address & 4));
  }

 private:
  void access(bool write, unsigned space, unsigned context, uint32_t address, uint32_t data) {
    top.debug_valid_i = 1;
    top.debug_write_i = write;
    top.debug_space_i = space;
    top.debug_context_i = context;
    top.debug_address_i = address;
    top.debug_wdata_i = data;
  }

  uint64_t cycle_ = 0;
};

constexpr uint32_t kCode = 0x4C000;    // element 0
constexpr uint32_t kWorker = 0x50000;  // element 1
constexpr uint32_t kData = 0x80000;    // elements 13, 14

}  // namespace tessera::test
