// Bytes of an open file at an offset, all of them. Both throw std::system_error: "cannot be read: ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tessera::formats {

void read_at(int descriptor, uint64_t offset, std::span<std::byte> bytes);
void write_at(int descriptor, uint64_t offset, std::span<const std::byte> bytes);

}  // namespace tessera::formats
