#include "inspect/failure/program_text.h"

#include "formats/bytes.h"
#include "formats/elf.h"

namespace tessera::inspect::failure {

std::optional<uint32_t> linked_word(const std::vector<uint8_t>& elf, uint32_t address) try {
  for (const formats::ElfSection& section : formats::read_elf(elf).sections) {
    const uint32_t offset = address - section.address;
    if (section.is_loaded() && section.data.size() >= 4 && offset <= section.data.size() - 4)
      return formats::number_at<uint32_t>(section.data.data() + offset);
  }
  return std::nullopt;
} catch (const formats::BadElf&) {
  return std::nullopt;
}

}  // namespace tessera::inspect::failure
