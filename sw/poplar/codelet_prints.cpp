#include "sw/poplar/codelet_prints.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl/spec/tile_id.h"

namespace tessera::runtime {
namespace {

std::string lost_text(const card::Printed& lost, const std::string& tile) {
  const std::string context = lost.context == 0 ? "the supervisor" : fmt::format("worker {}", lost.context - 1);
  return fmt::format("<{}, {}: {} printf{} lost, its buffer of {} words was full>\n", tile, context, lost.lost,
                     lost.lost == 1 ? "" : "s", lost.buffer_words);
}

}  // namespace

CodeletPrints::CodeletPrints(const image::ChipImage& chip, const spec::Machine& machine) : tiles_(chip.prints) {
  if (tiles_.empty()) return;
  elf_ = formats::read_elf(chip.info.elf);
  for (const formats::ElfSymbol& symbol : elf_.symbols) {
    if (symbol.name == card::kAttentionSymbol) places_.attention = symbol.value;
    if (symbol.name == card::kPrintBuffersSymbol) places_.buffers = symbol.value, places_.buffers_bytes = symbol.size;
  }
  if (const formats::ElfSection* formats = elf_.section(card::kFormatsSection)) places_.formats = formats->data;
  places_.memory_begin = machine.memory_base;
  places_.memory_end = machine.memory_end();
}

std::string CodeletPrints::take(card::Client& client, uint32_t chips) const {
  std::vector<card::Printed> printed;
  for (const uint32_t tile : tiles_)
    card::take_printed(client, places_, tile, card::read_attention(client, places_, tile), printed);
  std::string text;
  for (const card::Printed& part : printed)
    text += part.lost != 0 ? lost_text(part, spec::tile_text({client.chosen(), part.tile}, chips)) : part.text;
  return text;
}

}  // namespace tessera::runtime
