// Which memory of gateways a device's replicas have for remote buffers.
#pragma once

#include <optional>
#include <vector>

#include "compiler/image/executable.h"
#include "compiler/passes/remote/place_buffers.h"
#include "sw/poplar/target_impl.h"

namespace poplar::detail {

// By replica; none: remote buffers are in host memory, where the target or `mode` (engine option target.gatewayMode)
// says so, and where the IPUs of a replica do not all reach one of their gateways. Throws invalid_option if `mode` is
// true then.
std::vector<tessera::compiler::GatewayMemory> gateways_of_replicas(const TargetImpl& device, unsigned replicas,
                                                                   std::optional<bool> mode);

// Throws poplar_error if the device has not the memory of gateways in which the executable has its remote buffers.
void check_gateways(const tessera::image::Executable& executable, const TargetImpl& device);

}  // namespace poplar::detail
