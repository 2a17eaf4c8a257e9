#include "surroundings_of_tile.h"

#include <utility>

#include "rtl/spec/words.h"

namespace tessera::test {
namespace {
constexpr uint32_t kLostWord = 600;  // one word in so many does not come
constexpr size_t kWay = 10;          // from a selection to its word on the input, in row 0
constexpr uint64_t kStray = 13;      // an acknowledgement of another zone comes in one cycle of so many
}  // namespace

chip::TileInputs TileSurroundings::inputs(uint64_t cycle, const chip::TileOutputs& shown) {
  chip::TileInputs in;
  in.cycle = cycle;
  answer_sync(shown, in);
  answer_packet(shown, in);
  selects_.push_back(shown.exchange_select);
  if (selects_.size() > kWay) {
    if (selects_.front() != chip::kNoTile) {
      in.exchange_valid = !random_.one_in(kLostWord);
      in.exchange_data = random_.word();
    }
    selects_.pop_front();
  }
  if (std::exchange(paired_, shown.paired)) {
    in.pair_valid = !random_.one_in(kLostWord);
    in.pair_data = random_.word();
  }
  return in;
}

void TileSurroundings::answer_sync(const chip::TileOutputs& shown, chip::TileInputs& in) {
  if (!shown.sync_request) {
    sync_pending_ = false;
    return;
  }
  if (!sync_pending_) {
    sync_pending_ = true;
    sync_delay_ = random_.below(24);
  }
  using spec::SyncZone;
  const bool internal = shown.sync_zone == SyncZone::kInternal || shown.sync_zone == SyncZone::kAutomatic;
  if (sync_delay_-- != 0) {
    if (in.cycle % kStray != 0) return;
    in.sync_ack = in.sync_consensus = true;
    in.sync_ack_zone = internal ? SyncZone::kExternal : SyncZone::kInternal;
    return;
  }
  in.sync_ack = true;
  in.sync_ack_zone = internal ? static_cast<uint8_t>(SyncZone::kInternal) : shown.sync_zone;
  in.sync_consensus = random_.one_in(2);
  in.sync_mark = static_cast<uint16_t>(1 + random_.below(0xffff));
}

void TileSurroundings::answer_packet(const chip::TileOutputs& shown, chip::TileInputs& in) {
  if (shown.packet_request) {
    if (!grant_pending_) {
      grant_pending_ = true;
      grant_delay_ = random_.below(16);
    }
    in.packet_grant = grant_delay_-- == 0;
    if (in.packet_grant) packet_.clear();
  } else {
    grant_pending_ = false;
  }
  if (shown.packet_valid) {
    packet_.push_back(shown.packet_data);
    if (shown.packet_last) send_response(packet_);
  }
  if (response_.empty()) return;
  if (response_delay_ != 0) {
    --response_delay_;
    return;
  }
  in.packet_valid = true;
  in.packet_first = response_first_;
  in.packet_data = response_.front();
  response_first_ = false;
  response_.pop_front();
}

void TileSurroundings::send_response(const std::vector<uint32_t>& request) {
  if (request.size() != 3) return;
  const auto [words, chip, tile, kind] = spec::PacketHeader::decode(request[0]);
  if (kind != spec::PacketKind::kReadHost) return;
  response_ = {spec::PacketHeader{.words = words, .tile = tile_, .kind = spec::PacketKind::kResponse}.encode(),
               request[2]};
  for (uint32_t n = 0; n < words; ++n) response_.push_back(random_.word());
  response_delay_ = random_.below(20);
  response_first_ = true;
}

void TileSurroundings::restart() {
  sync_pending_ = grant_pending_ = false;
  selects_.clear();
  paired_ = false;
  packet_.clear();
  response_.clear();
}

}  // namespace tessera::test
