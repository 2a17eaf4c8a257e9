#include "sim/engine/packet_edge.h"

#include <algorithm>
#include <span>

#include "rtl/spec/remote_address.h"
#include "rtl/spec/words.h"

namespace tessera::chip {

namespace {
constexpr uint64_t kToPort = 3;  // cycles from a grant at the tile to the first word on its port

using spec::PacketHeader, spec::PacketKind;
bool reads(const PacketHeader& header) {
  return header.kind == PacketKind::kReadHost || header.kind == PacketKind::kReadRemote;
}
bool remote(const PacketHeader& header) {
  return header.kind == PacketKind::kReadRemote || header.kind == PacketKind::kWriteRemote;
}
}  // namespace

void PacketEdge::reset() {
  state_ = State();
  state_.blocks.resize(machine_.blocks());
  for (State::Block& b : state_.blocks) b.credits.assign(machine_.block_packets, 0);
}

bool PacketEdge::requested() const {
  return std::ranges::any_of(state_.blocks, [](const State::Block& b) { return !b.queue.empty(); });
}

bool PacketEdge::busy() const {
  return std::ranges::any_of(state_.blocks, [](const State::Block& b) { return b.busy || !b.packets.empty(); });
}

void PacketEdge::withdraw(unsigned tile, uint64_t cycle) {
  for (auto& [request, until] : block_of(tile).queue) {
    if (request.second != tile || until != kNever) continue;
    until = cycle;
    state_.drained = std::max(state_.drained, cycle + machine_.edge_latency);
  }
}

std::optional<PacketEdge::Grant> PacketEdge::grant(uint64_t known) {
  const uint64_t way = machine_.edge_latency;
  for (State::Block& b : state_.blocks) {
    while (!b.busy && !b.queue.empty() && !b.credits.empty()) {
      const auto [request, until] = *b.queue.begin();
      const auto [cycle, tile] = request;
      const auto credit = std::ranges::min_element(b.credits);
      const uint64_t decided = std::max({b.free, cycle + way, *credit});
      if (decided - way > known) break;  // another may ask first, or this one withdraw
      b.queue.erase(b.queue.begin());
      if (until != kNever && until + way <= decided) continue;
      b.credits.erase(credit);
      b.busy = true;
      b.owner = tile;
      b.expected = decided + way + kToPort;
      b.words = 0;
      b.forwards = false;
      return Grant{tile, decided + way};
    }
  }
  return std::nullopt;
}

PacketEdge::Taken PacketEdge::word(unsigned tile, uint64_t cycle, uint32_t data, bool last) {
  State::Block& b = block_of(tile);
  if (b.words++ == 0 && sound(data)) {
    b.forwards = true;
    State::Packet& packet = b.packets.emplace_back();
    packet.tile = tile;
    packet.first = at_host(cycle);
    packet.for_link = spec::PacketHeader::decode(data).kind == spec::PacketKind::kWriteTile;
  }
  b.expected = cycle + 1;
  if (b.forwards) b.packets.back().words.push_back(data);
  if (!last) return {};
  end(b, cycle);
  if (!b.forwards) return {};
  State::Packet& packet = b.packets.back();
  packet.over = true;
  packet.sent = cycle;
  packet.bad = packet.words.size() != length(packet.words[0]);
  if (packet.bad || packet.for_link) return {};
  const auto header = spec::PacketHeader::decode(packet.words[0]);
  const bool write = !reads(header);
  if (bus_ != nullptr && remote(header))
    packet.refused = !bus_->remote_reaches(cycle, spec::remote_address(header, packet.words[1]), header.words, write);
  else if (bus_ != nullptr)
    packet.refused = !bus_->reaches(cycle, packet.words[1], header.words, write);
  if (packet.refused) return {.refused = true, .reads = std::nullopt};
  return {.refused = false, .reads = write ? std::nullopt : std::optional(header.tile)};
}

std::optional<unsigned> PacketEdge::broken(uint64_t known) {
  for (State::Block& b : state_.blocks) {
    if (!b.busy || b.expected > known) continue;
    end(b, b.expected);
    if (b.forwards) {
      State::Packet& packet = b.packets.back();
      packet.words.push_back(0);
      packet.over = packet.bad = true;
    }
    return b.owner;
  }
  return std::nullopt;
}

// The packet under way ends with what is, or is not, on its tile's port in `cycle`.
void PacketEdge::end(State::Block& b, uint64_t cycle) {
  b.busy = false;
  b.free = at_host(cycle);
  if (!b.forwards) b.credits.push_back(b.free);
  state_.drained = std::max(state_.drained, b.free);
}

// Which block's packet the host port takes next: the one that has been first in its block for longest.
bool PacketEdge::choose(uint64_t known, uint64_t until) {
  uint64_t since = kNever;
  unsigned chosen = 0;
  for (unsigned i = 0; i < state_.blocks.size(); ++i) {
    const State::Block& b = state_.blocks[i];
    if (b.packets.empty() || b.packets.front().for_link) continue;
    const uint64_t here = std::max(b.packets.front().first, b.left);
    if (here < since) {
      since = here;
      chosen = i;
    }
  }
  if (since == kNever || since - at_host(0) > known) return false;  // none, or another may be there before
  if (std::max(state_.next, since) > until) return false;
  state_.passing = chosen;
  state_.next = std::max(state_.next, since);
  state_.passed = 0;
  return true;
}

std::optional<PacketEdge::Passed> PacketEdge::pass(uint64_t known, uint64_t until, uint64_t links_from) {
  if (!state_.passing && !choose(known, until)) return std::nullopt;
  if (state_.next > until) return std::nullopt;
  State::Block& b = state_.blocks[*state_.passing];
  State::Packet& packet = b.packets.front();
  if (state_.passed == packet.words.size()) return std::nullopt;  // the next is not on its tile's port yet
  const uint32_t data = packet.words[state_.passed++];
  const uint64_t cycle = state_.next++;
  Passed passed;
  passed.up.cycle = cycle;
  passed.up.data = data;
  if (!packet.over || state_.passed < packet.words.size()) return passed;
  passed.up.last = true;
  passed.up.bad = packet.bad;
  state_.drained = std::max(state_.drained, cycle);
  if (!packet.bad) passed.response = act(packet, cycle, links_from);
  b.credits.push_back(cycle);
  b.left = state_.next;
  b.packets.pop_front();
  state_.passing.reset();
  return passed;
}

uint64_t PacketEdge::link_begins() const {
  uint64_t first = kNever;
  for (const State::Block& b : state_.blocks)
    if (!b.packets.empty() && b.packets.front().for_link)
      first = std::min(first, std::max(b.packets.front().first, b.left) - 1);
  return first;
}

LinkEdge::Word PacketEdge::link_word(unsigned block, uint64_t cycle) const {
  const State::Block& b = state_.blocks[block];
  if (b.packets.empty()) return {};
  const State::Packet& packet = b.packets.front();
  if (!packet.for_link || std::max(packet.first, b.left) > cycle + 1) return {};
  const bool last = packet.over && packet.left + 1 == packet.words.size();
  return {true, last, last && packet.bad, 0, packet.words.at(packet.left)};
}

void PacketEdge::link_taken(unsigned block, uint64_t cycle) {
  State::Block& b = state_.blocks[block];
  State::Packet& packet = b.packets.front();
  if (++packet.left < packet.words.size() || !packet.over) return;
  state_.drained = std::max(state_.drained, cycle + 1);
  b.credits.push_back(cycle + 1);
  b.left = cycle + 2;
  b.packets.pop_front();
}

bool PacketEdge::unanswered(uint64_t cycle) const {
  return std::ranges::any_of(state_.reads,
                             [&](const State::Read& read) { return read.left <= cycle && cycle <= read.answered; });
}

// A first word that a tile means to send.
bool PacketEdge::sound(uint32_t word0) const {
  const auto header = spec::PacketHeader::decode(word0);
  if (header.words > spec::kMostPayloadWords) return false;
  if (header.kind == PacketKind::kWriteHost || header.kind == PacketKind::kWriteRemote) return true;
  if (header.words == 0 || header.tile >= machine_.tiles()) return false;
  if (header.kind == PacketKind::kWriteTile) return header.words <= spec::kMostLinkWords;
  return reads(header);
}

// The words of a packet, by its first.
size_t PacketEdge::length(uint32_t word0) const {
  const auto header = spec::PacketHeader::decode(word0);
  return reads(header) ? 3 : header.words + 2;
}

std::optional<PacketEdge::Response> PacketEdge::act(const State::Packet& packet, uint64_t cycle, uint64_t links_from) {
  if (bus_ == nullptr) return std::nullopt;
  const auto header = PacketHeader::decode(packet.words[0]);
  const bool far = remote(header), write = !reads(header);
  const uint64_t address = far ? spec::remote_address(header, packet.words[1]) : packet.words[1];
  if (packet.refused) {
    if (!state_.refusal) state_.refusal = Refusal{cycle, packet.sent, packet.tile, write, far, address, header.words};
    return std::nullopt;
  }
  if (write) {
    const auto payload = std::span<const uint32_t>(packet.words).subspan(2);
    if (far)
      bus_->remote_write(cycle, packet.tile, address, payload);
    else
      bus_->write(cycle, static_cast<uint32_t>(address), payload);
    return std::nullopt;
  }
  Response response;
  response.tile = header.tile;
  response.words.assign(header.words + 2, 0);
  response.words[0] = PacketHeader{.words = header.words, .tile = header.tile, .kind = PacketKind::kResponse}.encode();
  response.words[1] = packet.words[2];
  const auto payload = std::span(response.words).subspan(2);
  const uint64_t arrival = far ? bus_->remote_read(cycle, packet.tile, address, payload)
                               : bus_->read(cycle, static_cast<uint32_t>(address), payload);
  const uint64_t start = std::max(arrival, state_.down_free);
  state_.down_free = start + response.words.size();
  response.cycle = start + machine_.edge_latency;
  state_.drained = std::max(state_.drained, response.cycle + response.words.size());
  // Links may be behind this cycle.
  const uint64_t asked = std::min(cycle, links_from);
  std::erase_if(state_.reads, [&](const State::Read& read) { return read.answered < asked; });
  state_.reads.push_back({cycle, response.cycle + response.words.size() - 1});
  return response;
}

}  // namespace tessera::chip
