#include "sim/engine/link_edge.h"

#include <algorithm>
#include <utility>

namespace tessera::chip {

LinkEdge::LinkEdge(const spec::Machine& machine) : machine_(machine), routes_(spec::kMostChips), sites_(channels()) {
  reset();
}

void LinkEdge::reset() {
  state_ = State();
  state_.queues.resize(size_t{kLayers} * channels());
  state_.blocks.resize(machine_.blocks());
  state_.going.resize(state_.queues.size());
  state_.ways.resize(channels() + machine_.blocks());
  for (unsigned c = 0; c < channels(); ++c) state_.ways[c].credits.fill(machine_.link_packets);
  state_.out = none();
  idle_ = true;
}

LinkEdge::Outputs LinkEdge::none() const {
  return {std::vector<Word>(channels()), std::vector<Word>(machine_.blocks()), std::vector<Credits>(channels())};
}

void LinkEdge::note_idle() {
  const auto shows = [](const Word& word) { return word.valid; };
  const auto gives = [](const Credits& credits) { return std::ranges::count(credits, true) != 0; };
  idle_ = std::ranges::all_of(state_.queues, [](const Queue& q) { return !q.coming && q.packets.empty(); }) &&
          std::ranges::none_of(state_.blocks, [](const auto& aim) { return aim.has_value(); }) &&
          std::ranges::none_of(state_.going, [](const auto& going) { return going.has_value(); }) &&
          std::ranges::none_of(state_.out.channels, shows) && std::ranges::none_of(state_.out.down, shows) &&
          std::ranges::none_of(state_.out.credits, gives);
}

bool LinkEdge::settled() const {
  for (unsigned c = 0; c < channels(); ++c)
    for (const unsigned credits : state_.ways[c].credits)
      if (credits != machine_.link_packets) return false;
  return idle_;
}

std::vector<unsigned> LinkEdge::turns() const {
  std::vector<unsigned> first;
  for (const Way& way : state_.ways) first.push_back(way.before);
  return first;
}

bool LinkEdge::takes(std::span<const unsigned> turns) const {
  return turns.size() == state_.ways.size() &&
         std::ranges::all_of(turns, [&](unsigned source) { return source < sources(); });
}

void LinkEdge::set_turns(std::span<const unsigned> turns) {
  for (size_t w = 0; w < turns.size(); ++w) state_.ways[w].before = turns[w];
}

void LinkEdge::set(uint32_t chip, const spec::RouteEntry& entry) {
  spec::RouteEntry& route = routes_.at(chip) = entry;
  if (route.count == 0 || route.first + route.count > channels()) route.valid = 0;
}

LinkEdge::Aim LinkEdge::to_chip(const spec::RouteEntry& route, unsigned index, uint8_t layer) const {
  if (!route.valid) return {};
  const bool wraps = route.wraps;
  return {route.first + index % route.count, wraps ? uint8_t{1} : layer};
}

LinkEdge::Aim LinkEdge::from_block(unsigned block, uint32_t word0) const {
  const auto header = spec::PacketHeader::decode(word0);
  return header.chip == chip_ ? Aim() : to_chip(routes_[header.chip], block, 0);
}

LinkEdge::Aim LinkEdge::from_channel(unsigned channel, uint8_t layer, uint32_t word0) const {
  const auto header = spec::PacketHeader::decode(word0);
  if (header.chip == chip_) {
    if (header.tile >= machine_.tiles()) return {};
    return {channels() + machine_.block_of(header.tile), 0};
  }
  const spec::RouteEntry& route = routes_[header.chip];
  const bool turns = route.upright != sites_[channel].upright;
  return to_chip(route, sites_[channel].index, turns ? uint8_t{0} : layer);
}

// Of the packet that is offered in the next cycle.
size_t LinkEdge::next_place(const Queue& queue, const std::vector<std::array<bool, kLayers>>& open) const {
  const size_t seen = std::min<size_t>(queue.packets.size(), spec::kLinkLooks);
  for (size_t i = 1; i <= seen; ++i) {
    const size_t place = (queue.place + i) % seen;
    const auto before = queue.packets.begin(), here = before + static_cast<std::ptrdiff_t>(place);
    if (!here->aim.way || !open[*here->aim.way][here->aim.layer]) continue;
    if (std::any_of(before, here, [&](const Packet& other) { return other.aim == here->aim; })) continue;
    return place;
  }
  return 0;
}

std::vector<bool> LinkEdge::step(const Inputs& in) {
  auto& [queues, blocks, going_on, ways, shown] = state_;
  // What each source offers.
  std::vector<const Aim*> offers(sources());
  std::vector<Aim> of_blocks(machine_.blocks());
  for (unsigned b = 0; b < machine_.blocks(); ++b) {
    if (!in.blocks[b].valid || blocks[b]) continue;
    of_blocks[b] = from_block(b, in.blocks[b].data);
    offers[b] = &of_blocks[b];
  }
  for (size_t q = 0; q < queues.size(); ++q) {
    const Queue& queue = queues[q];
    if (!queue.packets.empty() && !going_on[q]) offers[machine_.blocks() + q] = &queue.packets[queue.place].aim;
  }

  std::vector<std::array<bool, kLayers>> open(ways.size());
  for (unsigned w = 0; w < ways.size(); ++w)
    for (unsigned l = 0; l < kLayers; ++l)
      open[w][l] = !ways[w].source && (w < channels() ? ways[w].credits[l] != 0 : !in.hold);

  // Who has the turns that begin.
  std::vector<unsigned> starts;
  for (unsigned w = 0; w < ways.size(); ++w) {
    Way& way = ways[w];
    if (way.source) continue;
    for (unsigned i = 0; i < sources() && !way.source; ++i) {
      const unsigned s = (way.before + i) % sources();
      if (offers[s] == nullptr || offers[s]->way != w || !open[w][offers[s]->layer]) continue;
      way.source = s;
      starts.push_back(s);
      way.before = (s + 1) % sources();
      if (w < channels()) --way.credits[offers[s]->layer];
    }
  }
  for (unsigned s = 0; s < sources(); ++s)
    if (offers[s] != nullptr && !offers[s]->way) starts.push_back(s);

  Outputs out = none();
  for (const unsigned s : starts) {
    if (s < machine_.blocks()) {
      blocks[s] = *offers[s];
      continue;
    }
    Queue& queue = queues[s - machine_.blocks()];
    const auto packet = queue.packets.begin() + static_cast<std::ptrdiff_t>(queue.place);
    going_on[s - machine_.blocks()] = Going{std::move(*packet), 0};
    queue.packets.erase(packet);
  }
  for (size_t q = 0; q < queues.size(); ++q) queues[q].place = going_on[q] ? 0 : next_place(queues[q], open);

  // The words that leave.
  std::vector<bool> taken(machine_.blocks());
  const auto leaves = [&](const Aim& aim, Word word) {
    if (!aim.way) return;
    if (word.last) ways[*aim.way].source.reset();
    word.layer = aim.layer;
    (*aim.way < channels() ? out.channels[*aim.way] : out.down[*aim.way - channels()]) = word;
  };
  for (unsigned b = 0; b < machine_.blocks(); ++b) {
    if (!blocks[b]) continue;
    taken[b] = true;
    leaves(*blocks[b], in.blocks[b]);
    if (in.blocks[b].last) blocks[b].reset();
  }
  for (unsigned q = 0; q < queues.size(); ++q) {
    if (!going_on[q]) continue;
    Going& going = *going_on[q];
    const Word word = going.packet.words[going.sent++];
    leaves(going.packet.aim, word);
    if (!word.last) continue;
    out.credits[q / kLayers][q % kLayers] = true;
    going_on[q].reset();
  }

  // What arrives.
  for (unsigned c = 0; c < channels(); ++c) {
    for (unsigned l = 0; l < kLayers; ++l) ways[c].credits[l] += in.credits[c][l];
    const Word& word = in.channels[c];
    if (!word.valid) continue;
    Queue& queue = queues[kLayers * c + word.layer];
    if (!queue.coming) queue.coming = Packet{from_channel(c, word.layer, word.data), {}};
    queue.coming->words.push_back(word);
    if (!word.last) continue;
    if (word.bad)
      out.credits[c][word.layer] = true;
    else
      queue.packets.push_back(std::move(*queue.coming));
    queue.coming.reset();
  }
  shown = std::move(out);
  note_idle();
  return taken;
}

}  // namespace tessera::chip
