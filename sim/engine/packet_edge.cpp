#include "sim/engine/packet_edge.h"

#include <algorithm>
#include <span>

#include "rtl/spec/words.h"

namespace tessera::chip {

namespace {
constexpr uint64_t kToPort = 3;  // cycles from a grant at the tile to the first word on its port
}

std::optional<uint64_t> PacketEdge::oldest_request() const {
  if (state_.queue.empty()) return std::nullopt;
  return state_.queue.begin()->first.first;
}

void PacketEdge::withdraw(unsigned tile, uint64_t cycle) {
  for (auto& [request, until] : state_.queue) {
    if (request.second != tile || until != kNever) continue;
    until = cycle;
    state_.drained = std::max(state_.drained, cycle + machine_.edge_latency);
  }
}

std::optional<PacketEdge::Grant> PacketEdge::grant(uint64_t known) {
  const uint64_t way = machine_.edge_latency;
  while (!state_.busy && !state_.queue.empty()) {
    const auto [request, until] = *state_.queue.begin();
    const auto [cycle, tile] = request;
    const uint64_t decided = std::max(state_.free, cycle + way);
    if (decided - way > known) break;  // another may ask first, or this one withdraw
    state_.queue.erase(state_.queue.begin());
    if (until != kNever && until + way <= decided) continue;
    state_.busy = true;
    state_.owner = tile;
    state_.expected = decided + way + kToPort;
    state_.packet.clear();
    return Grant{tile, decided + way};
  }
  return std::nullopt;
}

// From the tile's port a word needs one cycle less than edge_latency: the count starts at the memory read.
PacketEdge::Arrived PacketEdge::word(uint64_t cycle, uint32_t data, bool last) {
  const uint64_t at_host = cycle + machine_.edge_latency - 1;
  state_.packet.push_back(data);
  state_.expected = cycle + 1;
  Arrived arrived;
  const bool goes_on = sound(state_.packet[0]);
  const bool bad = last && state_.packet.size() != length(state_.packet[0]);
  if (goes_on) arrived.up = Up{at_host, data, last, bad};
  if (!last) return arrived;
  end(at_host);
  if (goes_on && !bad) act(at_host, arrived);
  return arrived;
}

std::optional<PacketEdge::Broken> PacketEdge::broken(uint64_t known) {
  if (!state_.busy || state_.expected > known) return std::nullopt;
  const uint64_t at_host = state_.expected + machine_.edge_latency - 1;
  Broken broken{state_.owner, std::nullopt};
  if (!state_.packet.empty() && sound(state_.packet[0])) broken.up = Up{at_host, 0, true, true};
  end(at_host);
  return broken;
}

void PacketEdge::end(uint64_t at_host) {
  state_.busy = false;
  state_.free = at_host;
  state_.drained = std::max(state_.drained, at_host);
}

// A first word that a tile means to send.
bool PacketEdge::sound(uint32_t word0) const {
  const auto header = spec::PacketHeader::decode(word0);
  if (header.words > spec::kMostPayloadWords) return false;
  if (header.kind == spec::PacketKind::kWriteHost) return true;
  return header.kind == spec::PacketKind::kReadHost && header.words != 0 && header.tile < machine_.tiles();
}

// The words of a packet, by its first.
size_t PacketEdge::length(uint32_t word0) const {
  const auto header = spec::PacketHeader::decode(word0);
  return header.kind == spec::PacketKind::kReadHost ? 3 : header.words + 2;
}

void PacketEdge::act(uint64_t at_host, Arrived& arrived) {
  using spec::PacketKind;
  if (bus_ == nullptr) return;
  const auto header = spec::PacketHeader::decode(state_.packet[0]);
  const uint32_t address = state_.packet[1];
  const bool write = header.kind == PacketKind::kWriteHost;
  const auto refuse = [&] {
    arrived.refused = true;
    if (!state_.refusal) state_.refusal = Refusal{at_host, state_.owner, write, address, header.words};
  };
  if (write) {
    if (!bus_->write(at_host, address, std::span<const uint32_t>(state_.packet).subspan(2))) refuse();
    return;
  }
  Response response;
  response.tile = header.tile;
  response.words.assign(header.words + 2, 0);
  response.words[0] =
      spec::PacketHeader{.words = header.words, .tile = header.tile, .kind = PacketKind::kResponse}.encode();
  response.words[1] = state_.packet[2];
  const auto arrival = bus_->read(at_host, address, std::span(response.words).subspan(2));
  if (!arrival) return refuse();
  const uint64_t start = std::max(*arrival, state_.down_free);
  state_.down_free = start + response.words.size();
  response.cycle = start + machine_.edge_latency;
  state_.drained = std::max(state_.drained, response.cycle + response.words.size());
  arrived.response = std::move(response);
}

}  // namespace tessera::chip
