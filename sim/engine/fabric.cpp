#include "sim/engine/fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tessera::chip {
namespace {

// All that joins tiles, in the order of TileOutputs. Words that are not valid are not told: a tile that computes shows
// what its memory gives, and the RTL would be asked in every cycle.
bool equal(const TileOutputs& a, const TileOutputs& b) {
  return a.sync_request == b.sync_request && a.sync_zone == b.sync_zone && a.sync_value == b.sync_value &&
         a.exchange_valid == b.exchange_valid && (!a.exchange_valid || a.exchange_data == b.exchange_data) &&
         a.exchange_select == b.exchange_select && a.pair_valid == b.pair_valid &&
         (!a.pair_valid || a.pair_data == b.pair_data) && a.paired == b.paired &&
         a.packet_request == b.packet_request && a.packet_valid == b.packet_valid &&
         (!a.packet_valid || (a.packet_last == b.packet_last && a.packet_data == b.packet_data)) &&
         a.debug_data == b.debug_data && a.debug_refused == b.debug_refused && a.exception == b.exception;
}

// Something goes on at the ports even while they do not change.
bool moves(const TileOutputs& out) { return out.exchange_valid || out.exchange_select != kNoTile || out.packet_valid; }

bool same(const LinkEvent& a, const LinkEvent& b) {
  if (a.channel != b.channel || a.word.has_value() != b.word.has_value()) return false;
  if (!a.word) return a.layer == b.layer;
  return a.word->last == b.word->last && a.word->bad == b.word->bad && a.word->layer == b.word->layer &&
         a.word->data == b.word->data;
}

std::string text(const LinkEvent& event) {
  if (!event.word) return fmt::format("a credit of layer {} on channel {}", event.layer, event.channel);
  return fmt::format("{:#010x} of layer {}{}{} on channel {}", event.word->data, event.word->layer,
                     event.word->last ? ", the last" : "", event.word->bad ? ", bad" : "", event.channel);
}

uint64_t longest_way(const spec::Machine& m) {
  unsigned longest = 0;
  for (unsigned s = 0; s < m.tiles(); ++s)
    for (unsigned d = 0; d < m.tiles(); ++d) longest = std::max(longest, m.latency(s, d));
  return std::max({longest + m.select_latency(m.tiles() - 1), m.sync_request + m.sync_acknowledge,
                   m.external_request + m.external_acknowledge, 3 * m.edge_latency}) +
         2;
}

}  // namespace

Fabric::Fabric(const spec::Machine& machine, std::unique_ptr<FabricPins> pins)
    : machine_(machine), still_(longest_way(machine)), pins_(std::move(pins)) {
  reset();
}

void Fabric::reset(uint64_t cycle) {
  state_ = State();
  state_.cycle = state_.moved = cycle;
  state_.shown.resize(machine_.tiles());
  state_.last = state_.shown;
  pins_->reset();
  if (place_) pins_->join(place_->chip, place_->tables, place_->grouped);
  for (unsigned id = 0; id < machine_.tiles(); ++id) pins_->tile(id, state_.shown[id]);
}

void Fabric::apply(unsigned tile, const TileOutputs& out) {
  pins_->tile(tile, out);
  state_.shown[tile] = out;
  state_.moved = state_.cycle;
}

void Fabric::show(unsigned tile, uint64_t cycle, const TileOutputs& out) {
  if (cycle < state_.cycle) throw std::logic_error("fabric: a tile shows something in a cycle that has passed");
  if (equal(out, state_.last[tile])) return;
  state_.last[tile] = out;
  if (cycle == state_.cycle && state_.later.empty()) {
    apply(tile, out);
    return;
  }
  state_.later[cycle].emplace_back(tile, out);
}

void Fabric::down(uint64_t cycle, std::span<const uint32_t> words) {
  for (size_t i = 0; i < words.size(); ++i)
    state_.down.push_back({cycle + i, {true, i == 0, i + 1 == words.size(), false, words[i]}});
}

void Fabric::expect(const PacketEdge::Up& up) {
  state_.up.push_back({up.cycle, {true, false, up.last, up.bad, up.data}});
}

void Fabric::mark(uint64_t cycle, uint16_t value) {
  state_.marked = cycle;
  state_.mark = value;
}

void Fabric::join(uint32_t chip, const spec::LinkTables& tables, Grouped grouped) {
  place_ = {chip, tables, grouped};
  reset(state_.cycle);
}

void Fabric::group_answer(uint64_t cycle, uint8_t zone, bool consensus) {
  state_.answered = cycle;
  state_.zone = zone;
  state_.consensus = consensus;
}

void Fabric::cancel_answers() { state_.marked = state_.answered = ~0ull; }

void Fabric::access(uint32_t select, uint32_t address, bool write, uint32_t data) {
  pins_->select(select, address);
  pins_->access(write, data);
  state_.accessed = true;
}

uint32_t Fabric::answer() {
  apply_shown();
  return pins_->answer();
}

// What tiles show in the present cycle.
void Fabric::apply_shown() {
  State& s = state_;
  for (; !s.later.empty() && s.later.begin()->first <= s.cycle; s.later.erase(s.later.begin()))
    for (const auto& [tile, out] : s.later.begin()->second) apply(tile, out);
}

// Ends the present cycle.
void Fabric::step() {
  State& s = state_;
  apply_shown();
  for (const TileOutputs& out : s.shown)
    if (moves(out)) s.moved = s.cycle;
  if (!s.down.empty() && s.down.front().first == s.cycle) {
    pins_->down(s.down.front().second);
    s.down.pop_front();
    s.moved = s.cycle;
  }
  for (; !s.link_in.empty() && s.link_in.front().cycle == s.cycle; s.link_in.pop_front()) {
    pins_->link_in(s.link_in.front());
    s.moved = s.cycle;
  }
  if (s.answered == s.cycle) {
    pins_->group_answer(s.zone, s.consensus);
    s.answered = ~0ull;
    s.moved = s.cycle;
  }
  if (s.marked == s.cycle) {
    pins_->mark(s.mark);
    s.marked = ~0ull;
    s.moved = s.cycle;
  }
  pins_->clock(s.cycle);
  s.accessed = false;
  ++s.cycle;
  for (const LinkEvent& event : pins_->link_out()) {
    if (!expects_link() || !same(s.link_out.front(), event))
      differs(fmt::format("on a channel is {}, of the engine {}", text(event),
                          expects_link() ? text(s.link_out.front()) : "nothing"));
    s.link_out.pop_front();
    s.moved = s.cycle;
  }
  if (expects_link()) differs(fmt::format("on a channel is nothing, of the engine {}", text(s.link_out.front())));
  FabricPins::Word expected;
  if (!s.up.empty() && s.up.front().first == s.cycle) {
    expected = s.up.front().second;
    s.up.pop_front();
    s.moved = s.cycle;
  }
  if (const FabricPins::Word up = pins_->up(); up != expected) {
    const auto text = [](const FabricPins::Word& w) {
      return w.valid ? fmt::format("{:#010x}{}{}", w.data, w.last ? ", the last" : "", w.bad ? ", bad" : "") : "none";
    };
    differs(fmt::format("word at the host port {}, of the engine {}", text(up), text(expected)));
  }
}

void Fabric::run_to(uint64_t cycle) {
  State& s = state_;
  while (s.cycle < cycle) {
    if (s.cycle > s.moved + still_ && !s.accessed && s.up.empty() && s.link_out.empty()) {
      uint64_t next = cycle;
      if (!s.later.empty()) next = std::min(next, s.later.begin()->first);
      if (!s.down.empty()) next = std::min(next, s.down.front().first);
      next = std::min({next, s.marked, s.answered});
      if (!s.link_in.empty()) next = std::min(next, s.link_in.front().cycle);
      if (next > s.cycle) {
        s.cycle = next;
        continue;
      }
    }
    step();
    if (s.cycle == cycle) return;
    if (!gives()) continue;
    for (unsigned id = 0; id < machine_.tiles(); ++id) check_idle(id);
  }
}

void Fabric::differs(const std::string& what) const {
  throw std::logic_error(
      fmt::format("the RTL of the fabric and the engine differ in cycle {}: {}", state_.cycle, what));
}

void Fabric::give(unsigned tile, TileInputs& in) const {
  if (!in.sync_ack && !in.exchange_valid && !in.pair_valid && !in.packet_grant && !in.packet_valid && !in.debug_valid &&
      !gives())
    return;
  TileInputs rtl = in;
  pins_->inputs(tile, rtl);
  if (!in.packet_valid) {  // others' words
    rtl.packet_valid = rtl.packet_first = false;
    rtl.packet_data = 0;
  }
  const auto same = [&](bool equal, const char* what) {
    if (!equal) differs(fmt::format("{} of tile {}", what, tile));
  };
  same(rtl.sync_ack == in.sync_ack, "acknowledgement");
  same(!in.sync_ack || (rtl.sync_ack_zone == in.sync_ack_zone && rtl.sync_consensus == in.sync_consensus &&
                        rtl.sync_mark == in.sync_mark),
       "zone, consensus or mark");
  same(rtl.exchange_valid == in.exchange_valid && (!in.exchange_valid || rtl.exchange_data == in.exchange_data),
       "received word");
  same(rtl.pair_valid == in.pair_valid && (!in.pair_valid || rtl.pair_data == in.pair_data),
       "word received by the pair");
  same(rtl.packet_grant == in.packet_grant, "grant");
  same(rtl.debug_valid == in.debug_valid &&
           (!in.debug_valid || (rtl.debug_write == in.debug_write && rtl.debug_space == in.debug_space &&
                                rtl.debug_context == in.debug_context && rtl.debug_address == in.debug_address &&
                                (!in.debug_write || rtl.debug_wdata == in.debug_wdata))),
       "debug access");
  same(rtl.packet_valid == in.packet_valid && rtl.packet_first == in.packet_first && rtl.packet_data == in.packet_data,
       "word of a packet");
  in = rtl;
}

void Fabric::check_idle(unsigned tile) const {
  TileInputs in;
  pins_->inputs(tile, in);
  if (in.sync_ack) differs("an acknowledgement");
  if (in.packet_grant) differs(fmt::format("a grant to tile {}", tile));
  if (in.debug_valid) differs(fmt::format("a debug access to tile {}", tile));
  if (in.exchange_valid) differs(fmt::format("a word for tile {}, which does not listen", tile));
}

void Fabric::check_host(bool waits) const {
  if (pins_->host_waits() != waits) differs(waits ? "the host is not told of the sync" : "the host is told of a sync");
}

Fabric::Snapshot Fabric::snapshot(size_t& bytes) {
  stored_ = pins_->save(stored_, bytes);
  return {state_, stored_};
}

void Fabric::restore(const Snapshot& snapshot) {
  state_ = snapshot.state;
  stored_ = snapshot.pages;
  pins_->load(stored_);
}

}  // namespace tessera::chip
