// Memory of a tile: 624 KiB in 16 KiB pieces that are made when first written (untouched memory reads zero), and the
// words of region 0 as they were decoded when first fetched. Addresses are tile byte addresses. Mirrors rtl/tile's
// memory. An image of it costs what was written since the last one: pages are shared.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "sim/model/decode.h"

namespace tessera::model {

class Memory {
 public:
  static constexpr uint32_t kBase = 0x4C000, kRegion1 = 0x80000, kBytes = 0x9C000, kEnd = kBase + kBytes;
  static constexpr uint32_t kPieceBytes = 0x4000, kPieces = kBytes / kPieceBytes;
  using Piece = std::array<uint64_t, kPieceBytes / 8>;

  Memory() = default;
  Memory(const Memory& other) { *this = other; }
  Memory& operator=(const Memory& other);

  static constexpr bool contains(uint32_t address) { return address - kBase < kBytes; }
  static constexpr bool executable(uint32_t pc) { return pc - kBase < kRegion1 - kBase && (pc & 3) == 0; }
  // Element that an address inside the memory lies in; two accesses of one cycle clash by element.
  static constexpr unsigned element_of(uint32_t address) {
    return address < kRegion1 ? (address - kBase) >> 14 : 13 + 2 * ((address - kRegion1) >> 15) + (address >> 3 & 1);
  }

  // The aligned 64-bit word that holds `address`.
  uint64_t read(uint32_t address) const {
    const uint32_t offset = address - kBase;
    const auto& piece = pieces_[offset / kPieceBytes];
    return piece ? (*piece)[offset % kPieceBytes / 8] : 0;
  }
  uint32_t read_word(uint32_t address) const { return static_cast<uint32_t>(read(address) >> (8 * (address & 4))); }
  // Writes the bytes of `data` whose strobe bit is set.
  void write(uint32_t address, uint64_t data, uint8_t strobe);
  void write_word(uint32_t address, uint32_t data) {
    write(address, uint64_t{data} << (8 * (address & 4)), address & 4 ? 0xf0 : 0x0f);
  }
  // pc must be executable.
  const Decoded& fetch(uint32_t pc) {
    auto& page = decoded_[(pc - kBase) / kDecodedBytes];
    if (page) {
      const auto& d = (*page)[pc % kDecodedBytes / 4];
      if (!(d.traits & Decoded::kStale)) return d;
    }
    return decode_at(pc);
  }
  // Contents of addresses kBase + n * kPieceBytes and on; null: all zero.
  const Piece* piece(unsigned n) const { return pieces_[n].get(); }

  static constexpr uint32_t kPageBytes = 0x1000, kPages = kBytes / kPageBytes;
  using Page = std::array<uint64_t, kPageBytes / 8>;
  using Pages = std::array<std::shared_ptr<const Page>, kPages>;  // null: all zero
  using Image = std::shared_ptr<const Pages>;
  // The contents; adds to `bytes` what no earlier image holds.
  Image image(size_t& bytes) const;
  void set_image(const Image&);

 private:
  static constexpr uint32_t kDecodedBytes = 0x400;
  static constexpr uint32_t kPagesOfPiece = kPieceBytes / kPageBytes;
  using DecodedPage = std::array<Decoded, kDecodedBytes / 4>;
  const Decoded& decode_at(uint32_t pc);
  uint64_t* page_words(unsigned page) const {
    auto& piece = pieces_[page / kPagesOfPiece];
    return piece ? piece->data() + page % kPagesOfPiece * (kPageBytes / 8) : nullptr;
  }

  std::array<std::unique_ptr<Piece>, kPieces> pieces_;
  std::array<std::unique_ptr<DecodedPage>, (kRegion1 - kBase) / kDecodedBytes> decoded_;
  // The last image taken or set, and which pages were written since.
  mutable Image image_ = std::make_shared<Pages>();
  mutable std::array<bool, kPages> written_{};
};

}  // namespace tessera::model
