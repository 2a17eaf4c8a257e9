#include "sim/engine/packet_edge.h"

#include <algorithm>
#include <span>

#include "rtl/spec/words.h"

namespace tessera::chip {

std::optional<uint64_t> PacketEdge::oldest_request() const {
  if (state_.queue.empty()) return std::nullopt;
  return state_.queue.begin()->first;
}

std::optional<PacketEdge::Grant> PacketEdge::grant(uint64_t known) {
  if (state_.busy || state_.queue.empty() || state_.queue.begin()->first > known) return std::nullopt;
  const auto [cycle, tile] = *state_.queue.begin();
  state_.queue.erase(state_.queue.begin());
  state_.busy = true;
  state_.packet.clear();
  return Grant{tile, std::max(state_.free, cycle + machine_.edge_latency) + machine_.edge_latency};
}

std::optional<PacketEdge::Response> PacketEdge::word(unsigned tile, uint64_t cycle, uint32_t data, bool last) {
  state_.packet.push_back(data);
  refused_ = false;
  if (!last) return std::nullopt;
  // From the tile's port the word needs one cycle less than edge_latency: the count starts at the memory read.
  const uint64_t at_host = cycle + machine_.edge_latency - 1;
  state_.busy = false;
  state_.free = at_host;
  state_.drained = std::max(state_.drained, at_host);
  return finish(tile, at_host);
}

std::optional<PacketEdge::Response> PacketEdge::finish(unsigned tile, uint64_t at_host) {
  using spec::PacketKind;
  const auto header = spec::PacketHeader::decode(state_.packet[0]);
  if (bus_ == nullptr || state_.packet.size() < 2) return std::nullopt;
  const std::span<const uint32_t> payload = std::span<const uint32_t>(state_.packet).subspan(2);
  const uint32_t address = state_.packet[1];
  if (header.kind == PacketKind::kWriteHost && header.words == payload.size() &&
      !bus_->write(at_host, address, payload))
    refuse({at_host, tile, true, address, header.words});
  if (header.kind != PacketKind::kReadHost || state_.packet.size() != 3 || header.words == 0 ||
      header.words > spec::kMostPayloadWords)
    return std::nullopt;

  Response response;
  response.tile = header.tile;
  if (response.tile >= machine_.tiles()) return std::nullopt;
  response.words.assign(header.words + 2, 0);
  response.words[0] =
      spec::PacketHeader{.words = header.words, .tile = header.tile, .kind = PacketKind::kResponse}.encode();
  response.words[1] = state_.packet[2];
  const auto arrival = bus_->read(at_host, address, std::span(response.words).subspan(2));
  if (!arrival) {
    refuse({at_host, tile, false, address, header.words});
    return std::nullopt;
  }
  const uint64_t start = std::max(*arrival, state_.down_free);
  state_.down_free = start + response.words.size();
  response.cycle = start + machine_.edge_latency;
  state_.drained = std::max(state_.drained, response.cycle + response.words.size());
  return response;
}

void PacketEdge::refuse(const Refusal& refusal) {
  refused_ = true;
  if (!state_.refusal) state_.refusal = refusal;
}

}  // namespace tessera::chip
