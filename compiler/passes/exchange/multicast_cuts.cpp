#include "compiler/passes/exchange/multicast_cuts.h"

#include <algorithm>
#include <tuple>

#include "compiler/passes/phases/port_loads.h"

namespace tessera::compiler {
namespace {

// Bytes between cuts: an event takes 8 bytes of each tile that has a part in it.
constexpr std::uint32_t kLeastPart = 64;

bool before(const ir::Place& a, const ir::Place& b) {
  return std::tie(a.block, a.offset) < std::tie(b.block, b.offset);
}

// Ends of moves that are whole words, far enough from each other.
std::vector<ir::Place> possible_cuts(const std::vector<ir::Move>& moves) {
  std::vector<ir::Place> ends;
  for (const ir::Move& m : moves) {
    if ((m.source.offset | m.target.offset | m.bytes) % 4 != 0) continue;
    ends.push_back(m.source);
    ends.push_back({m.source.block, m.source.offset + m.bytes});
  }
  std::sort(ends.begin(), ends.end(), before);
  std::vector<ir::Place> cuts;
  for (const ir::Place& end : ends)
    if (cuts.empty() || cuts.back().block != end.block || end.offset - cuts.back().offset >= kLeastPart)
      cuts.push_back(end);
  return cuts;
}

}  // namespace

std::vector<ir::Place> multicast_cuts(const ir::Blocks& blocks, const std::vector<ir::Move>& moves,
                                      std::optional<std::uint64_t> most_received) {
  const PortLoads loads = port_loads(blocks, moves);
  if (!most_received) {
    most_received = 0;
    for (const auto& [tile, words] : loads.received) most_received = std::max(*most_received, words);
  }
  std::vector<ir::Move> of_busy;
  for (const ir::Move& m : moves)
    if (loads.sent.at(blocks[m.source.block].tile) > *most_received) of_busy.push_back(m);
  if (of_busy.empty()) return {};
  std::vector<ir::Place> cuts = possible_cuts(of_busy);
  const PortLoads cut = port_loads(blocks, cut_moves(of_busy, cuts));
  std::erase_if(cuts, [&](const ir::Place& at) {
    const std::uint32_t tile = blocks[at.block].tile;
    return cut.sent.at(tile) >= loads.sent.at(tile);
  });
  return cuts;
}

std::vector<ir::Move> cut_moves(const std::vector<ir::Move>& moves, const std::vector<ir::Place>& cuts) {
  std::vector<ir::Move> result;
  for (ir::Move rest : moves) {
    const bool words = (rest.source.offset | rest.target.offset | rest.bytes) % 4 == 0;
    auto cut = std::upper_bound(cuts.begin(), cuts.end(), rest.source, before);
    for (;
         words && cut != cuts.end() && cut->block == rest.source.block && cut->offset < rest.source.offset + rest.bytes;
         ++cut) {
      const std::uint32_t bytes = cut->offset - rest.source.offset;
      result.push_back({rest.source, rest.target, bytes});
      rest = {*cut, {rest.target.block, rest.target.offset + bytes}, rest.bytes - bytes};
    }
    result.push_back(rest);
  }
  return result;
}

}  // namespace tessera::compiler
