// What stands behind poplar::Target: a machine description and how much of it the program sees.
#pragma once

#include <memory>
#include <string>

#include <poplar/Target.hpp>

#include "rtl/spec/machine.h"

namespace poplar::detail {

struct TargetImpl {
  TargetType type = TargetType::IPU;
  std::string arch;    // "ipu1", "ipu2", "ipu21" or the machine's name, as the user asked
  std::string system;  // machine or system, by name or path, as load_runnable takes it
  tessera::spec::Machine machine;
  unsigned num_ipus = 1;
  unsigned tiles_per_ipu = 0;  // the first of the machine's tiles
  bool accurate_half = true;
};

// Name of the smallest machine with that many tiles at least. Throws invalid_machine_model if there is none.
std::string machine_with_tiles(unsigned tiles, const std::string& version);

// tiles 0: all of the machine's. Throws invalid_machine_model naming what does not fit.
std::shared_ptr<TargetImpl> make_target_impl(TargetType type, unsigned num_ipus, unsigned tiles,
                                             const std::string& system);

}  // namespace poplar::detail
