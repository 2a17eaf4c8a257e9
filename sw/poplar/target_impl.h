// What stands behind poplar::Target: a machine description and how much of it the program sees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

#include "rtl/spec/machine.h"
#include "rtl/spec/system.h"
#include "sw/poplar/option_table.h"

namespace poplar::detail {

struct TargetImpl {
  TargetType type = TargetType::IPU;
  std::string arch;                // "ipu1", "ipu2", "ipu21" or the machine's name, as the user asked
  std::string system;              // of num_ipus chips, by name or path, as load_system takes it
  std::string name;                // of the system, or, of one chip, of its machine
  tessera::spec::Machine machine;  // of each chip
  unsigned num_ipus = 1;
  unsigned tiles_per_ipu = 0;      // the first of each chip's tiles
  unsigned group_sync_cycles = 0;  // of a sync of all chips, on the wires between them
  unsigned link_domain = 0;        // IPUs that links may join; 0: num_ipus
  bool torus = false;
  std::vector<tessera::spec::Gateway> gateways;  // of the system
  std::vector<tessera::spec::SyncGroup> sync_groups;
  bool gateway_mode = false;  // remote buffers are in their memory; every IPU has one
  bool accurate_half = true;
};

// Name of the smallest machine with that many tiles at least. Throws invalid_machine_model if there is none.
std::string machine_with_tiles(unsigned tiles, const std::string& version);

// tiles 0: all of the machine's. system: the first num_ipus chips of it; of a machine or version a standard system of
// so many. Throws invalid_machine_model naming what does not fit.
std::shared_ptr<TargetImpl> make_target_impl(TargetType type, unsigned num_ipus, unsigned tiles,
                                             const std::string& system);

// Whether every IPU reaches the memory of a gateway.
bool has_gateways(const TargetImpl& target);

// What options say of links, syncs and gateways (those of DeviceManager::getDevices and Target::createIPUTarget):
// anything holds for one IPU, and for several what their system describes; of gateways it holds for one as well. Throws
// invalid_option for something else.
void take_link_options(TargetImpl& target, const OptionFlags& options, const tessera::runtime::OptionTable& table);

}  // namespace poplar::detail
