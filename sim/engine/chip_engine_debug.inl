// ChipEngine: debug port and reports. Included by chip_engine.h.
#pragma once

namespace tessera::chip {

// Gives the inputs to a tile (kNoTile: to all) in the present cycle, then lets the chip run for `cycles`.
template <class Tile>
void ChipEngine<Tile>::debug_access(unsigned tile, const TileInputs& inputs, unsigned cycles) {
  if (tile != kNoTile && tile >= slots_.size()) throw std::out_of_range("debug access: no such tile");
  debug_ = inputs;
  debug_cycle_ = now_;
  debug_tile_ = tile;
  const unsigned first = tile == kNoTile ? 0 : tile;
  const unsigned last = tile == kNoTile ? static_cast<unsigned>(slots_.size()) : tile + 1;
  for (unsigned id = first; id < last; ++id) {
    wake(id, now_);
    slots_[id]->joined_until = std::max(slots_[id]->joined_until, now_ + cycles);
    if (inputs.debug_write && inputs.debug_space == DebugSpace::kControl) slots_[id]->phase_start = now_;
  }
  const uint64_t end = now_ + cycles;
  advance(end, 0);
  const uint64_t host_from = notify_ != kNever ? sync_.request : now_;
  phases_.debug(host_from, end);
  if (observer_ != nullptr) observer_->debug_time(host_from, end);
  now_ = end;
  debug_cycle_ = kNever;
  for (unsigned id : excepted_) observer_->excepted(id, slots_[id]->tile.exception());
  excepted_.clear();
}

template <class Tile>
void ChipEngine<Tile>::debug_write(unsigned tile, DebugSpace space, unsigned context, uint32_t address, uint32_t data) {
  TileInputs in;
  in.debug_valid = in.debug_write = true;
  in.debug_space = space;
  in.debug_context = static_cast<uint8_t>(context);
  in.debug_address = address;
  in.debug_wdata = data;
  if (observer_ != nullptr && (tile == kNoTile || slots_.at(tile)->observer != nullptr))
    observer_->debug_written(tile, now_, space, context, address, data);
  debug_access(tile, in, 1);
}

template <class Tile>
uint32_t ChipEngine<Tile>::debug_read(unsigned tile, DebugSpace space, unsigned context, uint32_t address) {
  if (tile >= slots_.size()) throw std::out_of_range("debug read: no such tile");
  TileInputs in;
  in.debug_valid = true;
  in.debug_space = space;
  in.debug_context = static_cast<uint8_t>(context);
  in.debug_address = address;
  debug_access(tile, in, 4);
  return slots_[tile]->out.debug_data;
}

template <class Tile>
void ChipEngine<Tile>::load(unsigned tile, uint32_t address, std::span<const uint32_t> words) {
  for (size_t i = 0; i < words.size(); ++i)
    debug_write(tile, DebugSpace::kMemory, 0, address + 4 * static_cast<uint32_t>(i), words[i]);
}

template <class Tile>
void ChipEngine<Tile>::flip(const Flip& flip) {
  check_flip(machine_, flip);
  Slot& s = *slots_[flip.tile];
  if (!is_state(flip.site))
    s.faults.push_back(flip);
  else if constexpr (requires { s.tile.flip(flip); })
    s.tile.flip(flip);
  else
    throw std::logic_error("these tiles take no faults");
}

template <class Tile>
std::vector<TileWait> ChipEngine<Tile>::waits() const {
  std::vector<TileWait> waits;
  for (unsigned id = 0; id < slots_.size(); ++id) {
    const TileOutputs& out = slots_[id]->out;
    TileWait wait = slots_[id]->tile.wait();
    wait.tile = id;
    if (out.exception)
      wait.state = "stopped by an exception";
    else if (out.sync_request)
      wait.state = std::string("waits at ") + spec::zone_name(out.sync_zone) + " sync";
    else if (out.packet_request || slots_[id]->grant != kNever)
      wait.state = "waits to send a packet";
    else if (out.idle)
      wait.state = "halted";
    else
      wait.state = out.exchanging ? "exchanging" : "computing";
    waits.push_back(wait);
  }
  return waits;
}

template <class Tile>
Counters ChipEngine<Tile>::counters() const {
  Counters counters;
  counters.cycles = now_;
  counters.evaluated = evaluated_;
  counters.skipped = now_ * slots_.size() - std::min(evaluated_, now_ * slots_.size());
  counters.supersteps = supersteps_;
  phases_.report(now_, notify_ != kNever ? sync_.request : kNever, counters);
  return counters;
}

template <class Tile>
uint64_t ChipEngine<Tile>::memory_hash() const {
  uint64_t hash = formats::Fnv::kBasis;
  for (const auto& slot : slots_)
    for (uint32_t a = machine_.memory_base; a < machine_.memory_end(); a += 8)
      hash = (hash ^ slot->tile.peek(a)) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 32;
  return hash;
}

}  // namespace tessera::chip
