#include "systemc/gateway/dram.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "formats/file_bytes.h"

namespace tessera::gateway {

Dram::Dram(uint64_t bytes) : bytes_(bytes), descriptor_(::memfd_create("tessera-streaming-memory", MFD_CLOEXEC)) {
  if (descriptor_ < 0 || ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    throw std::runtime_error("streaming memory of " + std::to_string(bytes) +
                             " bytes cannot be made: " + std::strerror(errno));
}

Dram::~Dram() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Dram::read(uint64_t address, std::span<std::byte> bytes) const {
  try {
    formats::read_at(descriptor_, address, bytes);
  } catch (const std::system_error& error) {
    throw std::runtime_error(std::string("streaming memory ") + error.what());
  }
}

void Dram::write(uint64_t address, std::span<const std::byte> bytes) {
  try {
    formats::write_at(descriptor_, address, bytes);
  } catch (const std::system_error& error) {
    throw std::runtime_error(std::string("streaming memory ") + error.what());
  }
}

}  // namespace tessera::gateway
