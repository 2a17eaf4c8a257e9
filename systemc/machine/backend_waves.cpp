// tessera-machine-waves: holds the RTL with traced tiles.
#include <stdexcept>

#include "chip/rtl_chip.h"
#include "machine/backend.h"

namespace tessera::machine {

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name != "waves")
    throw std::runtime_error("tessera-machine-waves holds no backend '" + request.name + "', only waves");
  if (request.wave_path.empty() || request.wave_tiles.empty())
    throw std::runtime_error("waves need a file and tiles: --waves, --wave-tiles");
  return chip::make_wave_chip(machine,
                              {request.wave_path, request.wave_tiles, request.wave_from, request.wave_supersteps});
}

}  // namespace tessera::machine
