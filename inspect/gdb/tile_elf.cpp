#include "inspect/gdb/tile_elf.h"

#include <span>
#include <vector>

#include "formats/elf_copy.h"
#include "inspect/gdb/variable_types.h"

namespace tessera::inspect::gdb {
namespace {

// Control code ends with its memory element (image.md).
constexpr uint32_t kElementBytes = 0x4000;

std::string with_names(std::span<const uint8_t> original, const names::ProgramInfo& program, unsigned tile) {
  formats::ElfCopy elf(original);
  std::vector<names::Step> steps;
  for (const names::Step& step : program.steps)
    if (step.tile == tile) steps.push_back(step);
  if (!steps.empty()) {
    const uint32_t begin = steps.front().pc, end = (steps.back().pc / kElementBytes + 1) * kElementBytes;
    const uint16_t section = elf.add_code_section(".control", begin, end - begin);
    for (size_t n = 0; n < steps.size(); ++n)
      elf.add_symbol(program.step_text(&steps[n], std::nullopt), steps[n].pc,
                     (n + 1 < steps.size() ? steps[n + 1].pc : end) - steps[n].pc, formats::ElfSymbol::kFunction,
                     section);
  }
  for (const names::Variable& variable : program.variables)
    if (variable.tile == tile && variable.name != 0)
      elf.add_symbol(program.name(variable.name), variable.address, variable.bytes, formats::ElfSymbol::kObject,
                     formats::ElfSymbol::kAbsolute);
  const VariableTypes types = variable_types(program, tile, elf.section_bytes(".debug_abbrev"));
  if (!types.unit.empty()) {
    elf.append(".debug_abbrev", types.abbreviations);
    elf.append(".debug_info", types.unit);
  }
  return elf.finish();
}

}  // namespace

std::string tile_elf(const names::ProgramInfo& program, unsigned tile) {
  try {
    return with_names(program.elf, program, tile);
  } catch (const formats::BadElf&) {
    return with_names({}, program, tile);
  }
}

}  // namespace tessera::inspect::gdb
