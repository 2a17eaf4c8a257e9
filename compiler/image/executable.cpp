#include "compiler/image/executable.h"

#include <algorithm>

namespace tessera::image {
namespace {

// The last place of `tile` that begins at or before `address`, null if there is none.
template <class Place, class Start>
const Place* last_at_or_before(const std::vector<Place>& places, std::uint32_t tile, std::uint32_t address,
                               const Start& start) {
  const auto after =
      std::upper_bound(places.begin(), places.end(), std::pair(tile, address),
                       [&](const auto& key, const Place& p) { return key < std::pair(p.tile, start(p)); });
  if (after == places.begin() || (after - 1)->tile != tile) return nullptr;
  return &*(after - 1);
}

template <class Place>
const Place* holding(const std::vector<Place>& places, std::uint32_t tile, std::uint32_t address) {
  const Place* place = last_at_or_before(places, tile, address, [](const Place& p) { return p.address; });
  return place != nullptr && address - place->address < place->bytes ? place : nullptr;
}

}  // namespace

const VertexPlace* find_vertex(const DebugInfo& debug, std::uint32_t tile, std::uint32_t address) {
  return holding(debug.vertex_places, tile, address);
}

const VariablePlace* find_variable(const DebugInfo& debug, std::uint32_t tile, std::uint32_t address) {
  return holding(debug.variable_places, tile, address);
}

const SymbolRange* find_symbol(const DebugInfo& debug, std::uint32_t pc) {
  const SymbolRange* found = nullptr;
  for (const SymbolRange& symbol : debug.symbols)
    if (symbol.address <= pc && pc - symbol.address < symbol.bytes) found = &symbol;
  return found;
}

const std::string* find_step(const DebugInfo& debug, std::uint32_t tile, std::uint32_t supervisor_pc) {
  const StepPlace* place =
      last_at_or_before(debug.step_places, tile, supervisor_pc, [](const StepPlace& p) { return p.pc; });
  return place == nullptr ? nullptr : &debug.steps[place->step];
}

std::string dump(const Executable& executable) {
  const auto words_of = [](const std::vector<Segment>& segments) {
    std::size_t words = 0;
    for (const Segment& segment : segments) words += segment.words.size();
    return std::to_string(words) + " words in " + std::to_string(segments.size()) + " segments";
  };
  std::string text = "executable for " + executable.machine + "\nshared: " + words_of(executable.shared) + "\n";
  for (std::size_t i = 0; i < executable.programs.size(); ++i)
    text += "program " + std::to_string(i) + " " + executable.programs[i].name + "\n";
  for (std::size_t i = 0; i < executable.host.streams.size(); ++i) {
    const Stream& stream = executable.host.streams[i];
    text += "stream " + std::to_string(i) + " " + stream.handle + ": " + std::to_string(stream.bytes) +
            " bytes, host " + std::to_string(stream.host_offset) + "\n";
  }
  for (std::size_t tile = 0; tile < executable.tiles.size(); ++tile) {
    const TileUsage& u = executable.usage[tile];
    text += "tile " + std::to_string(tile) + ": " + words_of(executable.tiles[tile].segments) + "; uses " +
            std::to_string(u.total) + " of " + std::to_string(u.available) + " bytes (text " + std::to_string(u.text) +
            ", control " + std::to_string(u.control) + ", events " + std::to_string(u.events) + ", variables " +
            std::to_string(u.variables) + ", vertices " + std::to_string(u.vertices) + ", buffers " +
            std::to_string(u.buffers) + ", stacks " + std::to_string(u.stacks) + ")\n";
  }
  return text;
}

}  // namespace tessera::image
