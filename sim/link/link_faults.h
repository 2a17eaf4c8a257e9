// What is wrong with the lanes of a link, and how long it may be silent: docs/reference/faults.md, Links.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/link/lane_faults.h"

namespace tessera::link {

struct LinkFaults {
  struct Given {
    std::optional<unsigned> channel;  // of the link; none: all of them
    std::optional<unsigned> end;      // that flits leave from; none: both
    LaneFault fault;
    std::string text;  // as it was written, for who is told of it
  };
  std::vector<Given> given;
  std::vector<RandomFaults> random;  // of all channels, both ways
  uint64_t dead_after = 10'000;      // cycles without a sound flit, at least 1
};

}  // namespace tessera::link
