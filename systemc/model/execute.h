// What an instruction does in M. execute() computes it and changes nothing, commit() carries it out: between the two
// the tile may find a fault of a port that squashes it.
#pragma once

#include <cstdint>

#include "rtl/spec/causes.h"
#include "systemc/chip/tile_port.h"
#include "systemc/model/tile_state.h"

namespace tessera::model {

struct Execution {
  chip::Retire record;
  uint32_t next_pc = 0;
  spec::Cause cause = spec::Cause::None;
  uint32_t value = 0;         // of the exception
  uint32_t data_address = 0;  // of the data access; 0: none
  bool data_write = false;
  bool csr_write = false;
  uint32_t csr_value = 0;

  void raise(spec::Cause why, uint32_t what) {
    cause = why;
    value = what;
  }
};

// `fetched`: address fetched in this cycle, 0: none (clash).
void execute(const TileState&, const Issued&, uint32_t fetched, Execution&);
void commit(TileState&, const Issued&, const Execution&);

}  // namespace tessera::model
