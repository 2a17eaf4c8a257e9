#include "compiler/passes/text/tile_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/passes/text/codelet_groups.h"

namespace tessera::compiler {
namespace {

using Ranges = std::vector<AddressRange>;

}  // namespace

TileText tile_text(const Text& text, const ir::Program& program, const spec::Machine& machine) {
  const CodeletGroups groups = codelet_groups(program);
  std::vector<bool> claimed(text.pieces.size());
  for (const std::vector<std::uint32_t>& pieces : text.needed)
    for (const std::uint32_t piece : pieces) claimed[piece] = true;
  // What lies in no piece is everybody's.
  const Ranges& pieces = text.pieces;
  Ranges common;
  add_gaps({machine.memory_base, text.text_end}, pieces, common);
  add_gaps({text.data_base, text.data_end}, pieces, common);
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (!claimed[i]) common.push_back(pieces[i]);

  TileText result;
  result.set_of_tile = groups.of_tile;
  for (const CodeletGroup& group : groups.groups) {
    std::vector<bool> needed(pieces.size());
    for (const std::uint32_t codelet : group.codelets)
      for (const std::uint32_t piece : text.needed[codelet]) needed[piece] = true;
    Ranges held = common;
    for (std::size_t i = 0; i < pieces.size(); ++i)
      if (needed[i]) held.push_back(pieces[i]);
    held = joined(std::move(held));
    TextSet set;
    add_gaps({machine.memory_base, text.text_end}, held, set.absent);
    set.text_bytes = text.text_end - machine.memory_base;
    for (const AddressRange& gap : set.absent) set.text_bytes -= gap.end - gap.begin;
    add_gaps({text.data_base, text.data_top}, held, set.absent);
    result.sets.push_back(std::move(set));
  }
  return result;
}

std::string dump(const TileText& tile_text) {
  std::string result;
  for (std::size_t i = 0; i < tile_text.sets.size(); ++i) {
    const TextSet& set = tile_text.sets[i];
    result += fmt::format("set {}, {} tiles: text {} bytes, not there:", i,
                          std::count(tile_text.set_of_tile.begin(), tile_text.set_of_tile.end(), i), set.text_bytes);
    for (const AddressRange& gap : set.absent) result += fmt::format(" {:#x}-{:#x}", gap.begin, gap.end);
    result += "\n";
  }
  return result;
}

}  // namespace tessera::compiler
