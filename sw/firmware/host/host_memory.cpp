#include "sw/firmware/host/host_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace tessera::firmware {

HostMemory::HostMemory(uint64_t bytes) {
  const auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  descriptor_ = machine::Descriptor(::memfd_create("tessera-host-memory", MFD_CLOEXEC));
  void* at = MAP_FAILED;
  if (descriptor_.valid() && ::ftruncate(descriptor_.get(), static_cast<off_t>(bytes)) == 0)
    at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (at == MAP_FAILED)
    throw std::runtime_error("no host memory of " + std::to_string(bytes) + " bytes: " + std::strerror(errno));
  bytes_ = {static_cast<std::byte*>(at), bytes};
}

HostMemory::~HostMemory() { ::munmap(bytes_.data(), bytes_.size()); }

}  // namespace tessera::firmware
