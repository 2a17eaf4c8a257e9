#include "inspect/source_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "formats/symbol_name.h"

namespace tessera::inspect {
namespace {

// What the linker drops keeps its debug information, at addresses from 0: no text is there.
constexpr Dwarf_Addr kLowestText = 0x1000;

std::string name_of(Dwarf_Die* function) {
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(function, name, &attribute) == nullptr) continue;
    const char* text = dwarf_formstring(&attribute);
    if (text != nullptr) return formats::readable_symbol(text);
  }
  return "";
}

}  // namespace

struct SourceLines::Impl {
  struct Range {
    Dwarf_Addr begin, end;
    Dwarf_Off unit;
  };
  std::vector<char> bytes;
  Elf* elf = nullptr;
  Dwarf* dwarf = nullptr;
  std::vector<Range> units;  // by address

  explicit Impl(const std::vector<uint8_t>& image) : bytes(image.begin(), image.end()) {
    if (bytes.empty() || elf_version(EV_CURRENT) == EV_NONE) return;
    elf = elf_memory(bytes.data(), bytes.size());
    if (elf != nullptr) dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
    if (dwarf != nullptr) find_units();
  }
  ~Impl() {
    if (dwarf != nullptr) dwarf_end(dwarf);
    if (elf != nullptr) elf_end(elf);
  }

  void find_units() {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      Dwarf_Addr base, begin, end;
      for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
        if (begin >= kLowestText && begin < end) units.push_back({begin, end, dwarf_dieoffset(&die)});
    }
    std::sort(units.begin(), units.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }

  bool unit_at(uint32_t pc, Dwarf_Die* unit) const {
    const auto after =
        std::upper_bound(units.begin(), units.end(), pc, [](uint32_t key, const Range& r) { return key < r.begin; });
    return after != units.begin() && pc < (after - 1)->end && dwarf_offdie(dwarf, (after - 1)->unit, unit) != nullptr;
  }

  // Functions around the pc, innermost first, the last of them not inlined.
  std::vector<Dwarf_Die> functions_at(uint32_t pc, Dwarf_Die* unit) const {
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes(unit, pc, &scopes);
    std::vector<Dwarf_Die> functions;
    for (int i = 0; i < count; ++i) {
      const int tag = dwarf_tag(&scopes[i]);
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) functions.push_back(scopes[i]);
      if (tag == DW_TAG_subprogram) break;
    }
    std::free(scopes);
    return functions;
  }
};

SourceLines::SourceLines(const std::vector<uint8_t>& elf) : impl_(new Impl(elf)) {}
SourceLines::~SourceLines() { delete impl_; }
SourceLines::SourceLines(SourceLines&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}

std::vector<SourceLine> SourceLines::at(uint32_t pc) const {
  std::vector<SourceLine> lines;
  Dwarf_Die unit;
  if (impl_ == nullptr || !impl_->unit_at(pc, &unit)) return lines;
  Dwarf_Line* line = dwarf_getsrc_die(&unit, pc);
  int number = 0;
  if (line != nullptr && dwarf_lineno(line, &number) == 0)
    if (const char* file = dwarf_linesrc(line, nullptr, nullptr))
      lines.push_back({file, static_cast<unsigned>(number)});
  for (Dwarf_Die& function : impl_->functions_at(pc, &unit)) {
    if (dwarf_tag(&function) != DW_TAG_inlined_subroutine) break;
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, row = 0;
    Dwarf_Files* files = nullptr;
    if (dwarf_formudata(dwarf_attr(&function, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(&function, DW_AT_call_line, &attribute), &row) != 0 ||
        dwarf_getsrcfiles(&unit, &files, nullptr) != 0)
      continue;
    if (const char* path = dwarf_filesrc(files, file, nullptr, nullptr))
      lines.push_back({path, static_cast<unsigned>(row)});
  }
  return lines;
}

std::string SourceLines::function_at(uint32_t pc) const {
  Dwarf_Die unit;
  if (impl_ == nullptr || !impl_->unit_at(pc, &unit)) return "";
  std::vector<Dwarf_Die> functions = impl_->functions_at(pc, &unit);
  return functions.empty() ? "" : name_of(&functions.front());
}

}  // namespace tessera::inspect
