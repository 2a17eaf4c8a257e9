#include "compiler/passes/phases/port_loads.h"

#include <algorithm>
#include <tuple>

namespace tessera::compiler {

std::uint64_t PortLoads::busiest() const {
  std::uint64_t most = 0;
  for (const auto* port : {&sent, &received})
    for (const auto& [tile, words] : *port) most = std::max(most, words);
  return most;
}

PortLoads port_loads(const ir::Blocks& blocks, std::vector<ir::Move> moves) {
  const auto tile = [&](const ir::Place& place) { return blocks[place.block].tile; };
  const auto source = [](const ir::Move& m) { return std::tuple(m.source.block, m.source.offset, m.bytes); };
  std::sort(moves.begin(), moves.end(), [&](const ir::Move& a, const ir::Move& b) {
    return std::tuple(source(a), tile(a.target)) < std::tuple(source(b), tile(b.target));
  });
  PortLoads loads;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const ir::Move& m = moves[i];
    const std::uint64_t words = ir::round_up(m.source.offset % 4 + m.bytes, 4) / 4;
    const bool again = i > 0 && source(moves[i - 1]) == source(m);
    if (!again) loads.sent[tile(m.source)] += words;
    if (!again || tile(moves[i - 1].target) != tile(m.target)) loads.received[tile(m.target)] += words;
  }
  return loads;
}

}  // namespace tessera::compiler
