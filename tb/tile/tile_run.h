// A verilated tile stepped by hand: programs go in through the debug port, records come out. Cycle 0 is the first cycle
// after reset in which the tile is started; what happens before has negative sign and is not counted.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "Vtile.h"
#include "tb/model/program.h"

namespace tessera::test {

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
    top.tile_id_i = 5;
    top.rst_ni = 0;
    clock();
    clock();
    top.rst_ni = 1;
  }
  ~TileRun() { top.final(); }

  uint64_t cycle() const { return cycle_; }  // of the present cycle: inputs set now belong to it, outputs show it

  void step() {
    top.cycle_i = cycle_;
    top.slot_i = cycle_ % 6;
    clock();
    ++cycle_;
    const auto& o = top.observe_o;
    if (!(o[9] >> 31) || !recording) return;
    Record r;
    r.cycle = cycle_ - 5;
    r.context = o[9] >> 23 & 7;
    r.pc = o[8];
    r.writes = o[9] >> 28 & 1;
    r.reg = o[9] >> 18 & 31;
    r.data = o[5] | uint64_t{o[6]} << 32;
    r.stores = o[9] >> 26 & 1;
    r.address = o[4];
    r.stored = o[2] | uint64_t{o[3]} << 32;
    r.strobe = o[9] & 0xff;
    r.flags = o[9] >> 13 & 31;
    r.cause = o[9] >> 8 & 15;
    r.pair_write = o[14] >> 31;
    r.pair_data = o[12] | uint64_t{o[13]} << 32;
    r.base_write = o[14] >> 30 & 1;
    r.base_float = o[14] >> 29 & 1;
    r.base = o[14] >> 24 & 31;
    r.base_data = o[10] | uint64_t{o[11]} << 32;
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
    write(4, 0, 0, pc);
  }

  // Issue cycles of a context, in order.
  std::vector<uint64_t> issues(unsigned context) const {
    std::vector<uint64_t> cycles;
    for (const auto& r : records)
      if (r.context == context) cycles.push_back(r.cycle);
    return cycles;
  }
  uint32_t cause() { return read(4, 0, 5) & 15; }
  uint32_t exception_context() { return read(4, 0, 5) >> 4 & 7; }
  uint32_t exception_pc() { return read(4, 0, 6); }
  uint32_t exception_value() { return read(4, 0, 7); }
  uint32_t exception_cycle() { return read(4, 0, 8); }
  uint32_t x(unsigned context, unsigned number) { return read(1, context, number); }
  uint32_t word(uint32_t address) { return read(0, 0, address); }

 private:
  void clock() {
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  }
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
