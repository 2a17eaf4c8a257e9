// The text of a program as it was linked: tells what memory should hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tessera::inspect::failure {

// The word at a 4-aligned address of an ELF's allocated sections (32-bit, little-endian); none where it has none.
std::optional<uint32_t> linked_word(const std::vector<uint8_t>& elf, uint32_t address);

}  // namespace tessera::inspect::failure
