#include "sw/poplar/gateways.h"

#include <algorithm>
#include <poplar/exceptions.hpp>
#include <utility>

#include "rtl/spec/remote_windows.h"
#include "sw/poplar/gateway_rows.h"

namespace poplar::detail {
namespace {

using tessera::compiler::GatewayMemory;
using tessera::spec::RemoteWindow;

// By gateway, what its chips see.
std::vector<std::vector<RemoteWindow>> windows_of(const TargetImpl& device) {
  std::vector<std::vector<RemoteWindow>> windows;
  const tessera::spec::System system = tessera::spec::load_system(device.system);
  for (std::uint32_t g = 0; g < system.gateways.size(); ++g)
    windows.push_back(tessera::spec::remote_windows(system.gateways, system.gateway_links, g));
  return windows;
}

// The memory of the first gateway of some of these chips that all of them see; none: there is no such gateway.
std::optional<GatewayMemory> memory_of(const TargetImpl& device, const std::vector<std::vector<RemoteWindow>>& windows,
                                       unsigned first, unsigned count) {
  std::vector<std::size_t> own;  // gateways
  for (unsigned chip = first; chip < first + count; ++chip) {
    const auto has = [&](const auto& gateway) { return std::ranges::binary_search(gateway.chips, chip); };
    const auto found = std::ranges::find_if(device.gateways, has);
    if (found == device.gateways.end()) return std::nullopt;
    own.push_back(static_cast<std::size_t>(found - device.gateways.begin()));
  }
  for (std::uint32_t g = 0; g < device.gateways.size(); ++g) {
    if (std::ranges::find(own, g) == own.end()) continue;
    GatewayMemory memory{g, device.gateways[g].dram_bytes, {}};
    for (const std::size_t of : own) {
      const auto window = std::ranges::find(windows[of], g, &RemoteWindow::gateway);
      if (window != windows[of].end()) memory.seen.push_back(window->first);
    }
    if (memory.seen.size() != own.size()) continue;
    if (std::ranges::all_of(memory.seen, [](std::uint64_t at) { return at == 0; })) memory.seen.clear();
    return memory;
  }
  return std::nullopt;
}

// Empty if not every replica has one.
std::vector<GatewayMemory> described(const TargetImpl& device, unsigned replicas) {
  const unsigned each = device.num_ipus / replicas;
  const auto windows = windows_of(device);
  std::vector<GatewayMemory> memories;
  for (unsigned replica = 0; replica < replicas; ++replica) {
    std::optional<GatewayMemory> memory = memory_of(device, windows, replica * each, each);
    if (!memory) return {};
    memories.push_back(std::move(*memory));
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
      const auto bases = tessera::runtime::bases_of(buffer, executable.replicas, replica);
      const std::uint64_t base = std::ranges::min(bases);
      bool fits = base + buffer.rows * buffer.stride <= memory.bytes;
      for (std::size_t chip = 0; chip < std::max(bases.size(), memory.seen.size()); ++chip)
        fits &= bases[bases.size() > 1 ? chip : 0] - base == (memory.seen.empty() ? 0 : memory.seen[chip]);
      for (unsigned other = 0; other < replica; ++other)
        fits &= memories[other].gateway != memory.gateway ||
                std::ranges::min(tessera::runtime::bases_of(buffer, executable.replicas, other)) != base;
      if (!fits)
        throw poplar_error("Engine::prepare: remote buffer '" + buffer.handle +
                           "' was placed for other gateways than the device has; compile the program for it");
    }
  }
}

}  // namespace poplar::detail
