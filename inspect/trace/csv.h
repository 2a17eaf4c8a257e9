// A trace as comma-separated values (RFC 4180), for other programs: one line an event, or one a row of a table.
#pragma once

#include <string>
#include <vector>

#include "inspect/trace/names.h"
#include "inspect/trace/tables.h"

namespace tessera::inspect::trace {

std::string csv_line(const std::vector<std::string>& fields);  // with quotes where a field needs them, and a newline

// Columns: docs/reference/trace.md.
std::string csv_heading();
std::string csv(const Event&, Names&);
std::string csv(const SuperstepTable&);
std::string csv(const VertexTable&);

}  // namespace tessera::inspect::trace
