// What a backend of a run is to be able to do, whoever makes it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/port/chip.h"
#include "sim/port/fabric_choice.h"

namespace tessera::chip {

struct SuperstepWindow {
  uint64_t from = 0, count = ~0ull;  // ~0: to the end
};

struct BackendRequest {
  // Of the RTL of these tiles: every signal, in one FST, in the window.
  struct Signals {
    std::string path;
    std::vector<unsigned> tiles;
    SuperstepWindow window;
    std::string scope = "chip0";
  };

  std::string name;                            // "model", "rtl" or "lockstep"
  std::optional<Signals> signals;              // with "rtl"
  std::optional<SuperstepWindow> rtl_window;   // with "rtl": the model runs before and behind it
  FabricChoice fabric = FabricChoice::kUsual;  // of the RTL
  bool linked = false;                         // a chip of a system of several
  unsigned threads = 1;                        // that run its tiles; 0: as many as there are cores
};

using MakeBackend = std::function<std::unique_ptr<Chip>(const BackendRequest& request, const spec::Machine& machine)>;

}  // namespace tessera::chip
