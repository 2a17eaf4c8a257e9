// Everything a chip tells an observer, as lines of text to compare, by tile and for the chip as a whole (the order
// between tiles says nothing).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/lockstep.h"
#include "sim/port/chip.h"

namespace tessera::test {

class EventList : public chip::Observer {
 public:
  using Lines = std::vector<std::string>;

  explicit EventList(unsigned tiles, uint64_t wanted = ~0ull) : wanted_(wanted), tiles_(tiles) {}

  const Lines& of(unsigned tile) const { return tiles_.at(tile); }
  const Lines& of_chip() const { return chip_; }
  size_t size() const {
    size_t n = chip_.size() + debug_.size();
    for (const Lines& lines : tiles_) n += lines.size();
    return n;
  }
  void clear() {
    chip_.clear();
    debug_.clear();
    for (Lines& lines : tiles_) lines.clear();
  }
  // The first line that differs, with both sides; "" when none does.
  std::string difference(const EventList& other) const {
    for (unsigned t = 0; t < tiles_.size(); ++t)
      if (auto text = difference(tiles_[t], other.tiles_.at(t)); !text.empty())
        return fmt::format("tile {}: {}", t, text);
    if (const auto text = difference(chip_, other.chip_); !text.empty()) return text;
    return difference(debug_times(), other.debug_times());
  }
  // "BEGIN debug until END"; accesses one after another may be told as one, at a host sync all have one beginning.
  Lines debug_times() const {
    Lines lines;
    for (const auto& [begin, end] : debug_) lines.push_back(fmt::format("{} debug until {}", begin, end));
    return lines;
  }

  bool wants(unsigned tile) const override { return wanted_ >> tile & 1; }
  void retire(unsigned tile, const chip::Retire& r) override { add(tile, chip::describe(r)); }
  void port_write(unsigned tile, const chip::PortWrite& w) override { add(tile, chip::describe(w)); }
  void sent(unsigned tile, uint64_t cycle, uint32_t data) override {
    add(tile, fmt::format("{} sent {:x}", cycle, data));
  }
  void received(unsigned tile, uint64_t cycle, unsigned source, uint32_t data) override {
    add(tile, fmt::format("{} received {:x} from {}", cycle, data, source));
  }
  void selected(unsigned tile, uint64_t cycle, unsigned source) override {
    add(tile, fmt::format("{} selected {}", cycle, source));
  }
  void exchanging(unsigned tile, uint64_t cycle, bool on) override {
    add(tile, fmt::format("{} exchanging {}", cycle, on));
  }
  void sync_request(unsigned tile, uint64_t cycle, uint8_t zone, bool value) override {
    add(tile, fmt::format("{} sync request {} {}", cycle, zone, value));
  }
  void packet_request(unsigned tile, uint64_t cycle) override { add(tile, fmt::format("{} packet request", cycle)); }
  void packet_out(unsigned tile, uint64_t cycle, uint32_t data, bool last) override {
    add(tile, fmt::format("{} packet out {:x} {}", cycle, data, last));
  }
  void packet_in(unsigned tile, uint64_t cycle, uint32_t data, bool first) override {
    add(tile, fmt::format("{} packet in {:x} {}", cycle, data, first));
  }
  void excepted(unsigned tile, const chip::ExceptionStatus& e) override {
    add(tile, fmt::format("{} excepted {} context {} pc {:x} value {:x}", e.cycle, e.cause, e.context, e.pc, e.value));
  }
  void debug_written(unsigned tile, uint64_t cycle, chip::DebugSpace space, unsigned context, uint32_t address,
                     uint32_t data) override {
    auto line =
        fmt::format("{} debug {} {} {} {:x} {:x}", cycle, tile, static_cast<int>(space), context, address, data);
    tile == chip::kNoTile ? chip_.push_back(line) : add(tile, line);
  }
  void superstep(uint64_t index, uint64_t cycle) override {
    chip_.push_back(fmt::format("{} superstep {}", cycle, index));
  }
  void sync_acknowledge(uint64_t cycle, uint8_t zone, bool consensus, uint16_t mark, uint64_t request,
                        uint64_t phase_start) override {
    chip_.push_back(fmt::format("{} acknowledge {} {} {:x} {} {}", cycle, zone, consensus, mark, request, phase_start));
  }
  void host_sync(uint64_t cycle) override { chip_.push_back(fmt::format("{} host sync", cycle)); }
  void debug_time(uint64_t begin, uint64_t end) override {
    if (!debug_.empty() && (debug_.back().second == begin || debug_.back().first == begin))
      debug_.back().second = end;
    else
      debug_.emplace_back(begin, end);
  }

 private:
  void add(unsigned tile, std::string line) { tiles_.at(tile).push_back(std::move(line)); }
  static std::string difference(const Lines& a, const Lines& b) {
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const std::string left = i < a.size() ? a[i] : "nothing", right = i < b.size() ? b[i] : "nothing";
      if (left != right) return fmt::format("line {}: {} | {}", i, left, right);
    }
    return "";
  }

  const uint64_t wanted_;
  std::vector<Lines> tiles_;
  Lines chip_;
  std::vector<std::pair<uint64_t, uint64_t>> debug_;
};

}  // namespace tessera::test
