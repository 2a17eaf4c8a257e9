// Memory of the host that tiles reach with packets: shared with the machine process. Zero at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/process/channel.h"

namespace tessera::firmware {

class HostMemory {
 public:
  explicit HostMemory(uint64_t bytes);  // rounded up to whole pages; throws std::runtime_error
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  int descriptor() const { return descriptor_.get(); }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  machine::Descriptor descriptor_;
  std::span<std::byte> bytes_;
};

}  // namespace tessera::firmware
