// One observer for two: the first is told everything, the second (may be null) what it wants.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

class ObserverTee : public Observer {
 public:
  explicit ObserverTee(unsigned tiles) : wanted_(tiles) {}

  Observer* first = nullptr;
  Observer* second = nullptr;

  bool wants(unsigned tile) const override {
    wanted_[tile] = second != nullptr && second->wants(tile);
    return true;
  }
  void retire(unsigned tile, const Retire& record) override {
    first->retire(tile, record);
    if (wanted_[tile]) second->retire(tile, record);
  }
  void port_write(unsigned tile, const PortWrite& record) override {
    first->port_write(tile, record);
    if (wanted_[tile]) second->port_write(tile, record);
  }
  void sent(unsigned tile, uint64_t cycle, uint32_t data) override {
    first->sent(tile, cycle, data);
    if (wanted_[tile]) second->sent(tile, cycle, data);
  }
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override {
    first->received(tile, cycle, source, data);
    if (wanted_[tile]) second->received(tile, cycle, source, data);
  }
  void selected(unsigned tile, uint64_t cycle, unsigned source) override {
    first->selected(tile, cycle, source);
    if (wanted_[tile]) second->selected(tile, cycle, source);
  }
  void exchanging(unsigned tile, uint64_t cycle, bool on) override {
    first->exchanging(tile, cycle, on);
    if (wanted_[tile]) second->exchanging(tile, cycle, on);
  }
  void sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) override {
    first->sync_request(tile, cycle, zone, value);
    if (wanted_[tile]) second->sync_request(tile, cycle, zone, value);
  }
  void packet_request(unsigned tile, uint64_t cycle) override {
    first->packet_request(tile, cycle);
    if (wanted_[tile]) second->packet_request(tile, cycle);
  }
  void packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) override {
    first->packet_out(tile, cycle, data, last);
    if (wanted_[tile]) second->packet_out(tile, cycle, data, last);
  }
  void packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool begins) override {
    first->packet_in(tile, cycle, data, begins);
    if (wanted_[tile]) second->packet_in(tile, cycle, data, begins);
  }
  void excepted(unsigned tile, const ExceptionStatus& status) override {
    first->excepted(tile, status);
    if (wanted_[tile]) second->excepted(tile, status);
  }
  void debug_written(unsigned tile, uint64_t cycle, DebugSpace space, unsigned context, uint32_t address,
                     uint32_t data) override {
    first->debug_written(tile, cycle, space, context, address, data);
    if (second != nullptr && (tile == kNoTile || wanted_[tile]))
      second->debug_written(tile, cycle, space, context, address, data);
  }
  void superstep(uint64_t index, uint64_t cycle) override {
    first->superstep(index, cycle);
    if (second != nullptr) second->superstep(index, cycle);
  }
  void sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t request,
                        uint64_t phase_start) override {
    first->sync_acknowledge(cycle, zone, consensus, mark, request, phase_start);
    if (second != nullptr) second->sync_acknowledge(cycle, zone, consensus, mark, request, phase_start);
  }
  void host_sync(uint64_t cycle) override {
    first->host_sync(cycle);
    if (second != nullptr) second->host_sync(cycle);
  }
  void debug_time(uint64_t begin, uint64_t end) override {
    first->debug_time(begin, end);
    if (second != nullptr) second->debug_time(begin, end);
  }

 private:
  mutable std::vector<bool> wanted_;  // by the second, as last asked
};

}  // namespace tessera::chip
