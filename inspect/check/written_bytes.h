// Which bytes of tile memories have been written since the chip was reset.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tessera::spec {
struct Machine;
}

namespace tessera::inspect::check {

class WrittenBytes {
 public:
  explicit WrittenBytes(const spec::Machine&);

  // What lies outside memory is ignored, and counts as written.
  void mark(unsigned tile, uint32_t address, uint32_t bytes) { set(tile, address, bytes, true); }
  void forget(unsigned tile, uint32_t address, uint32_t bytes) { set(tile, address, bytes, false); }
  bool any(unsigned tile, uint32_t address, uint32_t bytes) const;
  void clear();

 private:
  static constexpr uint32_t kPageBytes = 8192;
  using Page = std::array<uint64_t, kPageBytes / 64>;
  void set(unsigned tile, uint32_t address, uint32_t bytes, bool written);

  uint32_t base_, bytes_;
  std::vector<std::vector<std::unique_ptr<Page>>> pages_;  // per tile; null: nothing
};

}  // namespace tessera::inspect::check
