// Tiles' ELF files (32-bit little-endian RISC-V) as plain data, read by libelf: objects, linked text, firmware.
//
// Views point into the bytes given to read_elf() or into what `handle` holds: both outlive them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace tessera::formats {

// what() goes behind the name of the file: "is cut short".
struct BadElf : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ElfSegment {
  uint32_t address, memory_bytes;  // memory beyond the data is zero
  bool executable;
  std::span<const uint8_t> data;
};

struct ElfRelocation {
  uint32_t offset;  // into the section it applies to
  uint32_t type;
  uint32_t symbol;  // index into ElfFile::symbols
  int32_t addend;
};

struct ElfSection {
  std::string_view name;
  uint32_t type, flags, address, size;
  std::span<const uint8_t> data;  // empty for sections without bytes in the file
  std::vector<ElfRelocation> relocations;

  bool is_loaded() const;
  bool is_code() const;
  bool is_writable() const;
  bool is_zeroed() const;  // has no bytes in the file
};

struct ElfSymbol {
  enum Type : uint8_t { kNone = 0, kObject = 1, kFunction = 2, kSection = 3, kFile = 4 };
  enum Binding : uint8_t { kLocal = 0, kGlobal = 1, kWeak = 2 };
  static constexpr uint16_t kUndefined = 0, kAbsolute = 0xfff1;

  std::string_view name;
  uint32_t value, size;
  uint8_t type, binding;
  uint16_t section;  // index into ElfFile::sections, or one of the constants above
};

struct ElfFile {
  bool linked;  // to run at a fixed place
  uint32_t entry;
  std::vector<ElfSegment> segments;  // those with memory
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  std::shared_ptr<void> handle;

  const ElfSection* section(std::string_view name) const;
};

// What a file is, by its first bytes: kElfHeaderBytes are enough.
enum class ElfKind { kNone, kTile, kOther };
constexpr unsigned kElfHeaderBytes = 52;
ElfKind elf_kind(std::span<const uint8_t> bytes);

// Throws BadElf.
ElfFile read_elf(std::span<const uint8_t> bytes);

}  // namespace tessera::formats
