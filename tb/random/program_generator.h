// Random programs for a whole tile: a memory image and entry points of the supervisor. Each entry is a segment that
// ends with an exception (most often the one meant to end it); `start` then takes the next.
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"

namespace tessera::test {

struct Image {
  uint32_t address;
  std::vector<uint32_t> words;
  bool code = false;
};

struct RandomProgram {
  uint64_t seed = 0;
  std::vector<Image> images;
  std::vector<uint32_t> entries;
  std::vector<uint64_t> weights;  // of the matrix engine, written by the debugger
};

RandomProgram random_program(uint64_t seed, unsigned segments, const Layout& = Layout());

}  // namespace tessera::test
