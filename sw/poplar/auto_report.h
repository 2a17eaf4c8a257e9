// Files that an engine leaves by its options autoReport.*, target.saveArchive and debug.loweredVarDumpFile.
#pragma once

#include <cstdint>
#include <string>

#include <poplar/Graph.hpp>
#include <poplar/ProfileValue.hpp>

#include "compiler/image/executable.h"

namespace tessera::runtime {

struct AutoReport {
  bool graph_profile = false;      // graph_profile.json: what Engine::getGraphProfile gives
  bool execution_profile = false;  // execution_profile.json: what Engine::getExecutionProfile gives
  bool serialized_graph = false;   // serialized_graph.cbor: what Graph::serialize writes
  bool archive = false;            // archive.a: as the file `archive_file`
  bool lowered_variables = false;  // lowered_vars.json: as the file `variables_file`
  std::string archive_file;        // an ar archive of the tiles' text, one ELF file; "": none
  std::string variables_file;      // tile, address and bytes of every variable's parts, JSON; "": none
  std::string directory = ".";     // made if it is not there
  uint64_t runs = 2;               // of user's programs, whose cycles the execution profile has

  bool operator==(const AutoReport&) const = default;
};

// When a graph is compiled; when an engine is made; after each run of a program, counted from 1. Throw poplar_error
// naming the file that cannot be written.
void report_graph(const AutoReport& report, const poplar::Graph& graph);
void report_executable(const AutoReport& report, const image::Executable& executable);
// The graph profile alone, if it is asked for: its path, else nothing.
std::string report_graph_profile(const AutoReport& report, const image::Executable& executable);
void report_run(const AutoReport& report, uint64_t run, const poplar::ProfileValue& execution_profile);

}  // namespace tessera::runtime
