// ELF has no digest. Where one stands in files of ours: in the seven bytes of e_ident that the format reserves and
// readers pass over, lowest first; zeros: the file is not sealed. Tools that write an ELF file anew leave zeros.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::formats {

// Of a whole ELF file, at least its header.
void seal_elf(std::span<uint8_t> file);
// Whether the seal fits, or there is none.
bool elf_is_whole(std::span<const uint8_t> file);

}  // namespace tessera::formats
