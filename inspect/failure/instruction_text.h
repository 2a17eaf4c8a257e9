// Instructions as lines of a report.
#pragma once

#include <string>

#include "inspect/failure/history.h"
#include "inspect/failure/operands.h"
#include "inspect/failure/words.h"
#include "sim/port/tile_port.h"

namespace tessera::inspect::failure {

std::string register_value(Source, uint64_t value);  // "0x5c000"; a boxed float "1.5"
// What it wrote: "a0 = 0x5c000", "[0x5c004] = 0x1"; "" for nothing.
std::string effect(const chip::Retire&);
// What the record's instruction wrote to the register, as its result, its second result or its updated base.
uint64_t written_value(Source, const chip::Retire&);
// ", from `lw a0, 4(a1)` in cycle 12345 at codelets.cpp:26"
std::string origin(const Words&, const chip::Retire& writer);
// "    12345  0x4c1f4  lw a0, 4(a1)              a0 = 0x5c000           codelets.cpp:26"
std::string listing(const Words&, const chip::Retire&);
// The last instructions of a context, a line each; "" when there are none.
std::string listing(const Words&, const History::Context&);

}  // namespace tessera::inspect::failure
