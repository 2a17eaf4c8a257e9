// The monitor command `checkpoint FILE` (docs/reference/gdb.md).
#pragma once

#include <cstdint>
#include <string>

#include "inspect/gdb/target.h"

namespace tessera::inspect::gdb {

// Writes the chip as the superstep of `position` began; of several the moment of the last host sync before it at which
// all stood. Says what is in the file, a line. Throws std::runtime_error or std::logic_error, one line.
std::string write_checkpoint(Target&, uint64_t position, const std::string& path);

}  // namespace tessera::inspect::gdb
