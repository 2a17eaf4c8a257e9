// Traces of the program of traced_program.h, each made once, and the command-line tool on them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "inspect/trace/trace_reader.h"
#include "synthetic_run.h"
#include "traced_program.h"

namespace tessera::inspect::trace {

struct TracedProgram {
  TracedProgram(const std::string& backend, float factor, const std::string& more = "", const std::string& flags = "")
      : counters(trace_test::run_traced(backend, file.path, factor, more, flags)) {}
  TemporaryFile file;
  trace_test::Counters counters;
};

const TracedProgram& on(const std::string& backend);
std::vector<std::string> backends();  // "model", and "rtl" where it is built
TraceReader reread(const TracedProgram&);

// A command's exit status and what it printed; `folder`: where it runs, "" here.
std::pair<int, std::string> tool(const std::string& arguments, const std::string& folder = "");

}  // namespace tessera::inspect::trace
