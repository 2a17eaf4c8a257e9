// What ends a run that does not end by itself. In cycles of the machine, so that it ends in the same cycle on every
// computer; 0: none.
#pragma once

#include <cstdint>

namespace tessera::runtime {

struct RunLimits {
  uint64_t compute = 0;    // of one compute phase
  uint64_t host_sync = 0;  // from a mark to the next host sync
};

}  // namespace tessera::runtime
