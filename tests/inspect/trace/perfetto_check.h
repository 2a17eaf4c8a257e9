// Whether a file is a Perfetto trace as ui.perfetto.dev wants it, and what it shows. The rules are those of the trace
// processor's importer of JSON trace events (src/trace_processor/importers/json in Perfetto's sources): it sorts events
// by time, keeping the order of the file, puts slices on the stack of their track, and binds an end of a flow to the
// innermost slice that is open there then; what it cannot read it counts as an error.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tessera::inspect::trace {

struct ShownSlice {
  uint64_t begin = 0, end = 0;  // cycles
  std::string name;
};
struct ShownFlow {
  std::string from_track, to_track, name;
  ShownSlice from, to;
};
struct ShownTrace {
  std::string wrong;  // "": the importer would have no error, every slice nests, every flow has both ends
  // By "process/thread".
  std::map<std::string, std::vector<ShownSlice>> tracks;
  std::vector<ShownFlow> flows;
  // By "process/counter series": cycle and value.
  std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> counters;
};
ShownTrace check_perfetto(const std::string& path);  // .json or .json.gz

}  // namespace tessera::inspect::trace
