#include "compiler/image/executable.h"

#include "rtl/spec/tile_id.h"

namespace tessera::image {
namespace {

std::string words_of(const std::vector<Segment>& segments) {
  std::size_t words = 0;
  for (const Segment& segment : segments) words += segment.words.size();
  return std::to_string(words) + " words in " + std::to_string(segments.size()) + " segments";
}

std::string tile_lines(const ChipImage& chip, const spec::ChipPlace& place) {
  std::string text;
  for (std::uint32_t tile = 0; tile < chip.tiles.size(); ++tile) {
    const TileUsage& u = chip.usage[tile];
    text += place.tile(tile) + ": " + words_of(chip.tiles[tile].segments) + "; uses " + std::to_string(u.total) +
            " of " + std::to_string(u.available) + " bytes (text " + std::to_string(u.text) + ", control " +
            std::to_string(u.control) + ", events " + std::to_string(u.events) + ", variables " +
            std::to_string(u.variables) + ", vertices " + std::to_string(u.vertices) + ", buffers " +
            std::to_string(u.buffers) + ", stacks " + std::to_string(u.stacks) + ")\n";
  }
  return text;
}

}  // namespace

std::string dump(const Executable& executable) {
  const auto chips = static_cast<std::uint32_t>(executable.chips.size());
  std::string text;
  for (std::uint32_t id = 0; id < chips; ++id) {
    const ChipImage& chip = executable.chips[id];
    text += (chips > 1 ? "chip " + std::to_string(id) + ": " : std::string()) + "executable for " + chip.machine +
            "\nshared: " + words_of(chip.shared) + "\n";
  }
  if (executable.replicas > 1)
    text += std::to_string(executable.replicas) + " replicas: " + std::to_string(executable.replica_words.size()) +
            " words differ\n";
  for (std::size_t i = 0; i < executable.programs.size(); ++i)
    text += "program " + std::to_string(i) + " " + executable.programs[i].name + "\n";
  for (std::size_t i = 0; i < executable.host.streams.size(); ++i) {
    const Stream& stream = executable.host.streams[i];
    text += "stream " + std::to_string(i) + " " + stream.handle + ": " + std::to_string(stream.bytes) +
            " bytes, host " + std::to_string(stream.host_offset) + "\n";
  }
  for (std::uint32_t id = 0; id < chips; ++id) text += tile_lines(executable.chips[id], {id, chips});
  return text;
}

}  // namespace tessera::image
