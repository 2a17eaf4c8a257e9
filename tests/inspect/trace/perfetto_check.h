// Whether a file is a Perfetto trace as ui.perfetto.dev wants it, and what it shows.
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
struct ShownTrace {
  std::string wrong;  // "": every slice nests and times of a track never go back
  // By "process/thread".
  std::map<std::string, std::vector<ShownSlice>> tracks;
};
ShownTrace check_perfetto(const std::string& path);  // .json or .json.gz

}  // namespace tessera::inspect::trace
