// The chips that an executable of the machine can hold; each executable defines it for what it is linked with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "chip/chip.h"

namespace tessera::machine {

struct BackendRequest {
  std::string name;  // "model", "rtl", "lockstep" or "waves": the RTL, leaving an FST
  // For waves:
  std::string wave_path;
  std::vector<unsigned> wave_tiles;
  uint64_t wave_from = 0, wave_supersteps = 1;
};

// Throws std::runtime_error if this executable does not hold the backend.
std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine);

}  // namespace tessera::machine
