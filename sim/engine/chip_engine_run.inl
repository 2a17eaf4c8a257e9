// ChipEngine: how time passes, and what the chip decides. Included by chip_engine.h.
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
