#include "sw/poplar/gateways.h"

#include <algorithm>
#include <poplar/exceptions.hpp>

namespace poplar::detail {
namespace {

using tessera::compiler::GatewayMemory;

// Of a system: one that has all of these chips; null if none has.
const tessera::spec::Gateway* gateway_of(const TargetImpl& device, unsigned first, unsigned count) {
  const auto reaches = [&](const tessera::spec::Gateway& gateway) {
    for (unsigned chip = first; chip < first + count; ++chip)
      if (!std::ranges::binary_search(gateway.chips, chip)) return false;
    return true;
  };
  const auto found = std::ranges::find_if(device.gateways, reaches);
  return found == device.gateways.end() ? nullptr : &*found;
}

// Empty if not every replica has one.
std::vector<GatewayMemory> described(const TargetImpl& device, unsigned replicas) {
  const unsigned each = device.num_ipus / replicas;
  std::vector<GatewayMemory> memories;
  for (unsigned replica = 0; replica < replicas; ++replica) {
    const tessera::spec::Gateway* gateway = gateway_of(device, replica * each, each);
    if (gateway == nullptr) return {};
    memories.push_back({static_cast<std::uint32_t>(gateway - device.gateways.data()), gateway->dram_bytes});
  }
  return memories;
}

}  // namespace

std::vector<GatewayMemory> gateways_of_replicas(const TargetImpl& device, unsigned replicas, std::optional<bool> mode) {
  if (!mode.value_or(device.gateway_mode)) return {};
  std::vector<GatewayMemory> memories = described(device, replicas);
  if (memories.empty() && mode)
    throw invalid_option("engine option 'target.gatewayMode' is 'true': " +
                         (device.gateways.empty() ? "system " + device.name + " has no gateway"
                                                  : "no gateway is reached by all IPUs of a replica") +
                         "; leave it out");
  return memories;
}

void check_gateways(const tessera::image::Executable& executable, const TargetImpl& device) {
  std::vector<GatewayMemory> memories;
  for (const tessera::image::RemoteBuffer& buffer : executable.remote_buffers) {
    if (buffer.base.empty()) return;
    if (memories.empty()) memories = described(device, executable.replicas);
    if (memories.empty())
      throw poplar_error("Engine::prepare: the program has remote buffer '" + buffer.handle +
                         "' in the memory of a gateway, which the device does not have");
    for (unsigned replica = 0; replica < executable.replicas; ++replica) {
      const GatewayMemory& memory = memories[replica];
      bool fits = buffer.base[replica] + buffer.rows * buffer.stride <= memory.bytes;
      for (unsigned other = 0; other < replica; ++other)
        fits &= memories[other].gateway != memory.gateway || buffer.base[other] != buffer.base[replica];
      if (!fits)
        throw poplar_error("Engine::prepare: remote buffer '" + buffer.handle +
                           "' was placed for other gateways than the device has; compile the program for it");
    }
  }
}

}  // namespace poplar::detail
