#include "chip/packet_edge.h"

#include <algorithm>
#include <span>

namespace tessera::chip {
namespace {
constexpr uint32_t kWriteHost = 1, kReadHost = 2, kReadResponse = 3;
constexpr uint32_t kMaxPayload = 256;
}  // namespace

void PacketEdge::reset() {
  queue_.clear();
  packet_.clear();
  busy_ = false;
  free_ = down_free_ = drained_ = 0;
}

std::optional<uint64_t> PacketEdge::oldest_request() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first;
}

std::optional<PacketEdge::Grant> PacketEdge::grant(uint64_t known) {
  if (busy_ || queue_.empty() || queue_.begin()->first > known) return std::nullopt;
  const auto [cycle, tile] = *queue_.begin();
  queue_.erase(queue_.begin());
  busy_ = true;
  packet_.clear();
  return Grant{tile, std::max(free_, cycle + machine_.edge_latency) + machine_.edge_latency};
}

std::optional<PacketEdge::Response> PacketEdge::word(uint64_t cycle, uint32_t data, bool last) {
  packet_.push_back(data);
  if (!last) return std::nullopt;
  // From the tile's port the word needs one cycle less than edge_latency: the count starts at the memory read.
  const uint64_t at_host = cycle + machine_.edge_latency - 1;
  busy_ = false;
  free_ = at_host;
  drained_ = std::max(drained_, at_host);
  return finish(at_host);
}

std::optional<PacketEdge::Response> PacketEdge::finish(uint64_t at_host) {
  const uint32_t kind = packet_[0] >> 28, count = packet_[0] & 0x3ff;
  if (bus_ == nullptr || packet_.size() < 2) return std::nullopt;
  const std::span<const uint32_t> payload = std::span<const uint32_t>(packet_).subspan(2);
  if (kind == kWriteHost && count == payload.size()) bus_->write(at_host, packet_[1], payload);
  if (kind != kReadHost || packet_.size() != 3 || count == 0 || count > kMaxPayload) return std::nullopt;

  Response response;
  response.tile = packet_[0] >> 17 & 0x7ff;
  if (response.tile >= machine_.tiles()) return std::nullopt;
  response.words.assign(count + 2, 0);
  response.words[0] = kReadResponse << 28 | response.tile << 17 | count;
  response.words[1] = packet_[2];
  const uint64_t arrival = bus_->read(at_host, packet_[1], std::span(response.words).subspan(2));
  const uint64_t start = std::max(arrival, down_free_);
  down_free_ = start + response.words.size();
  response.cycle = start + machine_.edge_latency;
  drained_ = std::max(drained_, response.cycle + response.words.size());
  return response;
}

}  // namespace tessera::chip
