#include "sw/card/remote_memory.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "formats/file_bytes.h"
#include "sw/card/errors.h"

namespace tessera::card {

void RemoteMemory::need(uint64_t address, uint64_t bytes) const {
  if (bytes > bytes_ || address > bytes_ - bytes)
    throw std::out_of_range(
        fmt::format("remote memory has {} bytes, and there are no {} at {:#x}", bytes_, bytes, address));
}

// By the file and not by a mapping of it, in which reading takes memory too.
void RemoteMemory::read(uint64_t address, std::span<std::byte> bytes) const {
  need(address, bytes.size());
  try {
    formats::read_at(descriptor_.get(), address, bytes);
  } catch (const std::system_error& error) {
    throw NoRemoteMemory(fmt::format("remote memory at {:#x} {}", address, error.what()));
  }
}

void RemoteMemory::write(uint64_t address, std::span<const std::byte> bytes) {
  need(address, bytes.size());
  try {
    formats::write_at(descriptor_.get(), address, bytes);
  } catch (const std::system_error& error) {
    throw NoRemoteMemory(fmt::format("remote memory at {:#x} {}", address, error.what()));
  }
}

void RemoteMemory::clear(uint64_t address, uint64_t bytes) {
  need(address, bytes);
  if (bytes == 0) return;
  if (::fallocate(descriptor_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(address),
                  static_cast<off_t>(bytes)) != 0)
    throw NoRemoteMemory(fmt::format("remote memory at {:#x} cannot be cleared: {}", address, std::strerror(errno)));
}

}  // namespace tessera::card
