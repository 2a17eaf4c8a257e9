// Source lines and functions of linked text, from its ELF's DWARF (libdw). Empty answers when there is none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::inspect {

struct SourceLine {
  std::string file;  // as the compiler was given it
  unsigned line = 0;
};
class SourceLines {
 public:
  explicit SourceLines(const std::vector<uint8_t>& elf);
  ~SourceLines();
  SourceLines(SourceLines&&) noexcept;
  // Innermost first: an inlined function's line, then that of its call.
  std::vector<SourceLine> at(uint32_t pc) const;
  std::string function_at(uint32_t pc) const;  // innermost, demangled

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace tessera::inspect
