#include "inspect/waves/packet_words.h"

#include <fmt/format.h>

#include "rtl/spec/remote_address.h"
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
  const auto [words, chip, tile, kind] = spec::PacketHeader::decode(header_);
  const bool leaves = direction_ == Direction::kOut;
  if (!leaves && tile != tile_) return "";
  const char* unit = words == 1 ? "word" : "words";
  if (index_ == 0) {
    switch (kind) {
      case PacketKind::kWriteHost:
      case PacketKind::kWriteRemote:
        text_ = fmt::format("write {} {}", words, unit);
        break;
      case PacketKind::kReadHost:
      case PacketKind::kReadRemote:
        text_ = fmt::format("read {} {}", words, unit);
        break;
      case PacketKind::kResponse:
        text_ = fmt::format("{} {} read", words, unit);  // of the host, or of remote memory: the answers are alike
        break;
      case PacketKind::kWriteTile:
        text_ = leaves ? fmt::format("{} {} for chip {} tile {}", words, unit, chip, tile)
                       : fmt::format("{} {} from another chip", words, unit);
        break;
      default:
        text_ = fmt::format("packet of kind {}", kind);
    }
  } else if (index_ == 1 && kind == PacketKind::kWriteHost) {
    text_ += fmt::format(" to host {:#x}", word);
  } else if (index_ == 1 && kind == PacketKind::kReadHost) {
    text_ += fmt::format(" of host {:#x}", word);
  } else if (index_ == 1 && kind == PacketKind::kWriteRemote) {
    text_ += fmt::format(" to remote {:#x}", spec::remote_address(spec::PacketHeader::decode(header_), word));
  } else if (index_ == 1 && kind == PacketKind::kReadRemote) {
    text_ += fmt::format(" of remote {:#x}", spec::remote_address(spec::PacketHeader::decode(header_), word));
  } else if (index_ == 1 && kind == PacketKind::kWriteTile && leaves) {
    text_ += fmt::format(" at {:#x}", word);  // whose memory it is knows its name
  } else if ((index_ == 2 && (kind == PacketKind::kReadHost || kind == PacketKind::kReadRemote)) ||
             (index_ == 1 && kind == PacketKind::kResponse) || (index_ == 1 && kind == PacketKind::kWriteTile)) {
    text_ += " to " + place(word);
  }
  ++index_;
  return text_;
}

}  // namespace tessera::inspect::waves
