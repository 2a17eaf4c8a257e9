#include "compiler/passes/phases/forward_copies.h"

#include <algorithm>
#include <optional>

#include "compiler/ir/span_map.h"
#include "compiler/passes/phases/port_loads.h"

namespace tessera::compiler {
namespace {

// Steps that one copy may read from, and pieces that a move may come to on average: bound the time, and the events.
constexpr std::size_t kMostOrigins = 8, kMostPieces = 2;

bool has_traffic(const ir::Blocks& blocks, const std::vector<ir::Move>& moves) {
  return std::any_of(moves.begin(), moves.end(),
                     [&](const ir::Move& m) { return blocks[m.source.block].tile != blocks[m.target.block].tile; });
}

class Forwarding {
 public:
  Forwarding(const ir::Program& program, std::span<const ir::Step> copies) : program_(program), copies_(copies) {}

  std::vector<NewMoves> run() {
    std::vector<NewMoves> changed;
    for (std::uint32_t n = 0; n < copies_.size(); ++n) {
      const std::vector<ir::Move>* moves = &program_.exchanges[copies_[n].index].moves;
      for (const ir::Move& m : *moves) written_.assign({m.target, m.bytes}, n);
      if (auto forwarded = forward(*moves, n)) {
        changed.push_back({n, std::move(*forwarded)});
        moves = &changed.back().moves;
      }
      final_.push_back(*moves);
      for (const ir::Move& m : *moves)
        origins_.assign({m.target, m.bytes},
                        {m.source.block, std::int64_t{m.source.offset} - std::int64_t{m.target.offset}, n});
    }
    return changed;
  }

 private:
  // Where bytes were copied from, by which step. A byte's offset there is its own and `distance`.
  struct Origin {
    ir::BlockId block = ir::kNone;
    std::int64_t distance = 0;
    std::uint32_t step = 0;
  };

  std::optional<std::vector<ir::Move>> forward(const std::vector<ir::Move>& moves, std::uint32_t n) {
    if (n == 0 || !has_traffic(program_.blocks, moves)) return std::nullopt;
    std::vector<ir::Move> result;
    std::vector<std::uint32_t> from;  // steps
    for (const ir::Move& m : moves) {
      std::uint32_t copied = 0;  // bytes of the move that steps before have written
      written_.look({m.source, m.bytes}, [&](const ir::Span& part, std::uint32_t step) {
        if (step < n) copied += part.bytes;
      });
      std::uint32_t next = m.source.offset;
      const auto add = [&](ir::Place source, std::uint32_t bytes) {
        if (bytes == 0) return;
        const ir::Place target{m.target.block, m.target.offset + (next - m.source.offset)};
        next += bytes;
        if (!result.empty()) {
          ir::Move& last = result.back();
          if (last.source.block == source.block && last.source.offset + last.bytes == source.offset &&
              last.target.block == target.block && last.target.offset + last.bytes == target.offset) {
            last.bytes += bytes;
            return;
          }
        }
        result.push_back({source, target, bytes});
      };
      bool possible = true;
      if (copied > 0)
        origins_.look({m.source, m.bytes}, [&](const ir::Span& part, const Origin& origin) {
          const ir::Place source{origin.block, static_cast<std::uint32_t>(part.at.offset + origin.distance)};
          possible =
              possible && unchanged({source, part.bytes}, origin.step, n) && same_chip(origin.block, m.source.block);
          add({m.source.block, next}, part.at.offset - next);
          add(source, part.bytes);
          copied -= part.bytes;
          if (from.empty() || from.back() != origin.step) from.push_back(origin.step);
        });
      if (!possible || copied > 0) return std::nullopt;
      add({m.source.block, next}, m.source.offset + m.bytes - next);
    }
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
    if (from.empty() || from.size() > kMostOrigins || result.size() > kMostPieces * moves.size()) return std::nullopt;
    if (!worth_it(moves, result, from)) return std::nullopt;
    std::erase_if(result, [](const ir::Move& m) { return m.source == m.target; });
    return result;
  }

  // What has come to a chip goes on from there: links have less room than ports.
  bool same_chip(ir::BlockId a, ir::BlockId b) const {
    return program_.chip_of(program_.blocks[a].tile) == program_.chip_of(program_.blocks[b].tile);
  }

  // Since step `since` nothing has written there, nor does step `n`.
  bool unchanged(const ir::Span& span, std::uint32_t since, std::uint32_t n) const {
    bool same = true;
    written_.look(span, [&](const ir::Span&, std::uint32_t step) { same = same && (step <= since || step > n); });
    return same;
  }

  std::uint64_t busiest(std::vector<ir::Move> moves) const {
    const auto tile = [&](const ir::Place& place) { return program_.blocks[place.block].tile; };
    std::erase_if(moves, [&](const ir::Move& m) { return tile(m.source) == tile(m.target); });
    return port_loads(program_.blocks, std::move(moves)).busiest();
  }

  bool worth_it(const std::vector<ir::Move>& before, const std::vector<ir::Move>& after,
                const std::vector<std::uint32_t>& from) {
    std::uint64_t apart = busiest(before);
    std::vector<ir::Move> together = after;
    bool phases = false;
    for (const std::uint32_t step : from) {
      const std::vector<ir::Move>& moves = final_[step];
      apart += busiest(moves);
      together.insert(together.end(), moves.begin(), moves.end());
      phases = phases || has_traffic(program_.blocks, moves);
    }
    return phases && busiest(std::move(together)) <= apart;
  }

  const ir::Program& program_;
  std::span<const ir::Step> copies_;
  std::vector<std::vector<ir::Move>> final_;  // moves of the steps so far
  ir::SpanMap<Origin> origins_;
  ir::SpanMap<std::uint32_t> written_;  // by which step last
};

}  // namespace

std::vector<NewMoves> forward_copies(const ir::Program& program, std::span<const ir::Step> copies) {
  return Forwarding(program, copies).run();
}

}  // namespace tessera::compiler
