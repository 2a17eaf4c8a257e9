#include "compiler/passes/plan_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "compiler/ir/text.h"
#include "compiler/passes/local_copy.h"
#include "compiler/passes/multicast_cuts.h"
#include "compiler/passes/out_of_tile_memory.h"

namespace tessera::compiler {
namespace {

// A pair of tiles with more pieces than this for each exchange that the phase was made of, of fewer bytes than that on
// average, gets one packed message.
constexpr std::size_t kManyPieces = 64, kManyPartialPieces = 4;
constexpr std::uint64_t kSmallPiece = 16;

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

class ExchangePlanner {
 public:
  ExchangePlanner(const ir::Exchange& exchange, ir::Blocks& blocks)
      : exchange_(exchange), blocks_(blocks), moves_(exchange.moves) {}

  ExchangePlan run() {
    take_local_moves();
    std::vector<ir::Move> all = moves_;
    sort_and_join();
    cuts_ = multicast_cuts(blocks_, moves_);
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
    // Beside copies that must come after the phase, or before it: not a third time on their own.
    std::vector<LocalCopy>& beside = after_.empty() ? before_ : after_;
    beside.insert(beside.end(), local_.begin(), local_.end());
    return {group_copies(std::move(before_), blocks_), group_copies(std::move(after_), blocks_), std::move(traffic_)};
  }

 private:
  std::uint32_t tile_of(const ir::Place& place) const { return blocks_[place.block].tile; }

  void take_local_moves() {
    std::erase_if(moves_, [&](const ir::Move& m) {
      if (tile_of(m.source) != tile_of(m.target)) return false;
      local_.push_back({m.source, m.target, m.bytes});
      return true;
    });
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

  static bool whole_words(const ir::Move& m) {
    return m.source.offset % 4 == 0 && m.target.offset % 4 == 0 && m.bytes % 4 == 0;
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
    return ir::add_block(blocks_, {.tile = tile, .bytes = bytes, .use = ir::BlockUse::kBuffer});
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
        before_.push_back({m.source, {transfer.from.block, offset}, m.bytes});
        offset += m.bytes;
      }
    }
    transfer.first_receiver = traffic_.receivers.size();
    transfer.receivers = end - begin;
    for (std::size_t i = begin; i < end; ++i) traffic_.receivers.push_back(plan_receiver(messages_[i], skew, bytes));
    traffic_.transfers.push_back(transfer);
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
      after_.push_back({{buffer, offset}, moves[i].target, moves[i].bytes});
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
      after_.push_back({arrived, repeat->target, repeat->bytes});
  }

  const ir::Exchange& exchange_;
  ir::Blocks& blocks_;
  std::vector<ir::Move> moves_;
  std::vector<ir::Place> cuts_;  // where sources must not be joined
  std::vector<Repeat> repeats_;
  std::vector<Message> messages_;
  std::vector<LocalCopy> local_, before_, after_;
  Traffic traffic_;
};

}  // namespace

ExchangePlan plan_exchange(const ir::Exchange& exchange, ir::Blocks& blocks) {
  return ExchangePlanner(exchange, blocks).run();
}

Plans plan_exchanges(const ir::Program& program, ir::Blocks& blocks) {
  Plans plans;
  plans.exchanges.reserve(program.exchanges.size());
  for (const ir::Exchange& exchange : program.exchanges) plans.exchanges.push_back(plan_exchange(exchange, blocks));
  for (const ir::HostTransfer& transfer : program.host_transfers) {
    std::vector<LocalCopy> copies;
    for (const ir::Move& move : transfer.after) copies.push_back({move.source, move.target, move.bytes});
    plans.host_after.push_back(group_copies(std::move(copies), blocks));
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
    copies("after", plan.after);
  }
  for (std::size_t i = 0; i < plans.host_after.size(); ++i) {
    if (!plans.host_after[i].copies.empty()) text += fmt::format("after host transfer {}\n", i);
    copies("after", plans.host_after[i]);
  }
  return text;
}

}  // namespace tessera::compiler
