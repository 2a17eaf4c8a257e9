// ChipEngine: tiles in the time they are given, by themselves and together. Included by chip_engine.h.
#pragma once

namespace tessera::chip {

template <class Tile>
void ChipEngine<Tile>::run_free_tiles(uint64_t to) {
  const bool all = stepwise(supersteps_);
  to = std::min(to, links_reach());
  run_free_tiles(to, all, false);
  run_free_tiles(to, all, true);
}

// Those that request a sync, or the others: these say how far those may go.
template <class Tile>
void ChipEngine<Tile>::run_free_tiles(uint64_t to, bool all, bool requesting) {
  bool bounded = !requesting;  // looked up for the first that needs it: mostly none does
  running_.clear();
  uint64_t cycles = 0;
  for (unsigned id : awake_) {
    Slot& s = *slots_[id];
    if (all && s.shown) continue;
    if (joined(s) || s.local >= to || barrier_.waits(id) != requesting) continue;
    if (!std::exchange(bounded, true)) to = std::min(to, requests_end());
    if (s.local >= to) continue;
    s.from = s.local;
    s.was_excepted = s.out.exception;
    cycles = std::max(cycles, to - s.from);
    running_.push_back(id);
  }
  each_tile(running_, cycles, [&](unsigned id) {
    Slot& s = *slots_[id];
    s.local = s.tile.run_alone(s.from, to, s.observer, id, s.out);
  });
  for (unsigned id : running_) {
    Slot& s = *slots_[id];
    evaluated_ += s.local - s.from;
    note_outputs(id);
    if (s.observer != nullptr && s.out.exception && !s.was_excepted) note_exception(id);
    if (s.out.idle) s.awake = false;
  }
  drop_sleepers();
}

// Does the work of tiles that do not touch each other, up to so many cycles of each, on all threads if that is worth
// it; behind that, of those whose observers take no calls of several at once.
template <class Tile>
template <class Work>
void ChipEngine<Tile>::each_tile(const std::vector<unsigned>& ids, uint64_t cycles, Work work) {
  // To begin a round takes some microseconds.
  constexpr uint64_t kWorthIt = 20'000, kGrain = 2'000;  // nanoseconds
  const uint64_t most = std::min<uint64_t>(cycles, kWorthIt) * nanoseconds();
  if (!threads_.several() || most * ids.size() < kWorthIt) {
    for (unsigned id : ids) work(id);
    return;
  }
  threads_.run(ids.size(), std::max<uint64_t>(1, kGrain / most), [&](size_t i) {
    if (slots_[ids[i]]->apart) work(ids[i]);
  });
  for (unsigned id : ids)
    if (!slots_[id]->apart) work(id);
}

template <class Tile>
void ChipEngine<Tile>::run_window(uint64_t start, uint64_t bound) {
  const bool acknowledge = start == ack_;
  const bool internal = acknowledge && sync_.zone == spec::SyncZone::kInternal;
  const bool all = stepwise(supersteps_) || (internal && stepwise(supersteps_ + 1));
  // What is on the port of the other tile of a pair is known when both have come to its cycle.
  const bool paired =
      std::ranges::any_of(awake_, [&](unsigned id) { return slots_[id]->out.paired || slots_[id]->hears_pair; });
  uint64_t end = std::min(bound, start + (all || fabric_ || paired ? 1 : window_));
  if (acknowledge) {
    phases_.sync(sync_.request, ack_ + 1, sync_.zone == spec::SyncZone::kHost);
    for (unsigned id = 0; id < slots_.size(); ++id) {
      wake(id, ack_);
      slots_[id]->phase_start = ack_;
      slots_[id]->joined_until = ack_ + kDrain;
      // An automatic request leaves it as it was.
      if (!internal || barrier_.waits()[id].zone == spec::SyncZone::kInternal) slots_[id]->may_send = !internal;
    }
    if (observer_ != nullptr) {
      observer_->sync_acknowledge(ack_, sync_.zone, sync_.consensus, mark_, sync_.request, ack_ + 1);
      if (internal) observer_->superstep(supersteps_, ack_);
      if (internal) ask_wanted();
    }
  } else {
    end = std::min(end, ack_);
  }
  for (unsigned id : to_forget_) slots_[id]->forget_inputs();
  to_forget_.clear();
  inputs_.each_before(
      end, [&](unsigned id) { return slots_[id]->next_input(); }, [&](unsigned id, uint64_t cycle) { wake(id, cycle); });
  if (all) go_on(start);
  if (fabric_) {
    fabric_->run_to(start);
    for (unsigned id = 0; id < slots_.size() && fabric_->gives(); ++id) {
      const Slot& s = *slots_[id];
      if (!s.awake || s.local != start || !((all && s.shown) || joined(s))) fabric_->check_idle(id);
    }
  }
  if (all) settle(start);
  running_.clear();
  for (unsigned id : awake_) {
    Slot& s = *slots_[id];
    if (s.local < end && ((all && s.shown) || joined(s))) running_.push_back(id);
  }
  // Fabric, waves and debug accesses take the tiles as they come.
  if (!all && !fabric_ && !paired && debug_cycle_ == kNever)
    each_tile(running_, end - start, [&](unsigned id) { step_tile(id, end, true); });
  for (unsigned id : running_) {
    step_tile(id, end, false);
    account(*slots_[id]);
  }
  drop_sleepers();
  if (all) probe_->stepped(start);
  if (acknowledge) {
    ack_ = kNever;
    if (internal) ++supersteps_;
  }
}

template <class Tile>
void ChipEngine<Tile>::set_inputs(Slot& s, unsigned id, TileInputs& in) {
  const uint64_t cycle = s.local, arrives = cycle + 1;  // of words, in the tile's register: what latencies count to
  in = TileInputs();
  if (cycle == debug_cycle_ && (debug_tile_ == kNoTile || debug_tile_ == id)) in = debug_;
  in.cycle = cycle;
  if (cycle == ack_) {
    in.sync_ack = true;
    in.sync_ack_zone = sync_.zone;
    in.sync_consensus = sync_.consensus;
    in.sync_mark = mark_;
  }
  if (cycle == s.grant) {
    in.packet_grant = true;
    s.grant = kNever;
  }
  if (!s.down.empty()) {
    if (const DownWord word = s.down.front(); word.cycle == cycle) {
      in.packet_valid = true;
      in.packet_first = word.first;
      in.packet_data = word.data;
      s.down.pop_front();
    }
  }
  while (!s.selections.empty() && s.selections.front().from <= cycle) {
    s.select = s.selections.front().source;
    s.selections.erase(s.selections.begin());
  }
  if (s.select < machine_.tiles()) {
    if (s.select != s.latency_of) {
      s.latency_of = s.select;
      s.latency = machine_.latency(s.select, id);
    }
    if (arrives >= s.latency) in.exchange_valid = wires_.sent(s.select, arrives - s.latency, in.exchange_data);
  }
  uint16_t other_source = kNoTile;
  if (s.hears_pair) {
    const unsigned other = spec::Machine::pair_of(id);
    other_source = slots_[other]->selected(cycle);
    if (const unsigned source = other_source; source < machine_.tiles())
      if (const unsigned latency = machine_.latency(source, other); arrives >= latency)
        in.pair_valid = wires_.sent(source, arrives - latency, in.pair_data);
  }
  if (fabric_) fabric_->give(id, in);
  if (in.packet_valid) {
    s.joined_until = std::max(s.joined_until, arrives + 1);
    s.transferring = arrives;
    pass(s, FlipSite::kPacketIn, in.packet_data);
  }
  if (in.exchange_valid) in.exchange_valid = pass(s, FlipSite::kReceived, in.exchange_data);
  if (s.observer == nullptr) return;
  if (s.arrived.cycle == cycle) tell_arrived(s, id);
  s.arrived = {arrives, in, s.select, other_source};
}

template <class Tile>
void ChipEngine<Tile>::tell_arrived(const Slot& s, unsigned id) {
  const auto& [cycle, words, source, pair_source] = s.arrived;
  if (words.packet_valid) s.observer->packet_in(id, cycle, words.packet_data, words.packet_first);
  if (words.exchange_valid) s.observer->received(id, cycle, source, words.exchange_data);
  if (words.pair_valid) s.observer->received(id, cycle, pair_source, words.pair_data);
}

// A word on its way to or from the tile: what faults make of it. False: it is lost.
template <class Tile>
bool ChipEngine<Tile>::pass(Slot& s, FlipSite site, uint32_t& word) {
  if (s.faults.empty()) return true;
  bool lost = false;
  for (const Flip& flip : s.faults) {
    if (flip.site != site) continue;
    word ^= static_cast<uint32_t>(flip.mask);
    lost |= flip.lost;
  }
  std::erase_if(s.faults, [site](const Flip& flip) { return flip.site == site; });
  return !lost;
}

// What the last cycle that was shown has done is seen in the cycle behind it, before `cycle` is.
template <class Tile>
void ChipEngine<Tile>::go_on(uint64_t cycle) {
  if (fabric_ && settled_ != kNever && settled_ + 1 < cycle && fabric_->cycle() <= settled_ + 1) {
    fabric_->run_to(settled_ + 1);
    for (unsigned id = 0; id < slots_.size() && fabric_->gives(); ++id) fabric_->check_idle(id);
    fabric_->settle();
  }
  probe_->goes_on(cycle);
}

// The tiles that are shown get the inputs of `cycle`, which depend on nothing that happens in it.
template <class Tile>
void ChipEngine<Tile>::settle(uint64_t cycle) {
  for (unsigned id : awake_) {
    Slot& s = *slots_[id];
    if (!s.shown || s.local != cycle) continue;
    set_inputs(s, id, s.next);
    s.settled = true;
    if constexpr (requires { s.tile.settle(s.next); }) s.tile.settle(s.next);
  }
  if (fabric_) fabric_->settle();
  probe_->settled(cycle);
  settled_ = cycle;
}

// Steps the tile to `end`, or until it sleeps; with others beside it until its ports show what concerns them, which the
// next call begins with.
template <class Tile>
void ChipEngine<Tile>::step_tile(unsigned id, uint64_t end, bool beside) {
  Slot& s = *slots_[id];
  for (;;) {
    if (!std::exchange(s.concerns, false)) {
      if (!s.awake || s.local >= end) return;
      step_once(s, id);
      s.concerns = beside && concerns_others(s, id);
      if (s.concerns) return;
    }
    note_outputs(id);
    if (!goes_on(s, end)) s.awake = false;
  }
}

// Of what the tile did in a window.
template <class Tile>
void ChipEngine<Tile>::account(Slot& s) {
  evaluated_ += std::exchange(s.stepped, 0);
  if (const uint64_t cycle = std::exchange(s.exchanging, 0)) phases_.exchanging(cycle);
  if (const uint64_t cycle = std::exchange(s.transferring, 0)) phases_.transferring(cycle);
}

template <class Tile>
void ChipEngine<Tile>::step_once(Slot& s, unsigned id) {
  TileInputs in;
  if (std::exchange(s.settled, false))
    in = s.next;
  else
    set_inputs(s, id, in);
  const uint16_t selected = s.out.exchange_select;
  const bool was_exchanging = s.out.exchanging, was_excepted = s.out.exception;
  s.hears_pair = s.out.paired;
  s.tile.step(in, s.out);
  ++s.stepped;
  ++s.local;
  if (s.observer != nullptr) {
    if (s.tile.retire().valid) s.observer->retire(id, s.tile.retire());
    s.tile.port_writes().each([&](const PortWrite& write) { s.observer->port_write(id, write); });
    if (s.out.exchange_select != selected) s.observer->selected(id, s.local, s.out.exchange_select);
    if (s.out.exchanging != was_exchanging) s.observer->exchanging(id, s.local, s.out.exchanging);
    if (s.out.exception && !was_excepted) note_exception(id);
  }
  if (s.out.exchange_select != selected) {
    s.selections.push_back({s.local + machine_.select_latency(id) - 1, s.out.exchange_select});
    s.joined_until =
        std::max(s.joined_until, s.selections.back().from);  // an exception does not stop what is on its way
  }
  if (s.out.exchanging || s.out.exchange_valid || s.out.exchange_select != kNoTile)
    s.joined_until = std::max(s.joined_until, s.local + kDrain);
  if (s.out.exchanging) s.exchanging = s.local;
}

// Whether the tile, whose outputs are noted, is to be stepped on before `end`; where nothing happens to it before its
// next input it goes there.
template <class Tile>
bool ChipEngine<Tile>::goes_on(Slot& s, uint64_t end) const {
  if (s.refused && (debug_cycle_ == kNever || s.local >= s.joined_until)) return false;
  if (!s.out.idle || s.local < s.joined_until) return true;
  const uint64_t input = s.next_input();
  if (input < end) s.local = std::max(s.local, input);
  return input < end;
}

// Whether note_outputs() touches more than the tile's own. Those of a pair hear what the other one hears.
template <class Tile>
bool ChipEngine<Tile>::concerns_others(const Slot& s, unsigned id) const {
  return s.out.sync_request != barrier_.waits(id) || s.out.packet_request != s.requested || s.out.packet_valid ||
         s.out.paired || s.hears_pair || s.out.pair_valid;
}

// What the ports of a tile show in its cycle `local` takes effect on sync, exchange and edge.
template <class Tile>
void ChipEngine<Tile>::note_outputs(unsigned id) {
  Slot& s = *slots_[id];
  if (s.out.sync_request != barrier_.waits(id)) {
    if (s.out.sync_request) {
      barrier_.rise(id, s.local, s.out.sync_zone, s.out.sync_value);
      if (s.observer != nullptr) s.observer->sync_request(id, s.local, s.out.sync_zone, s.out.sync_value);
    } else {
      barrier_.fall(id);
    }
  }
  if (s.out.pair_valid) wires_.send(spec::Machine::pair_of(id), s.local, s.out.pair_data);
  if (s.out.exchange_valid) {
    wires_.send(id, s.local, s.out.exchange_data);
    if (s.observer != nullptr) {
      s.observer->sent(id, s.local, s.out.exchange_data);
      if (s.out.pair_valid) s.observer->sent(id, s.local, s.out.pair_data);
    }
  }
  if (s.out.packet_request && !s.requested) {
    edge_.request(id, s.local);
    if (s.observer != nullptr) s.observer->packet_request(id, s.local);
  }
  if (!s.out.packet_request && s.requested) edge_.withdraw(id, s.local);
  s.requested = s.out.packet_request;
  if (s.out.packet_valid && edge_.takes(id, s.local)) {
    phases_.transferring(s.local);
    pass(s, FlipSite::kPacketOut, s.out.packet_data);
    if (s.observer != nullptr) s.observer->packet_out(id, s.local, s.out.packet_data, s.out.packet_last);
    const PacketEdge::Taken taken = edge_.word(id, s.local, s.out.packet_data, s.out.packet_last);
    s.refused = taken.refused;
    if (s.refused) to_forget_.push_back(id);
    if (taken.reads) ++slots_[*taken.reads]->awaits;
    if (s.out.packet_last) s.packet_open = false;
  }
  if (fabric_) {
    fabric_->show(id, s.local, s.out);
    if (s.refused) {  // it stands still with its last word on the port, which is sent once
      TileOutputs behind = s.out;
      behind.packet_valid = behind.packet_last = false;
      fabric_->show(id, s.local + 1, behind);
    }
  }
}

// The port `exception` of an observed tile has risen.
template <class Tile>
void ChipEngine<Tile>::note_exception(unsigned id) {
  // RTL answers through the debug port, which may still be at work for an access from outside.
  if (debug_cycle_ == kNever)
    observer_->excepted(id, slots_[id]->tile.exception());
  else
    excepted_.push_back(id);
}

}  // namespace tessera::chip
