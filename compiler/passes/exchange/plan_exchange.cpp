#include "compiler/passes/exchange/plan_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>

#include "compiler/ir/text.h"
#include "compiler/parallel/parallel.h"
#include "compiler/passes/exchange/group_by_tile.h"
#include "compiler/passes/exchange/local_copy.h"
#include "compiler/passes/exchange/multicast_cuts.h"
#include "compiler/passes/memory/out_of_tile_memory.h"
#include "compiler/passes/new_blocks.h"

namespace tessera::compiler {
namespace {

// A pair of tiles with more pieces than this for each exchange that the phase was made of, of fewer bytes than that on
// average, gets one packed message.
constexpr std::size_t kManyPieces = 64, kManyPartialPieces = 4;
constexpr std::uint64_t kSmallPiece = 16;

// Words of a tile that are worth an exchange of its own with itself: a compute phase of copies takes longer.
constexpr std::uint64_t kWordsOfCopies = 128;

// What goes from one tile to another at one time: pieces [first, first + pieces) of the sorted moves.
struct Message {
  std::uint32_t source, target;  // tiles
  std::size_t first, pieces;
};

// The first bytes of a move that the same tile needs in another place too.
struct Repeat {
  std::size_t move;  // repeats are sorted by it
  ir::Place target;
  std::uint32_t bytes;
};

bool whole_words(const ir::Move& m) { return m.source.offset % 4 == 0 && m.target.offset % 4 == 0 && m.bytes % 4 == 0; }

// Words that a move alone would send.
std::uint64_t words_of(const ir::Move& m) { return ir::round_up(m.source.offset % 4 + m.bytes, 4) / 4; }

// What the moves of some source tiles come to.
struct PartPlan {
  NewBlocks blocks;  // staging
  std::vector<LocalCopy> before{}, after{};
  Traffic traffic{};
};

// Plans all moves of some source tiles that are exchanged.
class PartPlanner {
 public:
  // `most_received`: words by the tile that receives the most in the whole exchange; none: these are all its moves.
  PartPlanner(const ir::Exchange& exchange, std::vector<ir::Move> moves, std::optional<std::uint64_t> most_received,
              const ir::Blocks& blocks)
      : exchange_(exchange),
        blocks_(blocks),
        moves_(std::move(moves)),
        most_received_(most_received),
        plan_{NewBlocks(blocks.size())} {}

  PartPlan run() {
    std::vector<ir::Move> all;
    if (may_send_most()) all = moves_;
    sort_and_join();
    if (!all.empty()) cuts_ = multicast_cuts(blocks_, moves_, most_received_);
    if (!cuts_.empty()) {
      moves_ = cut_moves(all, cuts_);
      repeats_.clear();
      sort_and_join();
    }
    make_messages();
    for (std::size_t i = 0; i < messages_.size();) {
      std::size_t end = i + 1;
      while (end < messages_.size() && compare_sources(messages_[i], messages_[end]) == 0) ++end;
      plan_messages(i, end);
      i = end;
    }
    return std::move(plan_);
  }

 private:
  std::uint32_t tile_of(const ir::Place& place) const { return blocks_[place.block].tile; }

  // Whether some tile sends more than any receives, before what is sent twice is found.
  bool may_send_most() const {
    const std::uint64_t most = most_received_.value_or(0);
    std::uint64_t words = 0;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (i > 0 && tile_of(moves_[i].source) != tile_of(moves_[i - 1].source)) words = 0;
      words += words_of(moves_[i]);
      if (words > most) return true;
    }
    return false;
  }

  // Sorted by source tile, target tile, source place. Moves that continue each other become one; a source that goes to
  // one tile several times is sent once and copied there.
  void sort_and_join() {
    const auto key = [&](const ir::Move& m) {
      return std::tuple(tile_of(m.source), tile_of(m.target), m.source.block, m.source.offset, m.bytes, m.target.block,
                        m.target.offset);
    };
    std::sort(moves_.begin(), moves_.end(), [&](const ir::Move& a, const ir::Move& b) { return key(a) < key(b); });
    std::vector<ir::Move> joined;
    joined.reserve(moves_.size());
    for (const ir::Move& m : moves_) {
      if (!joined.empty()) {
        ir::Move& last = joined.back();
        if (last.source == m.source && last.bytes == m.bytes && tile_of(last.target) == tile_of(m.target)) {
          repeats_.push_back({joined.size() - 1, m.target, m.bytes});
          continue;
        }
        // Repeats of `last` stay right: they are of its first bytes.
        if (last.source.block == m.source.block && last.target.block == m.target.block &&
            last.source.offset + last.bytes == m.source.offset && last.target.offset + last.bytes == m.target.offset &&
            !is_cut(m.source)) {
          last.bytes += m.bytes;
          continue;
        }
      }
      joined.push_back(m);
    }
    moves_ = std::move(joined);
  }

  bool is_cut(const ir::Place& place) const {
    return std::binary_search(cuts_.begin(), cuts_.end(), place, [](const ir::Place& a, const ir::Place& b) {
      return std::tie(a.block, a.offset) < std::tie(b.block, b.offset);
    });
  }

  void make_messages() {
    for (std::size_t i = 0; i < moves_.size();) {
      const std::uint32_t source = tile_of(moves_[i].source), target = tile_of(moves_[i].target);
      std::size_t end = i;
      std::uint64_t bytes = 0;
      bool words = true;
      for (; end < moves_.size() && tile_of(moves_[end].source) == source && tile_of(moves_[end].target) == target;
           ++end) {
        bytes += moves_[end].bytes;
        words = words && whole_words(moves_[end]);
      }
      const std::size_t many = exchange_.parts * (words ? kManyPieces : kManyPartialPieces);
      const bool pack = end - i > many && bytes / (end - i) < kSmallPiece;
      if (pack) messages_.push_back({source, target, i, end - i});
      for (; i < end; ++i)
        if (!pack) messages_.push_back({source, target, i, 1});
    }
    std::stable_sort(messages_.begin(), messages_.end(),
                     [&](const Message& a, const Message& b) { return compare_sources(a, b) < 0; });
  }

  // Orders messages so that those that carry the same bytes stand together.
  int compare_sources(const Message& a, const Message& b) const {
    if (a.source != b.source) return a.source < b.source ? -1 : 1;
    if (a.pieces != b.pieces) return a.pieces < b.pieces ? -1 : 1;
    for (std::size_t i = 0; i < a.pieces; ++i) {
      const ir::Move &x = moves_[a.first + i], &y = moves_[b.first + i];
      const auto kx = std::tuple(x.source.block, x.source.offset, x.bytes);
      const auto ky = std::tuple(y.source.block, y.source.offset, y.bytes);
      if (kx != ky) return kx < ky ? -1 : 1;
    }
    return 0;
  }

  ir::BlockId staging(std::uint32_t tile, std::uint64_t wanted) {
    const std::uint32_t bytes = tile_bytes(wanted, tile, [&] { return "buffers of '" + exchange_.name + "'"; });
    return plan_.blocks.add({.tile = tile, .bytes = bytes, .use = ir::BlockUse::kBuffer});
  }

  // Messages [begin, end) carry the same bytes: one transfer.
  void plan_messages(std::size_t begin, std::size_t end) {
    const Message& model = messages_[begin];
    Transfer transfer{.source = model.source};
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < model.pieces; ++i) bytes += moves_[model.first + i].bytes;
    const ir::Place first = moves_[model.first].source;
    const std::uint32_t skew = model.pieces == 1 ? first.offset % 4 : 0;  // bytes before the message in its first word
    transfer.words = ir::round_up(skew + bytes, 4) / 4;
    transfer.from = {first.block, first.offset - skew};
    if (model.pieces > 1) {
      transfer.from = {staging(model.source, ir::round_up(skew + bytes, 4)), 0};
      std::uint32_t offset = 0;
      for (std::size_t i = 0; i < model.pieces; ++i) {
        const ir::Move& m = moves_[model.first + i];
        plan_.before.push_back({m.source, {transfer.from.block, offset}, m.bytes});
        offset += m.bytes;
      }
    }
    transfer.first_receiver = plan_.traffic.receivers.size();
    transfer.receivers = end - begin;
    for (std::size_t i = begin; i < end; ++i)
      plan_.traffic.receivers.push_back(plan_receiver(messages_[i], skew, bytes));
    plan_.traffic.transfers.push_back(transfer);
  }

  Receiver plan_receiver(const Message& message, std::uint32_t skew, std::uint64_t bytes) {
    const ir::Move* moves = &moves_[message.first];
    bool contiguous = true;
    for (std::size_t i = 1; i < message.pieces; ++i)
      contiguous = contiguous && moves[i].target.block == moves[i - 1].target.block &&
                   moves[i].target.offset == moves[i - 1].target.offset + moves[i - 1].bytes;
    const ir::Place target = moves[0].target;
    const bool to_end = target.offset + bytes == blocks_[target.block].bytes;
    if (contiguous && skew == 0 && target.offset % 4 == 0 && (bytes % 4 == 0 || to_end)) {
      for (std::size_t i = 0; i < message.pieces; ++i) copy_repeats(message.first + i, moves[i].target);
      return {message.target, target};
    }
    const ir::BlockId buffer = staging(message.target, ir::round_up(skew + bytes, 4));
    std::uint32_t offset = skew;
    for (std::size_t i = 0; i < message.pieces; ++i) {
      plan_.after.push_back({{buffer, offset}, moves[i].target, moves[i].bytes});
      copy_repeats(message.first + i, {buffer, offset});
      offset += moves[i].bytes;
    }
    return {message.target, {buffer, 0}};
  }

  // `arrived`: where the exchange itself puts the move's bytes.
  void copy_repeats(std::size_t move, const ir::Place& arrived) {
    auto repeat = std::lower_bound(repeats_.begin(), repeats_.end(), move,
                                   [](const Repeat& r, std::size_t wanted) { return r.move < wanted; });
    for (; repeat != repeats_.end() && repeat->move == move; ++repeat)
      plan_.after.push_back({arrived, repeat->target, repeat->bytes});
  }

  const ir::Exchange& exchange_;
  const ir::Blocks& blocks_;
  std::vector<ir::Move> moves_;
  std::optional<std::uint64_t> most_received_;
  std::vector<ir::Place> cuts_;  // where sources must not be joined
  std::vector<Repeat> repeats_;
  std::vector<Message> messages_;
  PartPlan plan_;
};

// Whether what stays on its tile is exchanged with the rest. That takes cycles of the tiles that it is on; copies take
// a compute phase, which all tiles wait for, so it is all or nothing.
bool exchanges_all(const std::vector<ir::Move>& moves, const ir::Blocks& blocks, std::uint32_t tiles) {
  std::vector<std::uint64_t> kept(tiles), sent(tiles), received(tiles);
  std::uint64_t most = 0;  // words that a tile receives of others: no exchange is shorter
  for (const ir::Move& m : moves) {
    const std::uint32_t source = blocks[m.source.block].tile, target = blocks[m.target.block].tile;
    if (source != target) {
      sent[source] += words_of(m);
      most = std::max(most, received[target] += words_of(m));
    } else if (whole_words(m)) {
      kept[source] += words_of(m);
    } else {
      return false;
    }
  }
  if (most == 0) return false;
  for (std::uint32_t tile = 0; tile < tiles; ++tile)
    if (kept[tile] > kWordsOfCopies && kept[tile] + std::max(sent[tile], received[tile]) > most) return false;
  return true;
}

// The moves of an exchange, sorted out.
struct SortedMoves {
  std::vector<LocalCopy> local{};
  std::vector<std::uint32_t> sent{};             // numbers of moves, by source tile
  std::vector<std::size_t> ends{};               // of parts of `sent`, each all moves of some tiles
  std::optional<std::uint64_t> most_received{};  // words, by one tile, at most; none: there is one part
};

SortedMoves sort_by_source(const std::vector<ir::Move>& moves, const ir::Blocks& blocks, std::uint32_t tiles,
                           unsigned threads) {
  constexpr std::size_t kLeast = 4096;  // moves of a part, but for the last
  SortedMoves sorted;
  const auto on_one_tile = [&](const ir::Move& m) {
    return blocks[m.source.block].tile == blocks[m.target.block].tile;
  };
  const bool copies = std::any_of(moves.begin(), moves.end(), on_one_tile) && !exchanges_all(moves, blocks, tiles);
  const auto stays = [&](const ir::Move& m) { return copies && on_one_tile(m); };
  const bool in_parts = moves.size() > kLeast;
  // Each part of the moves by itself: what stays on its tile, and the words that each tile receives.
  struct Sorted {
    std::vector<LocalCopy> local{};
    std::vector<std::uint64_t> received{};
  };
  const Parts parts{moves.size(), 262'144};
  std::vector<Sorted> of_part(parts.count());
  parallel(threads, parts.count(), [&](std::size_t part) {
    Sorted& some = of_part[part];
    if (in_parts) some.received.resize(tiles);
    for (std::size_t i = parts.begin(part); i < parts.end(part); ++i) {
      const ir::Move& m = moves[i];
      if (stays(m))
        some.local.push_back({m.source, m.target, m.bytes});
      else if (in_parts)
        some.received[blocks[m.target.block].tile] += words_of(m);
    }
  });
  std::vector<std::uint64_t> received(in_parts ? tiles : 0);
  for (const Sorted& some : of_part) {
    sorted.local.insert(sorted.local.end(), some.local.begin(), some.local.end());
    for (std::uint32_t tile = 0; tile < received.size(); ++tile) received[tile] += some.received[tile];
  }
  ByTile sent(moves.size(), tiles, threads,
              [&](std::size_t i) { return stays(moves[i]) ? ir::kNone : blocks[moves[i].source.block].tile; });
  std::size_t last = 0, end = 0;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    end += sent[tile].size();
    if (end - last >= kLeast || (tile + 1 == tiles && end > last)) sorted.ends.push_back(last = end);
  }
  if (sorted.ends.size() > 1) sorted.most_received = *std::max_element(received.begin(), received.end());
  sorted.sent = sent.take();
  return sorted;
}

std::vector<ir::Move> part_of(const ir::Exchange& exchange, const SortedMoves& moves, std::size_t part) {
  std::vector<ir::Move> result;
  const std::size_t begin = part == 0 ? 0 : moves.ends[part - 1];
  result.reserve(moves.ends[part] - begin);
  for (std::size_t i = begin; i < moves.ends[part]; ++i) result.push_back(exchange.moves[moves.sent[i]]);
  return result;
}

// Puts the parts of an exchange together.
ExchangePlan join(SortedMoves& moves, std::span<PartPlan> parts, ir::Blocks& blocks, std::uint32_t tiles,
                  unsigned threads) {
  struct Shift {
    BlockShift moved;
    std::size_t transfers, receivers;  // of the parts before
  };
  std::vector<Shift> shifts;
  std::size_t transfers = 0, receivers = 0;
  for (const PartPlan& part : parts) {
    shifts.push_back({part.blocks.join(blocks), transfers, receivers});
    transfers += part.traffic.transfers.size();
    receivers += part.traffic.receivers.size();
  }
  Traffic traffic;
  traffic.transfers.resize(transfers);
  traffic.receivers.resize(receivers);
  std::vector<std::vector<LocalCopy>> before(parts.size()), after(parts.size());
  parallel(threads, parts.size(), [&](std::size_t i) {
    const auto& [moved, first_transfer, first_receiver] = shifts[i];
    for (std::size_t t = 0; t < parts[i].traffic.transfers.size(); ++t) {
      Transfer& transfer = traffic.transfers[first_transfer + t] = parts[i].traffic.transfers[t];
      transfer.from = moved(transfer.from);
      transfer.first_receiver += static_cast<std::uint32_t>(first_receiver);
    }
    for (std::size_t r = 0; r < parts[i].traffic.receivers.size(); ++r) {
      const Receiver& receiver = parts[i].traffic.receivers[r];
      traffic.receivers[first_receiver + r] = {receiver.tile, moved(receiver.to)};
    }
    before[i] = std::move(parts[i].before);
    after[i] = std::move(parts[i].after);
    for (std::vector<LocalCopy>* copies : {&before[i], &after[i]})
      for (LocalCopy& copy : *copies) {
        copy.source = moved(copy.source);
        copy.target = moved(copy.target);
      }
  });
  // Beside copies that must come after the phase, or before it: not a third time on their own.
  const bool some_after = std::any_of(after.begin(), after.end(), [](const auto& copies) { return !copies.empty(); });
  (some_after ? after : before).push_back(std::move(moves.local));
  return {group_copies(before, blocks, tiles, threads),
          group_copies(after, blocks, tiles, threads),
          std::move(traffic),
          {}};
}

// `packets`: by exchange, whether others plan it.
std::vector<ExchangePlan> plan(std::span<const ir::Exchange> exchanges, const std::vector<bool>& packets,
                               ir::Blocks& blocks, unsigned threads) {
  constexpr std::size_t kBig = 100'000;  // moves, whose sorting is worth threads of its own
  std::uint32_t tiles = 0;
  for (const ir::Block& block : blocks) tiles = std::max(tiles, block.tile + 1);
  std::vector<SortedMoves> moves(exchanges.size());
  const auto sort = [&](std::size_t i, unsigned with) {
    if (!packets[i]) moves[i] = sort_by_source(exchanges[i].moves, blocks, tiles, with);
  };
  const auto is_big = [&](std::size_t i) { return exchanges[i].moves.size() > kBig; };
  for (std::size_t i = 0; i < exchanges.size(); ++i)
    if (is_big(i)) sort(i, threads);
  parallel(threads, exchanges.size(), [&](std::size_t i) {
    if (!is_big(i)) sort(i, 1);
  });
  std::vector<std::pair<std::size_t, std::size_t>> parts;  // exchange, part of it
  for (std::size_t i = 0; i < exchanges.size(); ++i)
    for (std::size_t part = 0; part < moves[i].ends.size(); ++part) parts.push_back({i, part});
  std::vector<PartPlan> planned(parts.size(), {NewBlocks(blocks.size())});
  parallel(threads, parts.size(), [&](std::size_t i) {
    const auto [exchange, part] = parts[i];
    planned[i] = PartPlanner(exchanges[exchange], part_of(exchanges[exchange], moves[exchange], part),
                             moves[exchange].most_received, blocks)
                     .run();
  });
  std::vector<ExchangePlan> plans;
  plans.reserve(exchanges.size());
  std::span<PartPlan> left = planned;
  for (SortedMoves& of_exchange : moves) {
    const std::size_t count = of_exchange.ends.size();
    plans.push_back(join(of_exchange, left.first(count), blocks, tiles, threads));
    left = left.subspan(count);
  }
  return plans;
}

}  // namespace

ExchangePlan plan_exchange(const ir::Exchange& exchange, ir::Blocks& blocks) {
  return plan({&exchange, 1}, {false}, blocks, 1)[0];
}

Plans plan_exchanges(const ir::Program& program, ir::Blocks& blocks, unsigned threads, bool send_in_place) {
  std::vector<bool> packets(program.exchanges.size());
  for (const ir::Body& body : program.bodies)
    for (const ir::Step& step : body)
      if (step.kind == ir::StepKind::kPackets) packets[step.index] = true;
  Plans plans{.exchanges = plan(program.exchanges, packets, blocks, threads), .host_after = {}};
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (!packets[i]) continue;
    PacketPlan planned = plan_packets(program.exchanges[i], blocks, program.tiles, send_in_place);
    plans.exchanges[i] = {group_copies({&planned.before, 1}, blocks, program.tiles, threads),
                          group_copies({&planned.after, 1}, blocks, program.tiles, threads),
                          {},
                          std::move(planned.rounds),
                          std::move(planned.makers)};
    plans.apart.insert(plans.apart.end(), planned.apart.begin(), planned.apart.end());
  }
  for (const ir::HostTransfer& transfer : program.host_transfers) {
    std::vector<LocalCopy> copies;
    for (const ir::Move& move : transfer.after) copies.push_back({move.source, move.target, move.bytes});
    plans.host_after.push_back(group_copies({&copies, 1}, blocks, program.tiles, threads));
  }
  return plans;
}

std::string dump(const ir::Program& program, const Plans& plans, const ir::Blocks& blocks) {
  std::string text;
  const auto copies = [&](const char* title, const LocalCopies& list) {
    for (const LocalCopy& c : list.copies) {
      text +=
          fmt::format("  {} {} -> {} x {}", title, ir::print(c.source, blocks), ir::print(c.target, blocks), c.bytes);
      if (c.count > 1) text += fmt::format(", {} times by {} -> {}", c.count, c.source_step, c.target_step);
      text += "\n";
    }
  };
  for (std::size_t i = 0; i < plans.exchanges.size(); ++i) {
    const ExchangePlan& plan = plans.exchanges[i];
    text += fmt::format("exchange {} {}\n", i, program.exchanges[i].name);
    copies("before", plan.before);
    for (const Transfer& transfer : plan.traffic.transfers) {
      text += fmt::format("  send {} x {} to", ir::print(transfer.from, blocks), transfer.words);
      for (std::uint32_t r = transfer.first_receiver; r < transfer.first_receiver + transfer.receivers; ++r)
        text += " " + ir::print(plan.traffic.receivers[r].to, blocks);
      text += "\n";
    }
    for (std::size_t round = 0; round < plan.rounds.size(); ++round)
      for (const Packet& packet : plan.rounds[round].packets)
        text += fmt::format("  round {} packet {} -> {} x {}{}\n", round, ir::print(packet.from, blocks),
                            ir::print(packet.to, blocks), packet.words,
                            packet.lane == ir::kNone ? "" : fmt::format(" lane {}", packet.lane));
    copies("after", plan.after);
  }
  for (std::size_t i = 0; i < plans.host_after.size(); ++i) {
    if (!plans.host_after[i].copies.empty()) text += fmt::format("after host transfer {}\n", i);
    copies("after", plans.host_after[i]);
  }
  return text;
}

}  // namespace tessera::compiler
