#include "sw/card/host_window.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "sw/card/errors.h"

namespace tessera::card {

HostWindow::HostWindow(uint64_t bytes) {
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  const uint64_t whole = std::max<uint64_t>(bytes / page + (bytes % page != 0), 1) * page;
  descriptor_ = machine::Descriptor(::memfd_create("tessera-host-memory", MFD_CLOEXEC));
  void* at = MAP_FAILED;
  if (descriptor_.valid() && ::ftruncate(descriptor_.get(), static_cast<off_t>(whole)) == 0)
    at = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (at == MAP_FAILED)
    throw NoHostMemory("no host memory of " + std::to_string(bytes) +
                       " bytes for the machine: " + std::strerror(errno));
  bytes_ = {static_cast<std::byte*>(at), whole};
}

HostWindow::~HostWindow() { ::munmap(bytes_.data(), bytes_.size()); }

uint32_t HostWindow::word(uint32_t offset) const {
  uint32_t value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return value;
}

}  // namespace tessera::card
