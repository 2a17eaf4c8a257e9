#include "compiler/codelet/object_file.h"

#include "compiler/codelet/codelet_error.h"

namespace tessera::compiler {

formats::ElfFile read_object(std::span<const std::uint8_t> bytes, const std::string& where) try {
  return formats::read_elf(bytes);
} catch (const formats::BadElf& error) {
  throw CodeletError(CodeletError::Kind::kFile, where + " " + error.what());
}

}  // namespace tessera::compiler
