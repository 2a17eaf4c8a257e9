// Where two runs of the same program differ first, and how a run of two chips in lockstep ends there.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "sim/port/tile_port.h"

namespace tessera::chip {

struct Difference {
  unsigned tile = kNoTile;  // kNoTile: there is none, or it is of no tile
  unsigned context = 0;
  uint32_t pc = 0;     // 0: not of an instruction
  uint64_t cycle = 0;  // of the earlier of the two records
  uint64_t superstep = 0;
};

struct LockstepDifference : std::runtime_error {
  explicit LockstepDifference(const std::string& what, const Difference& where = {})
      : std::runtime_error(what), where(where) {}
  Difference where;
};

}  // namespace tessera::chip
