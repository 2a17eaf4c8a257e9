// The chips that an executable of the machine can hold; each executable defines it for what it is linked with.
#pragma once

#include <memory>
#include <string>

#include "chip/chip.h"
#include "inspect/options.h"

namespace tessera::machine {

struct BackendRequest {
  std::string name;             // "model", "rtl" or "lockstep"
  inspect::Options inspection;  // wave_all_signals, rtl_window: what the chip itself must be able to do
};

// Throws std::runtime_error if this executable does not hold the backend.
std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine);

}  // namespace tessera::machine
