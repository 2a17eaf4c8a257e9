// The wave of a failed random program.
#pragma once

#include <cstdint>
#include <string>

#include "program_generator.h"

namespace tessera::test {

// Runs the program again on a traced tile up to its first difference from the model, in `failing_cycle`, and leaves the
// RTL's signals of the last cycles before it in `path` (FST; one time unit is half a cycle). Returns `path`.
std::string leave_failure_wave(const RandomProgram&, unsigned tile, uint64_t failing_cycle, const std::string& path);

}  // namespace tessera::test
