// tessera-machine-model: holds the fast model only.
#include <stdexcept>

#include "sim/engine/backend.h"
#include "sim/engine/model_chip.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name == "model") return make_model_chip_with(machine, request.threads);
  throw std::runtime_error("there is no backend '" + request.name + "', only model");
}

}  // namespace tessera::chip
