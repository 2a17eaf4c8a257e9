// Memory of a tile, as large as the machine description says, in 16 KiB pieces that are made when first written
// (untouched memory reads zero), and the words of region 0 as they were decoded when first fetched. Addresses are tile
// byte addresses, below kReach: tables are indexed by the address itself. Mirrors rtl/tile's memory. An image of it
// costs what was written since the last one: pages are shared.
//
// Parity (tile.md): of a byte whose bits were turned over it is known whether its check bit still fits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/model/decode.h"

namespace tessera::model {

class Memory {
 public:
  static constexpr uint32_t kReach = 0x100000;  // of a tile's addresses
  static constexpr uint32_t kPieceBytes = 0x4000;
  static constexpr uint32_t kDecodedBytes = 0x400;  // of text are decoded in one piece
  using Piece = std::array<uint64_t, kPieceBytes / 8>;

  explicit Memory(const spec::TileGeometry& geometry)
      : base_(geometry.memory_base),
        bytes_(geometry.memory_bytes),
        region1_(geometry.region1_base),
        region0_bytes_(region1_ - base_),
        shift_(static_cast<uint8_t>(std::countr_zero(geometry.element_bytes))),
        first_element_(static_cast<uint8_t>(base_ >> shift_)),
        image_(std::make_shared<Pages>((bytes_ + kGroupBytes - 1) / kGroupBytes)) {}
  Memory(const Memory& other) { *this = other; }
  Memory& operator=(const Memory& other);

  spec::TileGeometry geometry() const { return {base_, bytes_, 1u << shift_, region1_}; }
  uint32_t base() const { return base_; }
  uint32_t end() const { return base_ + bytes_; }
  uint32_t region1() const { return region1_; }
  bool contains(uint32_t address) const { return address - base_ < bytes_; }
  bool executable(uint32_t pc) const { return pc - base_ < region0_bytes_ && (pc & 3) == 0; }
  // Element that an address inside the memory lies in (tile.md, Memory); two accesses of one cycle clash by element.
  // Region 1 begins with a pair of elements, so the pair's bits of the address stand above those of an element.
  unsigned element_of(uint32_t address) const {
    const uint32_t number = address < region1_ ? address >> shift_ : (address >> shift_ & ~1u) | (address >> 3 & 1);
    return number - first_element_;
  }
  // Most accesses of a cycle are not even in one pair of elements.
  bool same_element(uint32_t a, uint32_t b) const { return ((a ^ b) >> shift_) <= 1 && element_of(a) == element_of(b); }

  // The aligned 64-bit word that holds `address`.
  uint64_t read(uint32_t address) const {
    const auto& piece = pieces_[address / kPieceBytes];
    return piece ? (*piece)[address % kPieceBytes / 8] : 0;
  }
  // Where the word that holds `address` stands when a write of it does no more than to change it: it has been written
  // before, is not decoded, and no check bits are wrong. Else null.
  uint64_t* plain_word(uint32_t address) {
    const auto& piece = pieces_[address / kPieceBytes];
    if (!piece || damaged()) return nullptr;
    if (const auto& page = decoded_[address / kDecodedBytes]) {
      const uint32_t first = address % kDecodedBytes / 8 * 2;
      if (!((*page)[first].traits & (*page)[first + 1].traits & Decoded::kStale)) return nullptr;
    }
    written_[address / kPageBytes] = true;
    return piece->data() + address % kPieceBytes / 8;
  }
  uint32_t read_word(uint32_t address) const { return static_cast<uint32_t>(read(address) >> (8 * (address & 4))); }
  // Writes the bytes of `data` whose strobe bit is set.
  void write(uint32_t address, uint64_t data, uint8_t strobe);
  void write_word(uint32_t address, uint32_t data) {
    write(address, uint64_t{data} << (8 * (address & 4)), address & 4 ? 0xf0 : 0x0f);
  }
  void write_words(uint32_t address, std::span<const uint32_t> words);  // 4-aligned
  // Turns bits of a 32-bit word over, and not its check bits.
  void flip_word(uint32_t address, uint32_t mask);
  // Bytes of the double word at `address`, 8-aligned, that do not fit their check bits: bit 0 is of the lowest.
  uint8_t bad_bytes(uint32_t address) const;
  void spoil(uint32_t address, uint8_t bytes);  // turns their check bits over
  bool damaged() const { return !bad_.empty(); }
  // The first of the 32-bit words at `address` (bit 0: low, bit 1: high of its double word) that does not fit; 0: none.
  uint32_t bad_word(uint32_t address, unsigned words) const;
  // pc must be executable.
  const Decoded& fetch(uint32_t pc) {
    auto& page = decoded_[pc / kDecodedBytes];
    if (page) {
      const auto& d = (*page)[pc % kDecodedBytes / 4];
      if (!(d.traits & Decoded::kStale)) return d;
    }
    return decode_at(pc);
  }

  static constexpr uint32_t kPageBytes = 0x800;
  using Page = std::array<uint64_t, kPageBytes / 8>;
  using Group = std::array<std::shared_ptr<const Page>, 16>;  // null: all zero
  using Pages = std::vector<std::shared_ptr<const Group>>;    // from base(); null: all zero
  using Bad = std::map<uint32_t, uint8_t>;                    // bad_bytes(), where there are any
  struct Image {
    std::shared_ptr<const Pages> pages;
    Bad bad;
  };
  // The contents; adds to `bytes` what no earlier image holds.
  Image image(size_t& bytes) const;
  void set_image(const Image&);

 private:
  static constexpr uint32_t kGroupBytes = kPageBytes * std::tuple_size_v<Group>;
  using DecodedPage = std::array<Decoded, kDecodedBytes / 4>;
  const Decoded& decode_at(uint32_t pc);
  void mend(uint32_t address, uint8_t bytes);  // they have been written
  // Of the page that begins at `address`.
  uint64_t* page_words(uint32_t address) const {
    auto& piece = pieces_[address / kPieceBytes];
    return piece ? piece->data() + address % kPieceBytes / 8 : nullptr;
  }

  uint32_t base_ = 0, bytes_ = 0, region1_ = 0, region0_bytes_ = 0;
  uint8_t shift_ = 0;  // of an address to the number of an element in region 0, which counts from first_element_
  uint8_t first_element_ = 0;
  std::array<std::unique_ptr<Piece>, kReach / kPieceBytes> pieces_;
  std::array<std::unique_ptr<DecodedPage>, kReach / kDecodedBytes> decoded_;
  // The last image taken or set, and which pages were written since, by address.
  mutable std::shared_ptr<const Pages> image_;
  mutable std::array<bool, kReach / kPageBytes> written_{};
  Bad bad_;
};

}  // namespace tessera::model
