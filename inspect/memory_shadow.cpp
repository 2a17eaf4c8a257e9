#include "inspect/memory_shadow.h"

namespace tessera::inspect {
namespace {

// A word's share of the hash, which is the sum over all words; zero words have none.
uint64_t share(unsigned tile, uint32_t index, uint64_t word) {
  if (word == 0) return 0;
  uint64_t x = word ^ (uint64_t{tile} << 32 | index) * 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

uint64_t lanes(uint8_t strobe) {
  uint64_t mask = 0;
  for (unsigned byte = 0; byte < 8; ++byte)
    if ((strobe >> byte & 1) != 0) mask |= uint64_t{0xff} << (8 * byte);
  return mask;
}

}  // namespace

MemoryShadow::MemoryShadow(const spec::Machine& machine)
    : base_(machine.memory_base), words_(machine.memory_bytes / 8), tiles_(machine.tiles()) {
  for (Tile& tile : tiles_) tile.pages.resize((words_ + kPageWords - 1) / kPageWords);
}

void MemoryShadow::write(unsigned tile, uint32_t address, uint64_t data, uint8_t strobe) {
  const uint32_t index = (address - base_) / 8;
  if (address < base_ || index >= words_ || tile >= tiles_.size()) return;
  Tile& of = tiles_[tile];
  auto& page = of.pages[index / kPageWords];
  if (page == nullptr) page = std::make_unique<Page>();
  uint64_t& word = (*page)[index % kPageWords];
  const uint64_t mask = lanes(strobe);
  const uint64_t next = (word & ~mask) | (data & mask);
  of.hash += share(tile, index, next) - share(tile, index, word);
  word = next;
}

void MemoryShadow::write_word(unsigned tile, uint32_t address, uint32_t data) {
  const unsigned shift = (address & 4) * 8;
  write(tile, address, uint64_t{data} << shift, static_cast<uint8_t>(0xf << (address & 4)));
}

void MemoryShadow::clear() {
  for (Tile& tile : tiles_) {
    for (auto& page : tile.pages) page.reset();
    tile.hash = 0;
  }
}

uint64_t MemoryShadow::hash() const {
  uint64_t sum = 0;
  for (const Tile& tile : tiles_) sum += tile.hash;
  return sum;
}

}  // namespace tessera::inspect
