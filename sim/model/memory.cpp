#include "sim/model/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tessera::model {
namespace {

uint64_t byte_mask(uint8_t strobe) {
  if (strobe == 0xff) return ~uint64_t{0};
  uint64_t mask = 0;
  for (int lane = 0; lane < 8; ++lane)
    if (strobe >> lane & 1) mask |= uint64_t{0xff} << (8 * lane);
  return mask;
}

}  // namespace

Memory& Memory::operator=(const Memory& other) {
  if (this == &other) return *this;
  base_ = other.base_;
  bytes_ = other.bytes_;
  region1_ = other.region1_;
  region0_bytes_ = other.region0_bytes_;
  shift_ = other.shift_;
  first_element_ = other.first_element_;
  for (unsigned n = 0; n < pieces_.size(); ++n)
    pieces_[n] = other.pieces_[n] ? std::make_unique<Piece>(*other.pieces_[n]) : nullptr;
  for (auto& page : decoded_) page = nullptr;  // decoded again when fetched
  image_ = other.image_;
  written_ = other.written_;
  bad_ = other.bad_;
  return *this;
}

void Memory::write(uint32_t address, uint64_t data, uint8_t strobe) {
  auto& piece = pieces_[address / kPieceBytes];
  if (!piece) piece = std::make_unique<Piece>();
  auto& word = (*piece)[address % kPieceBytes / 8];
  const uint64_t mask = byte_mask(strobe);
  word = (word & ~mask) | (data & mask);
  written_[address / kPageBytes] = true;
  if (damaged()) mend(address & ~7u, strobe);
  if (address >= region1_) return;
  if (auto& page = decoded_[address / kDecodedBytes]) {
    const uint32_t first = address % kDecodedBytes / 8 * 2;
    (*page)[first].traits = Decoded::kStale;
    (*page)[first + 1].traits = Decoded::kStale;
  }
}

void Memory::write_words(uint32_t address, std::span<const uint32_t> words) {
  static_assert(std::endian::native == std::endian::little);  // a word's bytes in memory are the host's
  if (damaged())
    for (uint32_t n = 0; n < words.size(); ++n) mend((address + 4 * n) & ~7u, (address + 4 * n) & 4 ? 0xf0 : 0x0f);
  while (!words.empty()) {
    const uint32_t place = address % kPieceBytes;
    const auto count = static_cast<uint32_t>(std::min<size_t>(words.size(), (kPieceBytes - place) / 4));
    auto& piece = pieces_[address / kPieceBytes];
    if (!piece) piece = 4 * count == kPieceBytes ? std::make_unique_for_overwrite<Piece>() : std::make_unique<Piece>();
    std::memcpy(reinterpret_cast<char*>(piece->data()) + place, words.data(), 4 * size_t{count});
    for (uint32_t page = address / kPageBytes; page <= (address + 4 * count - 1) / kPageBytes; ++page)
      written_[page] = true;
    const uint32_t end = std::min(address + 4 * count, region1_);
    for (uint32_t at = address, next; at < end; at = next) {
      next = std::min(at / kDecodedBytes * kDecodedBytes + kDecodedBytes, end);
      if (auto& page = decoded_[at / kDecodedBytes])
        for (; at < next; at += 4) (*page)[at % kDecodedBytes / 4].traits = Decoded::kStale;
    }
    words = words.subspan(count);
    address += 4 * count;
  }
}

void Memory::flip_word(uint32_t address, uint32_t mask) {
  const uint32_t place = address & ~7u, lane = address & 4;
  uint8_t bytes = bad_bytes(place);
  for (unsigned byte = 0; byte < 4; ++byte)
    bytes ^= static_cast<uint8_t>((std::popcount(mask >> (8 * byte) & 0xff) & 1) << (lane + byte));
  write_word(address, read_word(address) ^ mask);
  bad_.erase(place);
  if (bytes != 0) bad_[place] = bytes;
}

uint8_t Memory::bad_bytes(uint32_t address) const {
  const auto place = bad_.find(address);
  return place == bad_.end() ? 0 : place->second;
}

void Memory::spoil(uint32_t address, uint8_t bytes) {
  bytes ^= bad_bytes(address);
  bad_.erase(address);
  if (bytes != 0) bad_[address] = bytes;
}

void Memory::mend(uint32_t address, uint8_t bytes) {
  const auto place = bad_.find(address);
  if (place != bad_.end() && (place->second &= static_cast<uint8_t>(~bytes)) == 0) bad_.erase(place);
}

uint32_t Memory::bad_word(uint32_t address, unsigned words) const {
  const uint32_t place = address & ~7u;
  const uint8_t bytes = bad_bytes(place);
  if ((words & 1) && (bytes & 0x0f)) return place;
  if ((words & 2) && (bytes & 0xf0)) return place + 4;
  return 0;
}

const Decoded& Memory::decode_at(uint32_t pc) {
  auto& page = decoded_[pc / kDecodedBytes];
  if (!page) page = std::make_unique<DecodedPage>();
  auto& d = (*page)[pc % kDecodedBytes / 4];
  d = predecode(read_word(pc));
  return d;
}

Memory::Image Memory::image(size_t& bytes) const {
  std::shared_ptr<Pages> pages;  // null: as before
  for (uint32_t n = 0; n < image_->size(); ++n) {
    const uint32_t first = base_ + n * kGroupBytes, end = std::min(first + kGroupBytes, base_ + bytes_);
    std::shared_ptr<Group> group;
    for (uint32_t address = first; address < end; address += kPageBytes) {
      if (!written_[address / kPageBytes]) continue;
      if (!group) {
        group = (*image_)[n] ? std::make_shared<Group>(*(*image_)[n]) : std::make_shared<Group>();
        bytes += sizeof(Group);
      }
      auto page = std::make_shared_for_overwrite<Page>();
      std::copy_n(page_words(address), page->size(), page->begin());
      (*group)[(address - first) / kPageBytes] = std::move(page);
      bytes += sizeof(Page);
    }
    if (!group) continue;
    if (!pages) {
      pages = std::make_shared<Pages>(*image_);
      bytes += pages->size() * sizeof(Pages::value_type);
    }
    (*pages)[n] = std::move(group);
  }
  if (!pages) return {image_, bad_};
  written_ = {};
  image_ = std::move(pages);
  return {image_, bad_};
}

void Memory::set_image(const Image& image) {
  static const Group kZeros;
  for (uint32_t n = 0; n < image_->size(); ++n) {
    const uint32_t first = base_ + n * kGroupBytes, end = std::min(first + kGroupBytes, base_ + bytes_);
    const auto& next = (*image.pages)[n] ? *(*image.pages)[n] : kZeros;
    const auto& before = (*image_)[n] ? *(*image_)[n] : kZeros;
    for (uint32_t address = first; address < end; address += kPageBytes) {
      const auto& page = next[(address - first) / kPageBytes];
      if (!written_[address / kPageBytes] && page == before[(address - first) / kPageBytes]) continue;
      auto& piece = pieces_[address / kPieceBytes];
      if (page && !piece) piece = std::make_unique<Piece>();
      if (page)
        std::copy(page->begin(), page->end(), page_words(address));
      else if (piece)
        std::fill_n(page_words(address), kPageBytes / 8, 0);
      for (uint32_t d = address / kDecodedBytes; d < (address + kPageBytes) / kDecodedBytes; ++d) decoded_[d] = nullptr;
    }
  }
  written_ = {};
  image_ = image.pages;
  bad_ = image.bad;
}

}  // namespace tessera::model
