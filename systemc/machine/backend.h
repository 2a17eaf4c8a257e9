// The chips that an executable of the machine can hold; each executable defines it for what it is linked with.
#pragma once

#include <memory>
#include <string>

#include "chip/chip.h"

namespace tessera::machine {

// backend: "model", "rtl" or "lockstep". Throws std::runtime_error if this executable does not hold it.
std::unique_ptr<chip::Chip> make_backend(const std::string& backend, const spec::Machine& machine);

}  // namespace tessera::machine
