// What an instruction does in M. execute() computes it and changes nothing, commit() carries it out: between the two
// the tile may find a fault of a port that squashes it.
#pragma once

#include <array>
#include <cstdint>

#include "rtl/spec/causes.h"
#include "sim/model/tile_state.h"
#include "sim/port/tile_port.h"

namespace tessera::model {

struct Execution {
  chip::Retire record;  // fields of what the instruction did not do hold what an earlier one left
  uint32_t next_pc = 0;
  spec::Cause cause = spec::Cause::None;
  bool csr_write = false;
  bool draws = false;          // the next random number is used up
  bool engine_write = false;   // `engine` is the worker's new state
  bool repeat_begins = false;  // `repeat` is the worker's new state
  bool repeat_counts = false;  // end of a pass
  uint32_t value = 0;          // of the exception
  // Addresses of the data accesses; 0: none.
  std::array<uint32_t, 2> reads{};
  uint32_t write = 0;
  uint8_t read_words = 0;  // which words of 64 bits the first read takes (Triggers)
  uint32_t csr_value = 0;
  WeightState::Load weights;
  Repeat repeat;
  EngineState engine;

  // Forgets the last instruction: says that nothing was done, and leaves the values.
  void clear() {
    record.reg_write = record.reg_float = record.pair_write = record.base_write = record.mem_write = false;
    record.flags = record.exception = 0;
    cause = spec::Cause::None;
    csr_write = draws = engine_write = repeat_begins = repeat_counts = false;
    reads = {};
    write = 0;
    weights.words = 0;
  }
  void raise(spec::Cause why, uint32_t what) {
    cause = why;
    value = what;
  }
  void write_integer(unsigned rd, uint32_t data) {
    record.reg_write = rd != 0;
    record.reg = static_cast<uint8_t>(rd);
    record.reg_data = data;
  }
  void write_float(unsigned rd, uint64_t data) {
    record.reg_write = record.reg_float = true;
    record.reg = static_cast<uint8_t>(rd);
    record.reg_data = data;
  }
};

// `fetched`: address fetched in this cycle, 0: none (clash).
void execute(const TileState&, const Issued&, uint32_t fetched, Execution&);
void commit(TileState&, const Issued&, const Execution&);

// Whether a worker with these trap enables excepts on these flags.
constexpr bool traps(unsigned enables, uint8_t flags) {
  return ((enables & 1) && (flags & 16)) || ((enables & 2) && (flags & 8)) || ((enables & 4) && (flags & 4));
}

}  // namespace tessera::model
