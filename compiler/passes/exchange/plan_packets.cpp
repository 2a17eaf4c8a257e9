#include "compiler/passes/exchange/plan_packets.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "compiler/passes/memory/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kBorrowed = 8;  // bytes before the payload that header and address take the place of

// A pair of tiles with more pieces than this for each exchange that the phase was made of, of fewer bytes than that on
// average, gets one packed message: a packet takes longer than the copies.
constexpr std::size_t kManyInPackets = 4;
constexpr std::uint64_t kSmallInPackets = 32;

class PacketPlanner {
 public:
  PacketPlanner(const ir::Exchange& exchange, ir::Blocks& blocks, std::uint32_t tiles)
      : exchange_(exchange), blocks_(blocks), tiles_(tiles), moves_(exchange.moves), receives_(tiles) {}

  PacketPlan run() {
    sort_and_join();
    for (const ir::Move& m : moves_) receives_[tile_of(m.target)] = true;
    for (std::size_t i = 0; i < moves_.size();) {
      std::size_t end = i;
      std::uint64_t bytes = 0;
      for (; end < moves_.size() && tile_of(moves_[end].source) == tile_of(moves_[i].source) &&
             tile_of(moves_[end].target) == tile_of(moves_[i].target);
           ++end)
        bytes += moves_[end].bytes;
      if (end - i > exchange_.parts * kManyInPackets && bytes / (end - i) < kSmallInPackets) {
        pack(i, end, bytes);
        i = end;
      }
      for (; i < end; ++i) send(moves_[i]);
    }
    cut_into_rounds();
    return std::move(plan_);
  }

 private:
  std::uint32_t tile_of(const ir::Place& place) const { return blocks_[place.block].tile; }

  // By sender; each begins with the tile that follows its own, so that not all send to one at a time.
  void sort_and_join() {
    const auto key = [&](const ir::Move& m) {
      const std::uint32_t source = tile_of(m.source), target = tile_of(m.target);
      return std::tuple(source, (target + tiles_ - source) % tiles_, m.source.block, m.source.offset, m.target.block,
                        m.target.offset);
    };
    std::sort(moves_.begin(), moves_.end(), [&](const ir::Move& a, const ir::Move& b) { return key(a) < key(b); });
    std::vector<ir::Move> joined;
    for (const ir::Move& m : moves_) {
      if (m.bytes == 0) continue;
      ir::Move* last = joined.empty() ? nullptr : &joined.back();
      if (last != nullptr && last->source.block == m.source.block && last->target.block == m.target.block &&
          last->source.offset + last->bytes == m.source.offset && last->target.offset + last->bytes == m.target.offset)
        last->bytes += m.bytes;
      else
        joined.push_back(m);
    }
    moves_ = std::move(joined);
  }

  std::uint32_t buffer_bytes(std::uint64_t wanted, std::uint32_t tile) const {
    return tile_bytes(wanted, tile, [&] { return "buffers of '" + exchange_.name + "'"; });
  }
  ir::BlockId staging(std::uint32_t tile, std::uint64_t wanted) {
    return ir::add_block(blocks_, {.tile = tile, .bytes = buffer_bytes(wanted, tile), .use = ir::BlockUse::kBuffer});
  }

  void send(const ir::Move& m) {
    const std::uint32_t skew = m.source.offset % 4;  // bytes before the move in its first word
    const auto words = static_cast<std::uint32_t>(ir::round_up(skew + m.bytes, 4) / 4);
    const bool to_end = m.target.offset + m.bytes == blocks_[m.target.block].bytes;
    ir::Place to = m.target;
    if (skew != 0 || m.target.offset % 4 != 0 || (m.bytes % 4 != 0 && !to_end)) {
      to = {staging(tile_of(m.target), std::uint64_t{4} * words), 0};
      plan_.after.push_back({{to.block, skew}, m.target, m.bytes});
    }
    const ir::Place from{m.source.block, m.source.offset - skew};
    if (receives_[tile_of(from)]) {
      const std::vector<ir::Place> slots = make_slots(tile_of(from), to, words);
      copy_to(slots, 0, from, std::min(4 * words, blocks_[from.block].bytes - from.offset));
    } else {
      cut(from, to, words);
    }
  }

  // Moves [first, last), of one tile to another, as one message of `bytes` bytes.
  void pack(std::size_t first, std::size_t last, std::uint64_t bytes) {
    const std::uint64_t whole = ir::round_up(bytes, 4);
    const std::uint32_t source = tile_of(moves_[first].source);
    const ir::Place to{staging(tile_of(moves_[first].target), whole), 0};
    const auto words = static_cast<std::uint32_t>(whole / 4);
    std::vector<ir::Place> slots;
    ir::Place from{};
    if (receives_[source])
      slots = make_slots(source, to, words);
    else
      from = {staging(source, kBorrowed + whole), kBorrowed};
    std::uint32_t offset = 0;
    for (std::size_t i = first; i < last; ++i) {
      const ir::Move& m = moves_[i];
      if (receives_[source])
        copy_to(slots, offset, m.source, m.bytes);
      else
        plan_.before.push_back({m.source, {from.block, from.offset + offset}, m.bytes});
      plan_.after.push_back({{to.block, offset}, m.target, m.bytes});
      offset += m.bytes;
    }
    if (!receives_[source]) cut(from, to, words);
  }

  void cut(const ir::Place& from, const ir::Place& to, std::uint32_t words) {
    for (std::uint32_t done = 0; done < words; done += kMostTilePacketWords)
      packets_.push_back({{from.block, from.offset + 4 * done},
                          {to.block, to.offset + 4 * done},
                          std::min(kMostTilePacketWords, words - done)});
  }

  // Room in the tile's buffer for the packets of a message, each behind the two words that it borrows: where the
  // payloads are.
  std::vector<ir::Place> make_slots(std::uint32_t tile, const ir::Place& to, std::uint32_t words) {
    const auto [known, fresh] = slots_.try_emplace(tile, ir::kNone);
    if (fresh) known->second = staging(tile, 0);
    const ir::BlockId buffer = known->second;
    std::vector<ir::Place> slots;
    for (std::uint32_t done = 0; done < words; done += kMostTilePacketWords) {
      const std::uint32_t some = std::min(kMostTilePacketWords, words - done);
      slots.push_back({buffer, blocks_[buffer].bytes + kBorrowed});
      blocks_[buffer].bytes = buffer_bytes(blocks_[buffer].bytes + kBorrowed + ir::round_up(4 * some, 8), tile);
      packets_.push_back({slots.back(), {to.block, to.offset + 4 * done}, some});
    }
    return slots;
  }

  // `bytes` bytes to those of the message from `offset` on.
  void copy_to(const std::vector<ir::Place>& slots, std::uint32_t offset, ir::Place from, std::uint32_t bytes) {
    constexpr std::uint32_t kSlot = 4 * kMostTilePacketWords;
    while (bytes > 0) {
      const ir::Place& slot = slots[offset / kSlot];
      const std::uint32_t some = std::min(bytes, kSlot - offset % kSlot);
      plan_.before.push_back({from, {slot.block, slot.offset + offset % kSlot}, some});
      from.offset += some;
      offset += some;
      bytes -= some;
    }
  }

  void cut_into_rounds() {
    std::vector<std::uint32_t> round(tiles_), awaited(tiles_);  // of the last packet for each tile
    std::vector<std::uint32_t> of_packet;
    for (const Packet& packet : packets_) {
      const std::uint32_t tile = tile_of(packet.to);
      if (awaited[tile] + packet.words > kMostAwaited) ++round[tile], awaited[tile] = 0;
      awaited[tile] += packet.words;
      of_packet.push_back(round[tile]);
    }
    const std::uint32_t rounds = of_packet.empty() ? 0 : 1 + *std::max_element(of_packet.begin(), of_packet.end());
    for (std::uint32_t n = 0; n < rounds; ++n) {
      std::vector<Packet> packets;
      for (std::size_t i = 0; i < packets_.size(); ++i)
        if (of_packet[i] == n) packets.push_back(packets_[i]);
      for (std::uint32_t copy = 0; copy < copies(); ++copy) {
        plan_.rounds.push_back(made(packets));
        plan_.rounds.back().copy = copy;
      }
    }
  }

  PacketRound made(const std::vector<Packet>& packets) const {
    PacketRound round;
    round.packets = packets;
    round.of_tile = ir::TileIndex::of(packets.size(), [&](std::size_t i) { return tile_of(packets[i].from); });
    std::vector<std::uint32_t> awaited(tiles_);
    for (const Packet& packet : packets) awaited[tile_of(packet.to)] += packet.words;
    for (std::uint32_t tile = 0; tile < tiles_; ++tile)
      if (awaited[tile] != 0) round.awaited.add(tile, awaited[tile]);
    return round;
  }

  // How often all is sent: as often as the replica does that most get from.
  std::uint32_t copies() const {
    if (exchange_.from.empty()) return 1;
    std::uint32_t most = 0;
    for (std::uint32_t replica = 0; replica < exchange_.from.size(); ++replica) {
      std::uint32_t receivers = 0;
      while (receiver_of(exchange_, replica, receivers)) ++receivers;
      most = std::max(most, receivers);
    }
    return most;
  }

  const ir::Exchange& exchange_;
  ir::Blocks& blocks_;
  std::uint32_t tiles_;
  std::vector<ir::Move> moves_;
  std::vector<bool> receives_;                  // by tile
  std::map<std::uint32_t, ir::BlockId> slots_;  // by tile that receives: the packets that it makes before it sends
  std::vector<Packet> packets_;
  PacketPlan plan_;
};

}  // namespace

PacketPlan plan_packets(const ir::Exchange& exchange, ir::Blocks& blocks, std::uint32_t tiles) {
  return PacketPlanner(exchange, blocks, tiles).run();
}

bool gets_packets(const std::vector<PacketRound>& rounds, std::uint32_t tile) {
  return std::any_of(rounds.begin(), rounds.end(),
                     [&](const PacketRound& round) { return round.awaited.find(tile) != nullptr; });
}

std::optional<std::uint32_t> receiver_of(const ir::Exchange& exchange, std::uint32_t replica, std::uint32_t copy) {
  for (std::uint32_t receiver = 0; receiver < exchange.from.size(); ++receiver) {
    if (receiver == replica || exchange.from[receiver] != replica) continue;
    if (copy-- == 0) return receiver;
  }
  return std::nullopt;
}

bool awaits(const ir::Exchange& exchange, std::uint32_t replica, std::uint32_t copy) {
  return receiver_of(exchange, exchange.from[replica], copy) == replica;
}

}  // namespace tessera::compiler
