// tessera-machine with a fake chip, to test the process alone.
#include "fake_chip.h"
#include "machine/backend.h"

namespace tessera::machine {

std::unique_ptr<chip::Chip> make_backend(const std::string& backend, const spec::Machine& machine) {
  if (backend != "fake") throw std::runtime_error("this machine holds no backend '" + backend + "'");
  return std::make_unique<test::FakeChip>(machine);
}

}  // namespace tessera::machine
