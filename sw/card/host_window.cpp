#include "sw/card/host_window.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <poplar/exceptions.hpp>
#include <string>

namespace tessera::runtime {

HostWindow::HostWindow(size_t bytes) {
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page + (bytes == 0 ? page : 0);
  descriptor_ = machine::Descriptor(::memfd_create("tessera-host-memory", MFD_CLOEXEC));
  void* at = MAP_FAILED;
  if (descriptor_.valid() && ::ftruncate(descriptor_.get(), static_cast<off_t>(bytes)) == 0)
    at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (at == MAP_FAILED)
    throw poplar::system_runtime_error("no host memory of " + std::to_string(bytes) +
                                       " bytes for the machine: " + std::strerror(errno));
  bytes_ = {static_cast<std::byte*>(at), bytes};
}

HostWindow::~HostWindow() { ::munmap(bytes_.data(), bytes_.size()); }

uint32_t HostWindow::word(uint32_t offset) const {
  uint32_t value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

}  // namespace tessera::runtime
