// Cycles in which workers do nothing but what most instructions do: integers, f32, loads and stores, branches. They are
// what issue(), execute() and commit() make of them, without the record of each.
#pragma once

#include <cstdint>

#include "sim/model/execute.h"
#include "sim/port/chip.h"

namespace tessera::model {

// Runs cycles from `cycle` to at most end - 1, with inactive inputs and nobody who wants records, and stops before the
// first that holds anything else: returns the next cycle to run, which is `cycle` when this one does. The execution is
// left with whatever came last.
//
// `stores`, if not null, gets what is written to memory.
uint64_t run_burst(TileState&, Execution&, uint64_t cycle, uint64_t end, chip::Observer* stores);

}  // namespace tessera::model
