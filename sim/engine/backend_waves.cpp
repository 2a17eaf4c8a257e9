// tessera-machine-waves, and benches of other people: hold what needs traced tiles, the RTL with waves of every signal,
// and RTL and model in lockstep.
#include <stdexcept>

#include "rtl/spec/machine.h"
#include "sim/engine/backend.h"
#include "sim/engine/lockstep_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/rtl_chip.h"
#include "sim/engine/switch_chip.h"

namespace tessera::chip {
namespace {

std::unique_ptr<Chip> make_rtl(const BackendRequest& request, const spec::Machine& machine) {
  const auto& signals = request.signals;
  if (!signals) return make_rtl_chip_with(request.fabric, machine, request.linked, request.threads);
  return make_wave_chip(machine,
                        {.path = signals->path,
                         .tiles = signals->tiles,
                         .from_superstep = signals->window.from,
                         .supersteps = signals->window.count,
                         .scope = signals->scope,
                         .linked = request.linked},
                        request.fabric);
}

}  // namespace

std::unique_ptr<Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name == "lockstep")
    return make_lockstep_chip(make_rtl_chip_with(request.fabric, machine, request.linked, request.threads),
                              make_model_chip_with(machine, request.threads));
  if (request.name == "model") return make_model_chip_with(machine, request.threads);
  if (request.name != "rtl")
    throw std::runtime_error("there is no backend '" + request.name + "', only rtl, model and lockstep");
  if (!request.rtl_window) return make_rtl(request, machine);
  return make_switch_chip(
      make_model_chip_with(machine, request.threads), [=] { return make_rtl(request, machine); },
      request.rtl_window->from, request.rtl_window->count);
}

}  // namespace tessera::chip
