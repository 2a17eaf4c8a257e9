#include "inspect/waves/packet_words.h"

#include <fmt/format.h>

namespace tessera::inspect::waves {

std::string PacketWords::place(uint32_t tile_address) const {
  const std::string name = places_.at(tile_address);
  return fmt::format("{:#x}{}", tile_address, name.empty() ? "" : " (" + name + ")");
}

std::string PacketWords::next(uint32_t word, bool first) {
  if (first) {
    index_ = 0;
    header_ = word;
  }
  const unsigned kind = header_ >> 28, tile = header_ >> 17 & 0x7ff, words = header_ & 0x3ff;
  if (tile != tile_) return "";
  const char* unit = words == 1 ? "word" : "words";
  if (index_ == 0) {
    if (kind == 1) text_ = fmt::format("write {} {}", words, unit);
    if (kind == 2) text_ = fmt::format("read {} {}", words, unit);
    if (kind == 3) text_ = fmt::format("{} {} from the host", words, unit);
    if (kind < 1 || kind > 3) text_ = fmt::format("packet of kind {}", kind);
  } else if (index_ == 1 && kind == 1) {
    text_ += fmt::format(" to host {:#x}", word);
  } else if (index_ == 1 && kind == 2) {
    text_ += fmt::format(" of host {:#x}", word);
  } else if ((index_ == 2 && kind == 2) || (index_ == 1 && kind == 3)) {
    text_ += " to " + place(word);
  }
  ++index_;
  return text_;
}

}  // namespace tessera::inspect::waves
