#include "compiler/image/executable.h"

namespace tessera::image {

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
