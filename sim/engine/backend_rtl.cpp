// tessera-machine-rtl: holds the RTL and the model.
#include <stdexcept>

#include "rtl/spec/machine.h"
#include "sim/engine/backend.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/engine/switch_chip.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.signals)
    throw std::runtime_error("tessera-machine-rtl holds no tiles for wave-depth=all; tessera-machine-waves does");
  if (request.name == "rtl" && request.rtl_window)
    return make_switch_chip(
        make_model_chip_with(machine, request.threads),
        [=] { return make_rtl_chip_with(request.fabric, machine, request.linked, request.threads); },
        request.rtl_window->from, request.rtl_window->count);
  if (request.name == "rtl") return make_rtl_chip_with(request.fabric, machine, request.linked, request.threads);
  if (request.name == "model") return make_model_chip_with(machine, request.threads);
  throw std::runtime_error("there is no backend '" + request.name + "', only rtl and model");
}

}  // namespace tessera::chip
