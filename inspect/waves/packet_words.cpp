#include "inspect/waves/packet_words.h"

#include <fmt/format.h>

#include "rtl/spec/words.h"

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
  using spec::PacketKind;
  const auto [words, tile, kind] = spec::PacketHeader::decode(header_);
  if (tile != tile_) return "";
  const char* unit = words == 1 ? "word" : "words";
  if (index_ == 0) {
    if (kind == PacketKind::kWriteHost) text_ = fmt::format("write {} {}", words, unit);
    if (kind == PacketKind::kReadHost) text_ = fmt::format("read {} {}", words, unit);
    if (kind == PacketKind::kResponse) text_ = fmt::format("{} {} from the host", words, unit);
    if (kind < PacketKind::kWriteHost || kind > PacketKind::kResponse) text_ = fmt::format("packet of kind {}", kind);
  } else if (index_ == 1 && kind == PacketKind::kWriteHost) {
    text_ += fmt::format(" to host {:#x}", word);
  } else if (index_ == 1 && kind == PacketKind::kReadHost) {
    text_ += fmt::format(" of host {:#x}", word);
  } else if ((index_ == 2 && kind == PacketKind::kReadHost) || (index_ == 1 && kind == PacketKind::kResponse)) {
    text_ += " to " + place(word);
  }
  ++index_;
  return text_;
}

}  // namespace tessera::inspect::waves
