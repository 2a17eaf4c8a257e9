// The streaming memory of a gateway, which tiles reach with packets, shared with the machine's process. What was never
// written reads 0, and takes no memory, however much there is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "sim/process/channel.h"

namespace tessera::card {

class RemoteMemory {
 public:
  // What came from the machine's process (Client::remote_memory()).
  RemoteMemory(machine::Descriptor descriptor, uint64_t bytes) : descriptor_(std::move(descriptor)), bytes_(bytes) {}

  uint64_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_.get(); }

  // Not while a run is under way. Throw std::out_of_range where the memory does not reach, NoRemoteMemory where it
  // cannot be had.
  void read(uint64_t address, std::span<std::byte> bytes) const;
  void write(uint64_t address, std::span<const std::byte> bytes);
  void clear(uint64_t address, uint64_t bytes);  // as never written
  void clear() { clear(0, bytes_); }

 private:
  void need(uint64_t address, uint64_t bytes) const;

  machine::Descriptor descriptor_;
  uint64_t bytes_;
};

}  // namespace tessera::card
