// ChipEngine: debug port and reports. Included by chip_engine.h.
#pragma once

namespace tessera::chip {

// Gives the inputs to a tile (kNoTile: to all) in the present cycle, then lets the chip run for `cycles`.
template <class Tile>
void ChipEngine<Tile>::debug_access(unsigned tile, const TileInputs& inputs, unsigned cycles) {
  if (tile != kNoTile && tile >= slots_.size()) throw std::out_of_range("debug access: no such tile");
  links_known_ = std::max(links_known_, now_ + cycles);  // whoever accesses it sees to that
  debug_ = inputs;
  debug_cycle_ = now_;
  debug_tile_ = tile;
  const unsigned first = tile == kNoTile ? 0 : tile;
  const unsigned last = tile == kNoTile ? static_cast<unsigned>(slots_.size()) : tile + 1;
  if (fabric_) {
    fabric_->run_to(now_);
    const spec::DebugSelect select{
        .tile = tile, .space = static_cast<uint32_t>(inputs.debug_space), .context_id = inputs.debug_context};
    fabric_->access(select.encode(), inputs.debug_address, inputs.debug_write, inputs.debug_wdata);
  }
  for (unsigned id = first; id < last; ++id) {
    wake(id, now_);
    slots_[id]->joined_until = std::max(slots_[id]->joined_until, now_ + cycles);
    if (inputs.debug_write && inputs.debug_space == DebugSpace::kControl) slots_[id]->phase_start = now_;
  }
  advance(now_ + cycles, 0);
  pass_debug_time(cycles);
  debug_cycle_ = kNever;
  access_refused_ = false;
  for (unsigned id = first; id < last; ++id) access_refused_ |= slots_[id]->out.debug_refused;
  for (unsigned id : excepted_) observer_->excepted(id, slots_[id]->tile.exception());
  excepted_.clear();
}

// The chip has done, or had nothing to do, what lies in the next `cycles`.
template <class Tile>
void ChipEngine<Tile>::pass_debug_time(uint64_t cycles) {
  const uint64_t end = now_ + cycles;
  const uint64_t host_from = notify_ != kNever ? sync_.request : now_;
  phases_.debug(host_from, end);
  if (observer_ != nullptr) observer_->debug_time(host_from, end);
  now_ = end;
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
  if (space == DebugSpace::kControl && address == spec::DebugControl::kStart) cancel_sync();
}

// The tile that is started has left the sync that was under way: nobody gets its acknowledgement, and the host is not
// asked.
template <class Tile>
void ChipEngine<Tile>::cancel_sync() {
  ack_ = notify_ = leaves_ = kNever;
  notified_ = left_ = false;
  stood_at_ = 0;
  if (fabric_) fabric_->cancel_answers();
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
  if (!fabric_) return slots_[tile]->out.debug_data;
  fabric_->run_to(now_);
  return fabric_->answer();
}

// Whether nothing moves in the chip until something comes from outside, and nobody looks at the ports of these tiles.
template <class Tile>
bool ChipEngine<Tile>::at_rest(unsigned first, unsigned end) {
  if (!awake_.empty() || ack_ != kNever || stepwise(supersteps_) || next_input() != kNever) return false;
  for (unsigned id = first; id < end; ++id)
    if (slots_[id]->local > now_) return false;
  return true;
}

// A debug write of memory changes nothing else of a tile that is idle, so while the chip rests all of them are made at
// once, and time passes as it does for them.
template <class Tile>
void ChipEngine<Tile>::load(unsigned tile, uint32_t address, std::span<const uint32_t> words) {
  if constexpr (requires(Tile& t) { t.load(address, words); }) {
    if (tile != kNoTile && tile >= slots_.size()) throw std::out_of_range("load: no such tile");
    const unsigned first = tile == kNoTile ? 0 : tile;
    const unsigned last = tile == kNoTile ? static_cast<unsigned>(slots_.size()) : tile + 1;
    const uint32_t begin = address & ~3u;
    const bool inside = begin >= machine_.memory_base && begin < machine_.memory_end() &&
                        words.size() <= (machine_.memory_end() - begin) / 4;
    if (words.empty()) return;
    if (inside && at_rest(first, last)) {
      access_refused_ = false;
      if (observer_ != nullptr && (tile == kNoTile || slots_[tile]->observer != nullptr))
        observer_->loaded(tile, now_, address, words);
      const uint64_t end = now_ + words.size();
      for (unsigned id = first; id < last; ++id) {
        Slot& s = *slots_[id];
        s.tile.load(begin, words);
        s.local = end;
        s.joined_until = std::max(s.joined_until, end);
      }
      evaluated_ += words.size() * (last - first);  // counted as if each had been stepped, whoever watches
      pass_debug_time(words.size());
      return;
    }
  }
  bool refused = false;
  for (size_t i = 0; i < words.size(); ++i) {
    debug_write(tile, DebugSpace::kMemory, 0, address + 4 * static_cast<uint32_t>(i), words[i]);
    refused |= access_refused_;
  }
  access_refused_ = refused;
}

template <class Tile>
void ChipEngine<Tile>::flip(const Flip& flip) {
  check_flip(machine_, flip);
  if (flip.side != FlipSide::kBoth) throw std::logic_error("a fault of one side needs two chips in lockstep");
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
    wait.sync_zone = out.sync_request ? out.sync_zone : 0;
    if (out.exception)
      wait.state = "stopped by an exception";
    else if (slots_[id]->refused)
      wait.state = "stopped by a refused packet";
    else if (out.sync_request && out.sync_zone != spec::SyncZone::kAutomatic)
      wait.state = std::string("waits at ") + spec::zone_name(out.sync_zone) + " sync";
    else if (out.sync_request && out.idle)
      wait.state = "waits for automatic syncs";
    else if (out.packet_request || slots_[id]->grant != kNever)
      wait.state = "waits to send a packet";
    else if (wait.active_workers == 0 && (slots_[id]->awaits > 0 || (!slots_[id]->down.empty() && wait.awaited == 0)))
      wait.state = "awaits words of the host";
    else if (wait.active_workers == 0 && wait.awaited > 0)
      wait.state =
          "waits for " + std::to_string(wait.awaited) + (wait.awaited == 1 ? " word" : " words") + " of packets";
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
