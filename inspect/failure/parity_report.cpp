// A word of a tile's memory in which a bit has turned over: what it is, what it should hold, and who wrote it.
#include <fmt/format.h>

#include "inspect/failure/case.h"
#include "inspect/failure/memory_origin.h"
#include "inspect/failure/program_text.h"

namespace tessera::inspect::failure {

PortsFault explain_parity(Case& c, unsigned tile, const chip::ExceptionStatus& status) {
  const std::string place = c.words.address(tile, status.value, nullptr);
  uint32_t held = 0;
  {
    StoppedChip chip(c.run);
    held = chip.word(tile, status.value);
  }
  PortsFault fault;
  fault.what = fmt::format("the word at {:#x}{}", status.value, place.empty() ? "" : ", " + place);
  std::string holds = fmt::format("{:#010x}", held);
  if (const auto linked = linked_word(c.words.program().elf, status.value);
      linked && c.words.program().has_text(tile, status.value))
    holds += fmt::format("; the program has {:#010x} there", *linked) + changed_bits(*linked, held);
  fault.lines = row("holds", holds + last_writer(c, tile, status.value, nullptr));
  return fault;
}

}  // namespace tessera::inspect::failure
