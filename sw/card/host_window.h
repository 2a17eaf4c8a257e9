// Host memory that tiles reach with packets, shared with the machine's process: a memfd, mapped. Zero at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/process/channel.h"

namespace tessera::card {

class HostWindow {
 public:
  explicit HostWindow(uint64_t bytes);  // rounded up to whole pages, at least one; throws NoHostMemory
  ~HostWindow();
  HostWindow(const HostWindow&) = delete;
  HostWindow& operator=(const HostWindow&) = delete;

  int descriptor() const { return descriptor_.get(); }
  std::span<std::byte> bytes() const { return bytes_; }
  uint32_t word(uint32_t offset) const;  // offset in bytes, inside the window

 private:
  machine::Descriptor descriptor_;
  std::span<std::byte> bytes_;
};

}  // namespace tessera::card
