// ChipEngine: how time passes. Included by chip_engine.h.
#pragma once

namespace tessera::chip {

template <class Tile>
void ChipEngine<Tile>::reset() {
  for (auto& slot : slots_) {
    static_cast<TilePlace&>(*slot) = TilePlace();
    slot->tile.reset();
    slot->out.idle = true;
  }
  static_cast<EngineState&>(*this) = EngineState(machine_.tiles());
  wires_.clear();
  edge_.reset();
  links_.reset();
  down_tiles_.assign(machine_.blocks(), kNoTile);
  if (fabric_) fabric_->reset();
  debug_cycle_ = kNever;
  to_forget_.clear();
}

template <class Tile>
void ChipEngine<Tile>::ask_wanted() {
  for (unsigned id = 0; id < slots_.size(); ++id) {
    Slot& s = *slots_[id];
    s.observer = observer_ != nullptr ? observer_->of_tile(id) : nullptr;
    s.apart = s.observer == nullptr || s.observer->tiles_apart();
  }
}

template <class Tile>
void ChipEngine<Tile>::wake(unsigned id, uint64_t cycle) {
  Slot& s = *slots_[id];
  if (s.awake || (s.refused && debug_cycle_ == kNever)) return;
  s.awake = true;
  s.local = std::max(s.local, cycle);
  awake_.insert(std::lower_bound(awake_.begin(), awake_.end(), id), id);
}

template <class Tile>
void ChipEngine<Tile>::drop_sleepers() {
  std::erase_if(awake_, [&](unsigned id) { return !slots_[id]->awake; });
}

// How far a tile that requests a sync and goes on may run: its request must be known to have stood until the last one
// rises, and an acknowledgement finds the tile in its cycle.
template <class Tile>
uint64_t ChipEngine<Tile>::requests_end() const {
  if (ack_ != kNever || notify_ != kNever) return ack_;
  uint64_t end = kNever;
  for (unsigned id : awake_)
    if (!barrier_.waits(id)) end = std::min(end, slots_[id]->local);
  for (unsigned id = 0; id < slots_.size(); ++id)
    if (!barrier_.waits(id)) end = std::min(end, slots_[id]->next_input());
  if (const auto complete = barrier_.complete()) end = std::min(end, complete->request);
  return end;
}

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
uint64_t ChipEngine<Tile>::first_awake() const {
  uint64_t first = kNever;
  for (unsigned id : awake_) first = std::min(first, slots_[id]->local);
  return first;
}

// The cycle of the first input to come of any tile.
template <class Tile>
uint64_t ChipEngine<Tile>::next_input() {
  return inputs_.first([&](unsigned id) { return slots_[id]->next_input(); });
}

// An input of the tile has been added.
template <class Tile>
void ChipEngine<Tile>::note_input(unsigned id) {
  inputs_.note(id, slots_[id]->next_input());
  if (slots_[id]->refused) to_forget_.push_back(id);
}

// The chip has been given another state.
template <class Tile>
void ChipEngine<Tile>::note_refused() {
  to_forget_.clear();
  for (unsigned id = 0; id < slots_.size(); ++id)
    if (slots_[id]->refused) to_forget_.push_back(id);
}

// The first cycle in which a tile may show what is not known yet.
template <class Tile>
uint64_t ChipEngine<Tile>::shown_until() {
  // While the host is to answer, tiles show nothing.
  return std::min({first_awake(), ack_, notified_ ? kNever : notify_, next_input()});
}

// Packets that go on no further are over.
template <class Tile>
void ChipEngine<Tile>::end_broken_packets() {
  if (!edge_.busy()) return;
  while (const auto tile = edge_.broken(shown_until())) slots_[*tile]->packet_open = false;
}

// Words that reach the host port, and what they bring about.
template <class Tile>
void ChipEngine<Tile>::pass_packets() {
  decide_grants();  // what tiles may show depends on them
  for (;;) {
    const uint64_t known = shown_until(), next = next_link_cycle();
    pass_packets(known, next == kNever ? kNever : next + 1);
    if (next >= links_known_ || !edge_.link_known(next, known)) return;
    step_links(next);
    decide_grants();  // of packets for which there is room now
  }
}

// The next cycle in which the links have something to do.
template <class Tile>
uint64_t ChipEngine<Tile>::next_link_cycle() const {
  if (!links_.idle()) return link_cycle_;
  const uint64_t in = link_in_.empty() ? kNever : link_in_.front().cycle;
  return std::max(link_cycle_, std::min(in, edge_.link_begins()));
}

// The first cycle in which a word of another chip may come to a tile that is not on its way there yet.
template <class Tile>
uint64_t ChipEngine<Tile>::links_reach() const {
  if (link_in_.empty() && links_.idle()) return kNever;
  return next_link_cycle() + machine_.edge_latency;
}

template <class Tile>
bool ChipEngine<Tile>::may_send() const {
  const bool on_its_way =
      !link_in_.empty() || !link_out_.empty() || !links_.idle() || edge_.requested() || edge_.busy();
  if (on_its_way || (ack_ != kNever && sync_.zone != spec::SyncZone::kInternal)) return true;
  if (notify_ != kNever || leaves_ != kNever) return false;
  // Of a zone that the chip acknowledges itself its tiles may come to a sync behind which they send.
  return !grouped_.external || !grouped_.replica ||
         std::ranges::any_of(slots_, [](const auto& slot) { return slot->may_send; });
}

template <class Tile>
void ChipEngine<Tile>::step_links(uint64_t cycle) {
  const unsigned channels = machine_.links * machine_.link_words;
  LinkEdge::Inputs in{std::vector<LinkEdge::Word>(machine_.blocks()), std::vector<LinkEdge::Word>(channels),
                      std::vector<LinkEdge::Credits>(channels), edge_.unanswered(cycle)};
  for (unsigned b = 0; b < machine_.blocks(); ++b) in.blocks[b] = edge_.link_word(b, cycle);
  for (; !link_in_.empty() && link_in_.front().cycle == cycle; link_in_.pop_front()) {
    const LinkEvent& event = link_in_.front();
    if (event.word)
      in.channels[event.channel] = {true, event.word->last, event.word->bad, event.word->layer, event.word->data};
    else
      in.credits[event.channel][event.layer] = true;
  }
  const std::vector<bool> taken = links_.step(in);
  for (unsigned b = 0; b < machine_.blocks(); ++b)
    if (taken[b]) edge_.link_taken(b, cycle);
  link_cycle_ = cycle + 1;
  const LinkEdge::Outputs& out = links_.outputs();
  const size_t before = link_out_.size();
  for (unsigned c = 0; c < channels; ++c) {
    const LinkEdge::Word& word = out.channels[c];
    if (word.valid) link_out_.push_back({cycle + 1, c, LinkWord{word.last, word.bad, word.layer, word.data}, 0});
    for (uint8_t layer = 0; layer < LinkEdge::kLayers; ++layer)
      if (out.credits[c][layer]) link_out_.push_back({cycle + 1, c, std::nullopt, layer});
  }
  if (fabric_)
    for (size_t i = before; i < link_out_.size(); ++i) fabric_->expect(link_out_[i]);
  for (unsigned b = 0; b < machine_.blocks(); ++b) {
    const LinkEdge::Word& word = out.down[b];
    if (!word.valid) continue;
    const bool first = down_tiles_[b] == kNoTile;
    if (first) down_tiles_[b] = spec::PacketHeader::decode(word.data).tile;
    const unsigned tile = down_tiles_[b];
    // An answer of the host or the gateway, which comes behind, may be on its way already.
    slots_[tile]->down.insert({cycle + machine_.edge_latency, word.data, first});
    note_input(tile);
    if (word.last) down_tiles_[b] = kNoTile;
  }
}

template <class Tile>
void ChipEngine<Tile>::pass_packets(uint64_t known, uint64_t until) {
  if (!edge_.busy()) return;
  while (auto passed = edge_.pass(known, until, std::min(next_link_cycle(), links_known_))) {
    if (fabric_) fabric_->expect(passed->up);
    if (auto& response = passed->response) {
      Slot& target = *slots_[response->tile];
      --target.awaits;
      if (fabric_) fabric_->down(response->cycle - machine_.edge_latency, response->words);
      target.down.push_packet(response->cycle - 1, std::move(response->words));
      note_input(response->tile);
    }
  }
}

template <class Tile>
void ChipEngine<Tile>::decide_sync() {
  if (ack_ != kNever || notify_ != kNever || leaves_ != kNever) return;
  const auto complete = barrier_.complete();
  // A request that is up but whose tile still runs may fall before the last one rises.
  if (!complete || first_awake() < complete->request) return;
  if (complete->zone == spec::SyncZone::kHost && edge_.busy()) return;  // of a tile that was started anew
  sync_ = *complete;
  if (sync_.zone == spec::SyncZone::kInternal) ack_ = sync_.request + machine_.sync_request + machine_.sync_acknowledge;
  if (of_group(sync_.zone))
    leaves_ = sync_.request + machine_.external_request;
  else if (sync_.zone == spec::SyncZone::kExternal || sync_.zone == spec::SyncZone::kReplica)
    ack_ = sync_.request + machine_.external_request + machine_.external_acknowledge;
  if (sync_.zone == spec::SyncZone::kHost)
    notify_ = std::max(sync_.request + machine_.external_request, edge_.drained());
  mark_ = 0;
}

template <class Tile>
void ChipEngine<Tile>::decide_grants() {
  if (!edge_.requested()) return;
  const uint64_t known = shown_until();
  while (const auto grant = edge_.grant(known)) {
    slots_[grant->tile]->grant = grant->cycle;
    slots_[grant->tile]->packet_open = true;
    note_input(grant->tile);
  }
}

// The next cycle in which something can happen; kNever: nothing will without an input from outside.
template <class Tile>
uint64_t ChipEngine<Tile>::next_activity() {
  return std::min({first_awake(), ack_, next_link_cycle(), next_input()});
}

// The first cycle in which an awake tile is out of budget: none goes beyond it while that tile computes.
template <class Tile>
uint64_t ChipEngine<Tile>::end_of_budget(uint64_t budget) const {
  uint64_t end = kNever;
  if (budget == 0) return end;
  for (unsigned id : awake_) end = std::min(end, slots_[id]->phase_start + budget);
  return end;
}

// Whether a tile has used up its budget in cycle `end` and nothing that could still release it is behind.
template <class Tile>
bool ChipEngine<Tile>::out_of_budget(uint64_t end, uint64_t budget) {
  if (budget == 0) return false;
  uint64_t others = std::min(ack_, next_input());
  unsigned over = kNoTile;
  for (unsigned id : awake_) {
    const Slot& s = *slots_[id];
    if (s.local < s.phase_start + budget)
      others = std::min(others, s.local);
    else
      over = std::min(over, id);
  }
  if (over == kNoTile || others < end) return false;
  over_budget_ = over;
  return true;
}

// Runs to `bound`, or until no tile can move, or one is out of budget. Returns the next cycle with activity.
template <class Tile>
uint64_t ChipEngine<Tile>::advance(uint64_t bound, uint64_t budget) {
  for (;;) {
    run_free_tiles(std::min(bound, end_of_budget(budget)));
    end_broken_packets();
    pass_packets();
    decide_sync();
    decide_grants();
    if (debug_cycle_ == kNever) {  // an access takes its cycles, whatever they hold
      if (notify_ != kNever && !notified_) bound = std::min(bound, notify_);
      if (leaves_ != kNever && !left_) bound = std::min(bound, leaves_);
      if (stops_at_acknowledgement()) bound = std::min(bound, ack_);
    }
    const uint64_t next = next_activity();
    const uint64_t end = end_of_budget(budget);
    if (end <= bound && out_of_budget(end, budget)) return next;
    if (next >= bound) return next;
    run_window(next, std::min(bound, end));
  }
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

template <class Tile>
Stop ChipEngine<Tile>::run(uint64_t limit, uint64_t budget) {
  ask_wanted();
  if (waits_outside() && links_known_ == kNever) return waiting(notified_ ? now_ : leaves_);
  if (limit > now_ && limit > links_known_) throw std::logic_error("run: beyond what is known of the links");
  if (waits_outside()) {
    const uint64_t since = notified_ ? notify_ : leaves_;
    if (limit > now_) advance(limit, 0);
    now_ = std::max(now_, limit);
    return waiting(since);
  }
  if (limit <= now_) return {StopReason::kLimit, now_, kNoTile};
  const uint64_t next = advance(limit, budget);
  if (over_budget_ != kNoTile) {
    const unsigned tile = over_budget_;
    uint64_t latest = now_;
    for (unsigned id : awake_) latest = std::max(latest, slots_[id]->local);
    now_ = std::min(limit, latest);
    advance(now_, 0);
    over_budget_ = kNoTile;
    if (edge_.refusal()) return refused();
    return {StopReason::kBudget, now_, tile};
  }
  if (notify_ != kNever && notify_ <= limit && next >= notify_) {
    now_ = std::max(now_, notify_);
    notified_ = true;
    if (fabric_) {
      fabric_->run_to(now_);
      fabric_->check_host(true);
    }
    if (observer_ != nullptr) observer_->host_sync(now_);
    return {StopReason::kHostSync, now_, kNoTile};
  }
  if (leaves_ != kNever && leaves_ <= limit && next >= leaves_) {
    now_ = std::max(now_, leaves_);
    left_ = true;
    return waiting(leaves_);
  }
  if (stops_at_acknowledgement() && ack_ <= limit && next >= ack_) {
    now_ = ack_;
    stood_at_ = stop_at_;
    return {StopReason::kSuperstep, now_, kNoTile};
  }
  if (next == kNever && notify_ == kNever && leaves_ == kNever) return classify();
  now_ = limit;
  return {StopReason::kLimit, now_, kNoTile};
}

// Of a chip that waits for others, since `cycle`.
template <class Tile>
Stop ChipEngine<Tile>::waiting(uint64_t cycle) const {
  if (notified_) return {StopReason::kHostSync, cycle, kNoTile};
  return {StopReason::kGroupSync, cycle, kNoTile, std::nullopt, sync_.consensus, sync_.zone};
}

// Nothing can move any more: why.
template <class Tile>
Stop ChipEngine<Tile>::classify() {
  bool halted = true;
  unsigned excepted = kNoTile;
  for (unsigned id = 0; id < slots_.size(); ++id) {
    const Slot& s = *slots_[id];
    now_ = std::max(now_, s.local);
    if (s.out.exception) excepted = std::min(excepted, id);
    halted &= !s.out.sync_request && !s.out.packet_request && slots_[id]->tile.wait().awaited == 0;
  }
  if (excepted != kNoTile) return {StopReason::kException, now_, excepted};
  if (edge_.refusal()) return refused();
  return {halted ? StopReason::kHalted : StopReason::kDeadlock, now_, kNoTile};
}

template <class Tile>
Stop ChipEngine<Tile>::refused() const {
  return {StopReason::kRefused, now_, edge_.refusal()->tile, edge_.refusal()};
}

template <class Tile>
void ChipEngine<Tile>::mark(uint64_t cycle, uint16_t value) {
  if (!notified_) throw std::logic_error("mark: no host sync is pending");
  if (value == 0) throw std::logic_error("mark: a mark is not 0");
  if (cycle < now_) throw std::logic_error("mark: arrives before the chip's cycle");
  ack_ = cycle + machine_.external_acknowledge;
  mark_ = value;
  if (fabric_) fabric_->mark(cycle, value);
  notify_ = kNever;
  notified_ = false;
}

template <class Tile>
void ChipEngine<Tile>::join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) {
  links_.set(chip);
  for (uint32_t i = 0; i < tables.routes.size(); ++i) links_.set(i, tables.routes[i]);
  for (uint32_t c = 0; c < tables.sites.size(); ++c) links_.set(c, tables.sites[c]);
  grouped_ = grouped;
  if (fabric_) fabric_->join(chip, tables, grouped);
}

template <class Tile>
void ChipEngine<Tile>::group_answer(uint64_t cycle, bool consensus) {
  if (leaves_ == kNever) throw std::logic_error("group_answer: no group sync is pending");
  if (cycle < now_) throw std::logic_error("group_answer: arrives before the chip's cycle");
  sync_.consensus = consensus;
  ack_ = cycle + machine_.external_acknowledge;
  leaves_ = kNever;
  left_ = false;
  if (fabric_) fabric_->group_answer(cycle, sync_.zone, consensus);
}

}  // namespace tessera::chip
