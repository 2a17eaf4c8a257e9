// The chips that an executable can hold; each is linked with one definition of make_backend.
#pragma once

#include <memory>

#include "sim/port/backend_request.h"

namespace tessera::chip {

// Throws std::runtime_error if this executable does not hold the backend.
std::unique_ptr<Chip> make_backend(const BackendRequest& request, const spec::Machine& machine);

}  // namespace tessera::chip
