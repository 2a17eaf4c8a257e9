#include "inspect/check/written_bytes.h"

#include <algorithm>

#include "rtl/spec/machine.h"

namespace tessera::inspect::check {

WrittenBytes::WrittenBytes(const spec::Machine& machine)
    : base_(machine.memory_base), bytes_(machine.memory_bytes), pages_(machine.tiles()) {
  for (auto& tile : pages_) tile.resize((bytes_ + kPageBytes - 1) / kPageBytes);
}

void WrittenBytes::set(unsigned tile, uint32_t address, uint32_t bytes, bool written) {
  if (tile >= pages_.size()) return;
  uint32_t at = std::max(address, base_) - base_;
  const uint32_t end = std::min<uint64_t>(uint64_t{address} + bytes, uint64_t{base_} + bytes_) - base_;
  while (at < end) {
    auto& page = pages_[tile][at / kPageBytes];
    if (page == nullptr) page = std::make_unique<Page>();
    const uint32_t bit = at % 64, count = std::min(end - at, 64 - bit);
    const uint64_t mask = (count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << bit;
    uint64_t& word = (*page)[at % kPageBytes / 64];
    word = written ? word | mask : word & ~mask;
    at += count;
  }
}

bool WrittenBytes::any(unsigned tile, uint32_t address, uint32_t bytes) const {
  for (uint32_t at = address - base_; bytes != 0; ++at, --bytes) {
    if (at >= bytes_ || tile >= pages_.size()) return true;
    const auto& page = pages_[tile][at / kPageBytes];
    if (page != nullptr && ((*page)[at % kPageBytes / 64] >> at % 64 & 1) != 0) return true;
  }
  return false;
}

void WrittenBytes::clear() {
  for (auto& tile : pages_)
    for (auto& page : tile) page.reset();
}

}  // namespace tessera::inspect::check
