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
  void retire(unsigned tile, const Retire&) override;
  void port_write(unsigned tile, const PortWrite&) override;
  void superstep(uint64_t index, uint64_t cycle) override;
  void sent(unsigned tile, uint64_t cycle, uint32_t data) override;
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override;
  void selected(unsigned tile, uint64_t cycle, unsigned source) override;
  void exchanging(unsigned tile, uint64_t cycle, bool on) override;
  void sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) override;
  void sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t request,
                        uint64_t phase_start) override;
  void host_sync(uint64_t cycle) override;
  void packet_request(unsigned tile, uint64_t cycle) override;
  void packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) override;
  void packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool first) override;
  void excepted(unsigned tile, const ExceptionStatus&) override;
  void debug_written(unsigned tile, uint64_t cycle, DebugSpace, unsigned context, uint32_t address,
                     uint32_t data) override;
  void debug_time(uint64_t begin, uint64_t end) override;

 private:
  uint32_t ask(unsigned tile) const;
  template <class Call>
  void each(unsigned tile, Call call);

  std::vector<Observer*> observers_;
  mutable std::vector<uint32_t> wanting_;  // per tile: bit n: observer n wants it
};

}  // namespace tessera::chip
