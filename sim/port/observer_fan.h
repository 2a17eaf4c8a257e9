// Several observers as one. Each gets the calls of the tiles that it wants.
#pragma once

#include <array>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

class ObserverFan : public Observer {
 public:
  static constexpr size_t kMost = 32;

  explicit ObserverFan(unsigned tiles) : wanting_(tiles, 0) {}

  // Not owned; null ones are left out. At most kMost: std::logic_error. What each wants is asked at once, and again
  // whenever the chip asks.
  void set(const std::vector<Observer*>& observers);
  const std::vector<Observer*>& observers() const { return observers_; }

  bool wants(unsigned tile) const override;
  Observer* of_tile(unsigned tile) override;  // the only one that wants it gets its calls itself
  bool tiles_apart() const override;          // when all of them say so
#include "sim/port/all_events.inl"
  void loaded(unsigned tile, uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override;
  void flipped(uint64_t cycle, const Flip&) override;

 private:
  uint32_t ask(unsigned tile) const;
  template <class Call>
  void each(unsigned tile, Call call);

  std::vector<Observer*> observers_;
  mutable std::vector<uint32_t> wanting_;  // per tile: bit n: observer n wants it
};

}  // namespace tessera::chip
