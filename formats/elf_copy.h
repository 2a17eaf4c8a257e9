// A copy of a tile's ELF file with names added, for debuggers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/elf.h"

namespace tessera::formats {

class ElfCopy {
 public:
  // Bytes that are no such file give a copy that holds just what is added.
  explicit ElfCopy(std::span<const uint8_t> original);
  ~ElfCopy();
  ElfCopy(const ElfCopy&) = delete;
  ElfCopy& operator=(const ElfCopy&) = delete;

  // Without contents in the file. Returns its index.
  uint16_t add_code_section(const std::string& name, uint32_t address, uint32_t bytes);
  // In a section, or ElfSymbol::kAbsolute.
  void add_symbol(const std::string& name, uint32_t address, uint32_t bytes, ElfSymbol::Type type, uint16_t section);

  // A section of plain bytes that takes no memory, as debug information: its length (0: there is none), and more behind
  // it. One that is compressed cannot be added to: BadElf.
  uint32_t section_bytes(const std::string& name) const;
  void append(const std::string& name, const std::string& bytes);

  std::string finish();  // its bytes; throws BadElf

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace tessera::formats
