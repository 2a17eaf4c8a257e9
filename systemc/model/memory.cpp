#include "systemc/model/memory.h"

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
  for (unsigned n = 0; n < kPieces; ++n)
    pieces_[n] = other.pieces_[n] ? std::make_unique<Piece>(*other.pieces_[n]) : nullptr;
  for (auto& page : decoded_) page = nullptr;  // decoded again when fetched
  return *this;
}

void Memory::write(uint32_t address, uint64_t data, uint8_t strobe) {
  const uint32_t offset = address - kBase;
  auto& piece = pieces_[offset / kPieceBytes];
  if (!piece) piece = std::make_unique<Piece>();
  auto& word = (*piece)[offset % kPieceBytes / 8];
  const uint64_t mask = byte_mask(strobe);
  word = (word & ~mask) | (data & mask);
  if (address >= kRegion1) return;
  if (auto& page = decoded_[offset / kDecodedBytes]) {
    const uint32_t first = address % kDecodedBytes / 8 * 2;
    (*page)[first].traits = Decoded::kStale;
    (*page)[first + 1].traits = Decoded::kStale;
  }
}

const Decoded& Memory::decode_at(uint32_t pc) {
  auto& page = decoded_[(pc - kBase) / kDecodedBytes];
  if (!page) page = std::make_unique<DecodedPage>();
  auto& d = (*page)[pc % kDecodedBytes / 4];
  d = predecode(read_word(pc));
  return d;
}

}  // namespace tessera::model
