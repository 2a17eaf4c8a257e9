#include "sw/poplar/replica_syncs.h"

#include <algorithm>
#include <poplar/exceptions.hpp>
#include <string>

namespace poplar::detail {

bool have_replica_syncs(const TargetImpl& device, unsigned replicas) {
  using tessera::spec::SyncGroup;
  const unsigned each = device.num_ipus / replicas;
  for (unsigned first = 0; each > 1 && first < device.num_ipus; first += each) {
    const auto has_all = [&](const SyncGroup& group) {
      const auto inside = [&](unsigned chip) { return chip >= first && chip < first + each; };
      return group.zone == SyncGroup::Zone::kGs2 && std::ranges::count_if(group.members, inside) == each;
    };
    if (std::ranges::none_of(device.sync_groups, has_all)) return false;
  }
  return true;
}

void check_replica_syncs(const tessera::image::Executable& executable, const TargetImpl& device) {
  if (executable.replica_syncs && !have_replica_syncs(device, executable.replicas))
    throw poplar_error("Engine::prepare: replicas of the program meet by themselves, and system " + device.name +
                       " has no sync group of zone GS2 for the " + std::to_string(executable.chips.size()) +
                       " IPUs of each; compile the program for it");
}

}  // namespace poplar::detail
