// Whether the IPUs of each of a device's replicas have a sync of their own (docs/reference/systems.md, Replicas).
#pragma once

#include "compiler/image/executable.h"
#include "sw/poplar/target_impl.h"

namespace poplar::detail {

// Replicas of one IPU have; else a sync group of zone GS2 has to have those of each.
bool have_replica_syncs(const TargetImpl& device, unsigned replicas);

// Throws poplar_error if the executable needs such syncs and the device has them not.
void check_replica_syncs(const tessera::image::Executable& executable, const TargetImpl& device);

}  // namespace poplar::detail
