// Who sees what chips do with the memory of gateways. Told on one thread, of each chip in the order of its cycles.
#pragma once

#include <cstdint>

namespace tessera::link {

struct RemoteAccess {
  uint32_t gateway = 0, chip = 0;  // of the chip; by number in the system
  unsigned tile = 0;               // that has sent the packet
  bool write = false;
  uint64_t address = 0;   // as in the packet
  unsigned words = 0;     // of the memory
  uint64_t cycle = 0;     // in which its last word is at the host port
  uint64_t answered = 0;  // of a read: in which the answer arrives there
};

class GatewayWatch {
 public:
  virtual ~GatewayWatch() = default;
  virtual void accessed(const RemoteAccess&) = 0;
};

}  // namespace tessera::link
