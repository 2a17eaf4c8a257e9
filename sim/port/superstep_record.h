// What a chip held when a superstep ended: two runs of one program are compared by these.
#pragma once

#include <cstdint>

namespace tessera::chip {

struct SuperstepRecord {  // taken at an internal acknowledgement
  uint64_t index = 0, cycle = 0;
  uint64_t hash = 0;  // Chip::memory_hash
  bool operator==(const SuperstepRecord&) const = default;
};

}  // namespace tessera::chip
