#include "compiler/passes/exchange/plan_packets.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "compiler/passes/memory/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

// To send from where the words stand takes elements of memory of their own: only for as much as this, of few blocks.
constexpr std::uint64_t kWorthElements = 1024;  // bytes
constexpr std::size_t kMostApart = 64;          // pairs of blocks

// A pair of tiles with more pieces than this for each exchange that the phase was made of, of fewer bytes than that on
// average, gets one packed message: a packet takes longer than the copies.
constexpr std::size_t kManyInPackets = 4;
constexpr std::uint64_t kSmallInPackets = 32;

class PacketPlanner {
 public:
  PacketPlanner(const ir::Exchange& exchange, ir::Blocks& blocks, std::uint32_t tiles)
      : exchange_(exchange), blocks_(blocks), tiles_(tiles), moves_(exchange.moves), makes_(tiles) {}

  PacketPlan run(bool send_in_place) {
    sort_and_join();
    std::erase_if(moves_, [&](const ir::Move& m) { return copied_inside(m); });
    choose_makers(send_in_place);
    for (std::size_t i = 0; i < moves_.size();) {
      std::size_t end = i;
      std::uint64_t bytes = 0;
      for (; end < moves_.size() && tile_of(moves_[end].source) == tile_of(moves_[i].source) &&
             tile_of(moves_[end].target) == tile_of(moves_[i].target) && moves_[end].lane == moves_[i].lane;
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

  // Tiles that get packets, but those that can keep what they send apart from what comes.
  void choose_makers(bool send_in_place) {
    struct Traffic {
      std::set<ir::BlockId> sources, targets;
      std::uint64_t sent = 0;
      bool in_place = true;  // all that comes
    };
    std::map<std::uint32_t, Traffic> by_tile;
    for (const ir::Move& m : moves_) {
      Traffic &from = by_tile[tile_of(m.source)], &to = by_tile[tile_of(m.target)];
      from.sources.insert(m.source.block);
      from.sent += m.bytes;
      from.in_place = from.in_place && m.bytes >= kSmallInPackets;
      to.targets.insert(m.target.block);
      to.in_place = to.in_place && lands_in_place(m) && m.bytes >= kSmallInPackets;
    }
    for (const auto& [tile, traffic] : by_tile) {
      if (traffic.targets.empty()) continue;
      std::vector<ir::BlockId> both;
      std::ranges::set_intersection(traffic.sources, traffic.targets, std::back_inserter(both));
      makes_[tile] = !send_in_place || traffic.sent < kWorthElements || !traffic.in_place || !both.empty() ||
                     traffic.sources.size() * traffic.targets.size() > kMostApart;
      if (makes_[tile]) {
        plan_.makers.push_back(tile);
        continue;
      }
      for (const ir::BlockId source : traffic.sources)
        for (const ir::BlockId target : traffic.targets) plan_.apart.push_back({source, target});
    }
  }

  // Whole words, not in a buffer first.
  bool lands_in_place(const ir::Move& m) const {
    const bool to_end = target_lane(m) == ir::kNone && m.target.offset + m.bytes == blocks_[m.target.block].bytes;
    return m.source.offset % 4 == 0 && m.target.offset % 4 == 0 && (m.bytes % 4 == 0 || to_end);
  }

  // What each replica copies to itself, after the packets have come.
  bool copied_inside(const ir::Move& m) {
    if (m.lane == ir::kNone || !exchange_.lanes[m.lane].stays_inside()) return false;
    plan_.after.push_back({.source = m.source,
                           .target = m.target,
                           .bytes = m.bytes,
                           .source_lane = source_lane(m),
                           .target_lane = target_lane(m)});
    return true;
  }

  // By sender; each begins with the tile that follows its own, so that not all send to one at a time.
  void sort_and_join() {
    const auto key = [&](const ir::Move& m) {
      const std::uint32_t source = tile_of(m.source), target = tile_of(m.target);
      return std::tuple(source, (target + tiles_ - source) % tiles_, m.lane, m.source.block, m.source.offset,
                        m.target.block, m.target.offset);
    };
    std::sort(moves_.begin(), moves_.end(), [&](const ir::Move& a, const ir::Move& b) { return key(a) < key(b); });
    std::vector<ir::Move> joined;
    for (const ir::Move& m : moves_) {
      if (m.bytes == 0) continue;
      ir::Move* last = joined.empty() ? nullptr : &joined.back();
      if (last != nullptr && last->lane == m.lane && last->source.block == m.source.block &&
          last->target.block == m.target.block && last->source.offset + last->bytes == m.source.offset &&
          last->target.offset + last->bytes == m.target.offset)
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

  // The lane, where it shifts that end of its moves.
  std::uint32_t if_shifted(std::uint32_t lane, std::uint32_t (ir::Lane::*most)() const) const {
    return lane != ir::kNone && (exchange_.lanes[lane].*most)() > 0 ? lane : ir::kNone;
  }
  std::uint32_t source_lane(const ir::Move& m) const { return if_shifted(m.lane, &ir::Lane::most_source_shift); }
  std::uint32_t target_lane(const ir::Move& m) const { return if_shifted(m.lane, &ir::Lane::most_target_shift); }

  void put_in_place(const ir::Place& from, const ir::Move& m) {
    plan_.after.push_back({.source = from, .target = m.target, .bytes = m.bytes, .target_lane = target_lane(m)});
  }

  void send(const ir::Move& m) {
    const std::uint32_t skew = m.source.offset % 4;  // bytes before the move in its first word
    const auto words = static_cast<std::uint32_t>(ir::round_up(skew + m.bytes, 4) / 4);
    Message message{.from = {m.source.block, m.source.offset - skew}, .to = m.target, .words = words, .lane = m.lane};
    message.shifts_from = source_lane(m) != ir::kNone;
    message.shifts_to = target_lane(m) != ir::kNone;
    if (!lands_in_place(m)) {
      message.to = {staging(tile_of(m.target), std::uint64_t{4} * words), 0};
      message.shifts_to = false;
      put_in_place({message.to.block, skew}, m);
    }
    if (makes_[tile_of(m.source)]) {
      // Up to the end of the words, where they are all the block's: words are copied faster.
      const std::uint32_t bytes = message.shifts_from
                                      ? skew + m.bytes
                                      : std::min(4 * words, blocks_[m.source.block].bytes - message.from.offset);
      const ir::Place from = message.from;
      const std::vector<ir::Place> slots = make_slots(tile_of(m.source), message);
      copy_to(slots, 0, {from, {}, bytes, m.lane}, source_lane(m));
    } else {
      cut(message);
    }
  }

  // Moves [first, last), of one tile to another, as one message of `bytes` bytes.
  void pack(std::size_t first, std::size_t last, std::uint64_t bytes) {
    const std::uint64_t whole = ir::round_up(bytes, 4);
    const std::uint32_t source = tile_of(moves_[first].source);
    Message message{.from = {},
                    .to = {staging(tile_of(moves_[first].target), whole), 0},
                    .words = static_cast<std::uint32_t>(whole / 4),
                    .lane = moves_[first].lane};
    std::vector<ir::Place> slots;
    if (makes_[source])
      slots = make_slots(source, message);
    else
      message.from = {staging(source, kBorrowed + whole), kBorrowed};
    std::uint32_t offset = 0;
    for (std::size_t i = first; i < last; ++i) {
      const ir::Move& m = moves_[i];
      if (makes_[source])
        copy_to(slots, offset, m, source_lane(m));
      else
        plan_.before.push_back({.source = m.source,
                                .target = {message.from.block, message.from.offset + offset},
                                .bytes = m.bytes,
                                .source_lane = source_lane(m)});
      put_in_place({message.to.block, offset}, m);
      offset += m.bytes;
    }
    if (!makes_[source]) cut(message);
  }

  // What goes from one tile to another, in order.
  using Message = Packet;

  void cut(const Message& message) {
    for (std::uint32_t done = 0; done < message.words; done += kMostTilePacketWords)
      add(message, {message.from.block, message.from.offset + 4 * done}, done);
  }
  // The packet of a message that begins with word `done`.
  void add(const Message& message, const ir::Place& from, std::uint32_t done) {
    Packet packet = message;
    packet.from = from;
    packet.to.offset += 4 * done;
    packet.words = std::min(kMostTilePacketWords, message.words - done);
    packets_.push_back(packet);
  }

  // Room in the tile's buffer for the packets of a message, each behind the two words that it borrows: where the
  // payloads are.
  std::vector<ir::Place> make_slots(std::uint32_t tile, Message message) {
    const auto [known, fresh] = slots_.try_emplace(tile, ir::kNone);
    if (fresh) known->second = staging(tile, 0);
    const ir::BlockId buffer = known->second;
    message.shifts_from = false;
    std::vector<ir::Place> slots;
    for (std::uint32_t done = 0; done < message.words; done += kMostTilePacketWords) {
      const std::uint32_t some = std::min(kMostTilePacketWords, message.words - done);
      slots.push_back({buffer, blocks_[buffer].bytes + kBorrowed});
      blocks_[buffer].bytes = buffer_bytes(blocks_[buffer].bytes + kBorrowed + ir::round_up(4 * some, 8), tile);
      add(message, slots.back(), done);
    }
    return slots;
  }

  // What a move is of to the bytes of the message from `offset` on.
  void copy_to(const std::vector<ir::Place>& slots, std::uint32_t offset, const ir::Move& move, std::uint32_t lane) {
    constexpr std::uint32_t kSlot = 4 * kMostTilePacketWords;
    ir::Place from = move.source;
    for (std::uint32_t left = move.bytes; left > 0;) {
      const ir::Place& slot = slots[offset / kSlot];
      const std::uint32_t some = std::min(left, kSlot - offset % kSlot);
      plan_.before.push_back(
          {.source = from, .target = {slot.block, slot.offset + offset % kSlot}, .bytes = some, .source_lane = lane});
      from.offset += some;
      offset += some;
      left -= some;
    }
  }

  // Packets of a tile on several lanes go in turn, so that all links have something to do.
  void take_turns() {
    if (exchange_.lanes.size() < 2) return;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sent;  // by tile and lane
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Packet>> order;    // tile, how many of the lane before it
    for (const Packet& packet : packets_) {
      const std::uint32_t tile = tile_of(packet.from);
      order.emplace_back(tile, sent[{tile, packet.lane}]++, packet);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b));
    });
    for (std::size_t i = 0; i < order.size(); ++i) packets_[i] = std::get<2>(order[i]);
  }

  void cut_into_rounds() {
    take_turns();
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
      plan_.rounds.push_back(made(packets));
    }
  }

  PacketRound made(const std::vector<Packet>& packets) const {
    PacketRound round;
    round.packets = packets;
    round.of_tile = ir::TileIndex::of(packets.size(), [&](std::size_t i) { return tile_of(packets[i].from); });
    const std::size_t replicas = exchange_.lanes.empty() ? 1 : exchange_.lanes[0].to.size();
    std::vector<std::vector<std::uint32_t>> awaited(tiles_);
    for (const Packet& packet : packets) {
      std::vector<std::uint32_t>& words = awaited[tile_of(packet.to)];
      words.resize(replicas);
      for (std::uint32_t sender = 0; sender < replicas; ++sender) {
        const std::uint32_t to = packet.lane == ir::kNone ? sender : exchange_.lanes[packet.lane].to[sender];
        if (packet.lane == ir::kNone || to != sender) words[to] += packet.words;
      }
    }
    for (std::uint32_t tile = 0; tile < tiles_; ++tile) {
      std::vector<std::uint32_t>& words = awaited[tile];
      if (words.empty()) continue;
      if (std::ranges::adjacent_find(words, std::ranges::not_equal_to{}) == words.end()) words.resize(1);
      round.awaited.add(tile, std::move(words));
    }
    return round;
  }

  const ir::Exchange& exchange_;
  ir::Blocks& blocks_;
  std::uint32_t tiles_;
  std::vector<ir::Move> moves_;
  std::vector<bool> makes_;                     // by tile: its packets, before it sends them
  std::map<std::uint32_t, ir::BlockId> slots_;  // by such a tile
  std::vector<Packet> packets_;
  PacketPlan plan_;
};

}  // namespace

PacketPlan plan_packets(const ir::Exchange& exchange, ir::Blocks& blocks, std::uint32_t tiles, bool send_in_place) {
  return PacketPlanner(exchange, blocks, tiles).run(send_in_place);
}

}  // namespace tessera::compiler
