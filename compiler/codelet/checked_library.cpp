#include "compiler/codelet/checked_library.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/codelet/object_file.h"

namespace tessera::compiler {
namespace {

// What the objects take of a tile's memory.
std::size_t bytes_of(const CodeletLibrary& library) {
  std::size_t sum = 0;
  for (const CodeletObject& object : library.objects) {
    const formats::ElfFile elf = read_object(object.elf, object.name);
    for (const formats::ElfSection& section : elf.sections)
      if (section.is_loaded() && section.name != ".tessera.codelets") sum += section.size;
  }
  return sum;
}

}  // namespace

bool is_checked(const CodeletLibrary& library) {
  return std::all_of(library.provenance.begin(), library.provenance.end(),
                     [](const std::string& line) { return line.find(kChecked) != std::string::npos; });
}

std::string cost_of_checks(const CodeletLibrary& checked, const CodeletLibrary& plain) {
  return fmt::format("{} bytes of code and constants, {} without checks", bytes_of(checked), bytes_of(plain));
}

}  // namespace tessera::compiler
