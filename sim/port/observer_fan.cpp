#include "sim/port/observer_fan.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace tessera::chip {

void ObserverFan::set(const std::vector<Observer*>& observers) {
  observers_.clear();
  for (Observer* observer : observers)
    if (observer != nullptr) observers_.push_back(observer);
  if (observers_.size() > kMost) throw std::logic_error("more observers than a fan holds");
  for (unsigned tile = 0; tile < wanting_.size(); ++tile) wanting_[tile] = ask(tile);
}

uint32_t ObserverFan::ask(unsigned tile) const {
  uint32_t wanting = 0;
  for (size_t i = 0; i < observers_.size(); ++i) wanting |= uint32_t{observers_[i]->wants(tile)} << i;
  return wanting;
}

bool ObserverFan::wants(unsigned tile) const { return (wanting_.at(tile) = ask(tile)) != 0; }

Observer* ObserverFan::of_tile(unsigned tile) {
  if (!wants(tile)) return nullptr;
  const uint32_t wanting = wanting_[tile];
  if (!std::has_single_bit(wanting)) return this;
  return observers_[static_cast<size_t>(std::countr_zero(wanting))]->of_tile(tile);
}

bool ObserverFan::tiles_apart() const {
  return std::ranges::all_of(observers_, [](const Observer* o) { return o->tiles_apart(); });
}

template <class Call>
void ObserverFan::each(unsigned tile, Call call) {
  for (uint32_t left = wanting_[tile]; left != 0; left &= left - 1)
    call(*observers_[static_cast<size_t>(std::countr_zero(left))]);
}

void ObserverFan::retire(unsigned tile, const Retire& record) {
  each(tile, [&](Observer& o) { o.retire(tile, record); });
}
void ObserverFan::port_write(unsigned tile, const PortWrite& record) {
  each(tile, [&](Observer& o) { o.port_write(tile, record); });
}
void ObserverFan::superstep(uint64_t index, uint64_t cycle) {
  for (Observer* o : observers_) o->superstep(index, cycle);
}
void ObserverFan::sent(unsigned tile, uint64_t cycle, uint32_t data) {
  each(tile, [&](Observer& o) { o.sent(tile, cycle, data); });
}
void ObserverFan::received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) {
  each(tile, [&](Observer& o) { o.received(tile, cycle, source, data); });
}
void ObserverFan::selected(unsigned tile, uint64_t cycle, unsigned source) {
  each(tile, [&](Observer& o) { o.selected(tile, cycle, source); });
}
void ObserverFan::exchanging(unsigned tile, uint64_t cycle, bool on) {
  each(tile, [&](Observer& o) { o.exchanging(tile, cycle, on); });
}
void ObserverFan::sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) {
  each(tile, [&](Observer& o) { o.sync_request(tile, cycle, zone, value); });
}
void ObserverFan::sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t request,
                                   uint64_t phase_start) {
  for (Observer* o : observers_) o->sync_acknowledge(cycle, zone, consensus, mark, request, phase_start);
}
void ObserverFan::host_sync(uint64_t cycle) {
  for (Observer* o : observers_) o->host_sync(cycle);
}
void ObserverFan::packet_request(unsigned tile, uint64_t cycle) {
  each(tile, [&](Observer& o) { o.packet_request(tile, cycle); });
}
void ObserverFan::packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) {
  each(tile, [&](Observer& o) { o.packet_out(tile, cycle, data, last); });
}
void ObserverFan::packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool first) {
  each(tile, [&](Observer& o) { o.packet_in(tile, cycle, data, first); });
}
void ObserverFan::excepted(unsigned tile, const ExceptionStatus& status) {
  each(tile, [&](Observer& o) { o.excepted(tile, status); });
}
void ObserverFan::debug_written(unsigned tile, uint64_t cycle, DebugSpace space, unsigned context, uint32_t address,
                                uint32_t data) {
  const auto call = [&](Observer& o) { o.debug_written(tile, cycle, space, context, address, data); };
  if (tile != kNoTile) return each(tile, call);
  for (Observer* o : observers_) call(*o);
}
void ObserverFan::loaded(unsigned tile, uint64_t cycle, uint32_t address, std::span<const uint32_t> words) {
  const auto call = [&](Observer& o) { o.loaded(tile, cycle, address, words); };
  if (tile != kNoTile) return each(tile, call);
  for (Observer* o : observers_) call(*o);
}
void ObserverFan::flipped(uint64_t cycle, const Flip& flip) {
  each(flip.tile, [&](Observer& o) { o.flipped(cycle, flip); });
}
void ObserverFan::debug_time(uint64_t begin, uint64_t end) {
  for (Observer* o : observers_) o->debug_time(begin, end);
}

}  // namespace tessera::chip
