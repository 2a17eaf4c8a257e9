// tessera-machine with a fake chip, to test the process alone.
#include "fake_chip.h"
#include "sim/engine/backend.h"

namespace tessera::chip {

std::unique_ptr<chip::Chip> make_backend(const BackendRequest& request, const spec::Machine& machine) {
  if (request.name != "fake") throw std::runtime_error("this machine holds no backend '" + request.name + "'");
  return std::make_unique<test::FakeChip>(machine);
}

}  // namespace tessera::chip
