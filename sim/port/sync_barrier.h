// Who waits in which sync zone, and when all do: the sync controller of docs/reference/exchange.md as arithmetic on
// cycles. Knows requests only by the cycle in which they rose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"

namespace tessera::chip {

constexpr uint64_t kNever = ~0ull;

class SyncBarrier {
 public:
  struct Complete {
    uint8_t zone = 0;
    bool consensus = false;
    uint64_t request = 0;  // the cycle in which the last request rose
  };

  explicit SyncBarrier(unsigned tiles) : waits_(tiles) {}

  void clear() {
    waits_.assign(waits_.size(), Wait{});
    waiting_ = 0;
  }

  // The request of a tile rose, or fell, in `cycle`.
  void rise(unsigned tile, uint64_t cycle, uint8_t zone, bool value) {
    waits_[tile] = {cycle, zone, value};
    ++waiting_;
  }
  void fall(unsigned tile) {
    waits_[tile].cycle = kNever;
    --waiting_;
  }
  bool waits(unsigned tile) const { return waits_[tile].cycle != kNever; }

  // All tiles wait in one zone. Automatic requests are for the internal one.
  std::optional<Complete> complete() const {
    if (waiting_ != waits_.size()) return std::nullopt;
    Complete all{zone_of(waits_[0]), true, 0};
    for (const Wait& wait : waits_) {
      if (zone_of(wait) != all.zone) return std::nullopt;
      all.consensus &= wait.value;
      all.request = std::max(all.request, wait.cycle);
    }
    return all;
  }

  struct Wait {
    uint64_t cycle = kNever;
    uint8_t zone = 0;
    bool value = false;
  };
  const std::vector<Wait>& waits() const { return waits_; }
  void set_waits(const std::vector<Wait>& waits) {
    waits_ = waits;
    waiting_ = 0;
    for (const Wait& wait : waits_) waiting_ += wait.cycle != kNever;
  }

 private:
  static uint8_t zone_of(const Wait& wait) {
    return wait.zone == spec::SyncZone::kAutomatic ? static_cast<uint8_t>(spec::SyncZone::kInternal) : wait.zone;
  }

  std::vector<Wait> waits_;
  size_t waiting_ = 0;
};

}  // namespace tessera::chip
