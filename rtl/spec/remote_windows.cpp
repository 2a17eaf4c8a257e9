#include "rtl/spec/remote_windows.h"

#include <algorithm>

#include "rtl/spec/remote_address.h"

namespace tessera::spec {

std::vector<RemoteWindow> remote_windows(std::span<const Gateway> gateways, std::span<const GatewayLink> links,
                                         uint32_t of) {
  // Ways by their number of links, of those to one gateway the one by the lower gateways: breadth first.
  std::vector<std::optional<RemoteWindow>> found(gateways.size());
  found[of] = RemoteWindow{.gateway = of, .bytes_per_cycle = gateways[of].bytes_per_cycle};
  std::vector<uint32_t> ring{of}, order;
  while (!ring.empty()) {
    std::ranges::sort(ring);
    order.insert(order.end(), ring.begin(), ring.end());
    std::vector<uint32_t> next;
    for (const uint32_t near : ring)
      for (uint32_t l = 0; l < links.size(); ++l)
        for (unsigned from = 0; from < 2; ++from) {
          const uint32_t far = links[l].ends[1 - from];
          if (links[l].ends[from] != near || found[far]) continue;
          RemoteWindow window = *found[near];
          window.gateway = far;
          window.way.push_back({l, from});
          window.latency += 2 * uint64_t{links[l].latency};
          window.bytes_per_cycle =
              std::min({window.bytes_per_cycle, links[l].bytes_per_cycle, gateways[far].bytes_per_cycle});
          found[far] = std::move(window);
          next.push_back(far);
        }
    ring = std::move(next);
  }
  std::vector<RemoteWindow> windows;
  uint64_t end = 0;
  for (const uint32_t gateway : order) {
    RemoteWindow& window = *found[gateway];
    window.first = end;
    window.bytes = gateways[gateway].dram_bytes;
    window.latency += gateways[gateway].latency;
    if (window.bytes > kRemoteMemoryEnd - end) continue;
    end += window.bytes;
    windows.push_back(std::move(window));
  }
  return windows;
}

const RemoteWindow* window_of(const std::vector<RemoteWindow>& windows, uint64_t address, uint64_t length) {
  const auto found =
      std::ranges::find_if(windows, [&](const RemoteWindow& window) { return window.reaches(address, length); });
  return found == windows.end() ? nullptr : &*found;
}

}  // namespace tessera::spec
