// Reader of 32-bit little-endian RISC-V ELF files: sections, symbols and relocations as plain data.
//
// The views point into the bytes given to read_elf(), which must outlive the result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::compiler {

struct ElfRelocation {
  std::uint32_t offset;  // into the section it applies to
  std::uint32_t type;
  std::uint32_t symbol;  // index into ElfFile::symbols
  std::int32_t addend;
};

struct ElfSection {
  std::string_view name;
  std::uint32_t type, flags, address, size, link, info, alignment;
  std::span<const std::uint8_t> data;  // empty for sections without bytes in the file
  std::vector<ElfRelocation> relocations;

  bool is_code() const { return (flags & 4) != 0; }
  bool is_loaded() const { return (flags & 2) != 0; }
};

struct ElfSymbol {
  enum Type : std::uint8_t { kNone = 0, kObject = 1, kFunction = 2, kSection = 3, kFile = 4 };
  enum Binding : std::uint8_t { kLocal = 0, kGlobal = 1, kWeak = 2 };
  static constexpr std::uint16_t kUndefined = 0, kAbsolute = 0xfff1;

  std::string_view name;
  std::uint32_t value, size;
  std::uint8_t type, binding;
  std::uint16_t section;  // index into ElfFile::sections, or one of the constants above
};

struct ElfFile {
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
};

// Throws CodeletError (kFile) naming `where` if the bytes are not such a file.
ElfFile read_elf(std::span<const std::uint8_t> bytes, const std::string& where);

// Little-endian load; the caller has checked the bounds.
inline std::uint32_t load_u32(const std::uint8_t* p) {
  return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}

}  // namespace tessera::compiler
