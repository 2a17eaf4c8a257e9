// Which tiles have grants or words of packets to come, by the cycle of each one's next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace tessera::chip {

// A tile's next input is where the tile is (TilePlace::next_input()), and moves on when the tile has it:
// `next_of(tile)` says what it is now, ~0 when there is none. Here the cycle stands that was last known, so what is
// looked at is mostly the first entry, however many tiles have inputs.
class NextInputs {
 public:
  explicit NextInputs(unsigned tiles) : known_(tiles, kNone) {}

  // To be told of every input that is nearer than the tile's others.
  void note(unsigned tile, uint64_t cycle) {
    if (cycle < known_[tile]) push(tile, cycle);
  }

  // The first of all; ~0: there is none.
  template <class NextOf>
  uint64_t first(NextOf next_of) {
    for (;;) {
      if (queue_.empty()) return kNone;
      const auto [cycle, tile] = queue_.front();
      const bool newest = known_[tile] == cycle;
      const uint64_t next = newest ? next_of(tile) : kNone;
      if (newest && next == cycle) return cycle;
      pop();
      if (!newest) continue;
      known_[tile] = kNone;
      if (next != kNone) push(tile, next);
    }
  }

  // Calls visit(tile, cycle) for each tile whose next input comes before `end`, which it must leave as it is, in the
  // order of cycles.
  template <class NextOf, class Visit>
  void each_before(uint64_t end, NextOf next_of, Visit visit) {
    visited_.clear();
    for (uint64_t cycle; (cycle = first(next_of)) < end;) {
      const unsigned tile = queue_.front().second;
      pop();
      known_[tile] = kNone;
      visited_.emplace_back(cycle, tile);
      visit(tile, cycle);
    }
    for (const auto& [cycle, tile] : visited_) push(tile, cycle);
  }

 private:
  static constexpr uint64_t kNone = ~uint64_t{0};
  using Entry = std::pair<uint64_t, unsigned>;  // cycle, tile

  void push(unsigned tile, uint64_t cycle) {
    known_[tile] = cycle;
    queue_.emplace_back(cycle, tile);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
  }
  void pop() {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    queue_.pop_back();
  }

  std::vector<Entry> queue_;     // a heap, the first cycle in front; of a tile only one with the known cycle counts
  std::vector<uint64_t> known_;  // by tile
  std::vector<Entry> visited_;
};

}  // namespace tessera::chip
