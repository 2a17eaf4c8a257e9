// A linked program for tiles, read from its ELF file: what is loaded, where things are, and which machine it is for.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl/spec/machine.h"

namespace tessera::firmware {

// what() is one line that names the file.
struct BadFirmware : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Segment {
  uint32_t address = 0, memory_bytes = 0;  // memory beyond the words is zero
  std::vector<uint32_t> words;
  bool executable = false;
};
struct Section {
  std::string name;
  uint32_t address = 0, bytes = 0;
  bool loaded = false, executable = false, writable = false, zeroed = false;
  std::vector<uint8_t> data;  // of sections that lie in the file
};
struct ElfSymbol {
  std::string name;
  uint32_t address = 0, bytes = 0;
  bool function = false, object = false;
};

struct ElfImage {
  std::string path;
  std::vector<uint8_t> file;
  uint32_t entry = 0;
  std::vector<Segment> segments;
  std::vector<Section> sections;
  std::vector<ElfSymbol> symbols;
  std::string machine;        // that it was built for; "": it does not say
  uint64_t machine_hash = 0;  // spec::Machine::hash

  const ElfSymbol* symbol(const std::string& name) const;
  const Section* section(const std::string& name) const;
  // The function or object that covers the address; null: none.
  const ElfSymbol* symbol_at(uint32_t address) const;
  // Text up to its zero in a loaded section that the program cannot write; none if the address is not in one.
  std::optional<std::string> constant_text(uint32_t address) const;
};

// What a file is, by its first bytes.
enum class FileKind { kMissing, kTileElf, kOtherElf, kOther };
FileKind kind_of(const std::string& path);

ElfImage read_elf_image(const std::string& path);  // throws BadFirmware
// Throws BadFirmware when the image does not fit the machine: built for another, segments outside memory, text that
// shares a memory element with data, an entry outside text.
void check_fits(const ElfImage& image, const spec::Machine& machine);

}  // namespace tessera::firmware
