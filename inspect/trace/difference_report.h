// What `tessera diff` says of two traces.
#pragma once

#include <string>

#include "inspect/trace/aligned_difference.h"
#include "inspect/trace/difference.h"

namespace tessera::inspect::trace {

struct DifferenceReport {
  bool equal = false;
  std::string text;
};

// Compares the tiles and cycles that both hold: event by event, and where that differs by the program as well. At most
// `rows` lines of each table. Throws TraceError when the traces cannot be compared.
DifferenceReport report_difference(TraceReader& first, TraceReader& second, size_t rows);

}  // namespace tessera::inspect::trace
