#include "inspect/trigger.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::inspect {
namespace {

// A chip asks wants() at supersteps and when it is let run, so tiles are watched a little before the cycle of a window.
constexpr uint64_t kAhead = 1u << 20;

bool by_event(Trigger::Kind kind) { return kind != Trigger::Kind::kSuperstep && kind != Trigger::Kind::kCycle; }

}  // namespace

WindowGate::WindowGate(const Window& window, unsigned machine_tiles, const spec::ChipPlace& place)
    : window_(window),
      kind_(window.from.kind),
      tiles_(window.tiles.of(machine_tiles, place)),
      shown_(machine_tiles, false) {
  for (unsigned tile : tiles_) shown_[tile] = true;
  const Trigger& from = window_.from;
  if (kind_ == Trigger::Kind::kSync && from.chip >= place.chips)
    throw BadOption(fmt::format("{}: the system has chips 0 to {}", text(from), place.chips - 1));
  if (kind_ == Trigger::Kind::kSync && from.number >= machine_tiles)
    throw BadOption(fmt::format("{}: the machine has tiles 0 to {}", text(from), machine_tiles - 1));
  if (kind_ == Trigger::Kind::kSync && from.chip == place.chip) sync_tile_ = static_cast<unsigned>(from.number);
  if (kind_ == Trigger::Kind::kPc && from.name.empty()) pcs_.push_back(static_cast<uint32_t>(from.number));
  if (kind_ == Trigger::Kind::kAddress) address_ = static_cast<uint32_t>(from.number);
  watching_ = by_event(kind_);
  if (kind_ == Trigger::Kind::kCycle) open(from.number);
  stands_at(0, 0, 0);
}

void WindowGate::program(const names::ProgramInfo& info) {
  const std::string& name = window_.from.name;
  if (name.empty()) return;
  pcs_.clear();
  if (kind_ == Trigger::Kind::kPc) {
    const names::Symbol* symbol = info.symbol_named(name);
    if (!symbol) throw BadOption(fmt::format("pc:{}: {} has no such symbol", name, info.title));
    pcs_.push_back(symbol->address);
  } else if (kind_ == Trigger::Kind::kVertex) {
    pcs_ = info.entries_of(name);
    if (const names::Symbol* symbol = info.symbol_named(name); pcs_.empty() && symbol) pcs_.push_back(symbol->address);
    if (pcs_.empty()) throw BadOption(fmt::format("vertex:{}: {} has no such codelet", name, info.title));
  }
}

bool WindowGate::wants(unsigned tile) const {
  if (over_) return false;
  if (begin_ != kNever) return shown_[tile] && now_ + kAhead >= begin_;
  if (!watching_) return false;
  return shown_[tile] || (kind_ == Trigger::Kind::kSync && tile == sync_tile_);
}

void WindowGate::look(unsigned tile, const chip::Retire& r) {
  if (!shown_[tile]) return;
  if (kind_ == Trigger::Kind::kAddress) {
    if (r.mem_write && (address_ & ~7u) == r.mem_address && (r.mem_strobe >> (address_ & 7) & 1)) fire();
  } else if (kind_ == Trigger::Kind::kException) {
    if (r.exception != 0) fire();
  } else if (std::find(pcs_.begin(), pcs_.end(), r.pc) != pcs_.end()) {
    fire();
  }
}

void WindowGate::open(uint64_t cycle) {
  watching_ = false;
  begin_ = cycle;
  ended_ = 0;
  if (window_.length.kind == Length::Kind::kCycles) end_ = begin_ + window_.length.number;
}

void WindowGate::superstep(uint64_t index, uint64_t cycle) {
  // Of the window's supersteps, the first may be only partly in it.
  if (begin_ < cycle && window_.length.kind == Length::Kind::kSupersteps && ++ended_ == window_.length.number)
    end_ = std::min(end_, cycle);
  stands_at(cycle, index + 1, cycle);
}

void WindowGate::stands_at(uint64_t cycle, uint64_t index, uint64_t began) {
  began_ = began;
  now_ = cycle;
  const uint64_t first = window_.from.number;
  if (kind_ == Trigger::Kind::kSuperstep && begin_ == kNever && !over_ && index >= first) {
    open(began);
    ended_ = index - first;
    over_ = window_.length.kind == Length::Kind::kSupersteps && ended_ >= window_.length.number;
    if (over_) end_ = begin_;
  }
  over_ = over_ || cycle >= end_;
}

}  // namespace tessera::inspect
