// Remote memory as the chips of a gateway see it: the gateway's own, and behind it that of the gateways to which links
// lead (docs/reference/systems.md, Gateways).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rtl/spec/system.h"

namespace tessera::spec {

struct RemoteWindow {
  // A link of the way there, and at which of its ends requests enter it.
  struct Hop {
    uint32_t link = 0;
    unsigned from = 0;
    bool operator==(const Hop&) const = default;
  };
  uint32_t gateway = 0;           // whose memory it is
  uint64_t first = 0, bytes = 0;  // byte addresses: all of that memory
  std::vector<Hop> way{};         // none: the chips' own
  uint64_t latency = 0;           // cycles from a request at the host port to the first byte of its answer there
  uint32_t bytes_per_cycle = 0;   // the least of all on the way

  bool reaches(uint64_t address, uint64_t length) const {
    return address >= first && length <= bytes && address - first <= bytes - length;
  }
};

// Of gateways[of]: ascending, its own first, without gaps. A gateway whose memory would end beyond the last address
// that reaches memory has none.
std::vector<RemoteWindow> remote_windows(std::span<const Gateway> gateways, std::span<const GatewayLink> links,
                                         uint32_t of);
// The one in which all of it lies; null: in none.
const RemoteWindow* window_of(const std::vector<RemoteWindow>& windows, uint64_t address, uint64_t length);

}  // namespace tessera::spec
