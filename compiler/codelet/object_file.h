// Objects and linked text of codelets.
#pragma once

#include <span>
#include <string>

#include "formats/elf.h"

namespace tessera::compiler {

// Throws CodeletError (kFile) naming `where` if the bytes are no tile's ELF file; they outlive the result.
formats::ElfFile read_object(std::span<const std::uint8_t> bytes, const std::string& where);

}  // namespace tessera::compiler
