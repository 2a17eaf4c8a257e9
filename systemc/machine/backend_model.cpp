// tessera-machine-model: holds the fast model only.
#include <stdexcept>

#include "chip/model_chip.h"
#include "machine/backend.h"

namespace tessera::machine {

std::unique_ptr<chip::Chip> make_backend(const std::string& backend, const spec::Machine& machine) {
  if (backend == "model") return chip::make_model_chip(machine);
  throw std::runtime_error("tessera-machine-model holds no backend '" + backend + "', only model");
}

}  // namespace tessera::machine
