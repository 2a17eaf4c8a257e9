#include "inspect/failure/program_text.h"

#include <elf.h>

#include <cstring>

namespace tessera::inspect::failure {

std::optional<uint32_t> linked_word(const std::vector<uint8_t>& elf, uint32_t address) {
  const auto read = [&](auto& value, uint64_t at) {
    if (at + sizeof value > elf.size()) return false;
    std::memcpy(&value, elf.data() + at, sizeof value);
    return true;
  };
  Elf32_Ehdr header;
  if (!read(header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS32)
    return std::nullopt;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf32_Shdr section;
    if (!read(section, header.e_shoff + uint64_t{i} * header.e_shentsize)) return std::nullopt;
    if ((section.sh_flags & SHF_ALLOC) == 0 || section.sh_type != SHT_PROGBITS) continue;
    const uint32_t offset = address - section.sh_addr;
    uint32_t word;
    if (section.sh_size >= 4 && offset <= section.sh_size - 4 && read(word, uint64_t{section.sh_offset} + offset))
      return word;
  }
  return std::nullopt;
}

}  // namespace tessera::inspect::failure
