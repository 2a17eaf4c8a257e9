// A trace as JSON trace events, which ui.perfetto.dev and chrome://tracing open. Every tile is a process with tracks
// for supervisor, workers, exchange and packets, with flows from senders to receivers, and counters; chip and host are
// processes of their own. One cycle is shown as one nanosecond, so that numbers stay whole.
#pragma once

#include <string>

#include "inspect/trace/trace_reader.h"

namespace tessera::inspect::trace {

// Writes the file; gzip when its name ends in .gz. Throws formats::CannotWrite when it cannot be written.
void write_perfetto(TraceReader&, size_t run, const Selection&, const std::string& path);

}  // namespace tessera::inspect::trace
