// tessera-machine-model: holds the fast model only.
#include <stdexcept>

#include "chip/model_chip.h"
#include "machine/backend.h"

namespace tessera::machine {

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name == "model") return chip::make_model_chip(machine);
  throw std::runtime_error("tessera-machine-model holds no backend '" + request.name + "', only model");
}

}  // namespace tessera::machine
