// tessera-machine-rtl: holds the RTL and the model.
#include <stdexcept>

#include "chip/model_chip.h"
#include "chip/rtl_chip.h"
#include "machine/backend.h"
#include "machine/rtl_window.h"
#include "rtl/spec/machine.h"

namespace tessera::machine {

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (!request.inspection.waves.empty() && request.inspection.wave_all_signals)
    throw std::runtime_error("tessera-machine-rtl holds no tiles for wave-depth=all; tessera-machine-waves does");
  if (request.name == "rtl" && request.inspection.rtl_window)
    return make_rtl_window(request.inspection, machine, [=] { return chip::make_rtl_chip(machine); });
  if (request.name == "rtl") return chip::make_rtl_chip(machine);
  if (request.name == "model") return chip::make_model_chip(machine);
  throw std::runtime_error("tessera-machine-rtl holds no backend '" + request.name + "', only rtl and model");
}

}  // namespace tessera::machine
