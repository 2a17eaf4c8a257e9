#include "compiler/ir/program.h"

namespace tessera::ir {

bool Lane::stays_inside() const {
  for (std::uint32_t sender = 0; sender < to.size(); ++sender)
    if (to[sender] != sender) return false;
  return true;
}

bool Lane::keeps_some() const {
  if (most_target_shift() > 0) return true;
  if (stays_inside()) return false;
  for (std::uint32_t sender = 0; sender < to.size(); ++sender)
    if (to[sender] == sender) return true;  // so there is one that nobody sends to
  return false;
}

Span read_by(const Exchange& exchange, const Move& move) {
  return {move.source, move.bytes + (move.lane == kNone ? 0 : exchange.lanes[move.lane].most_source_shift())};
}

Span written_by(const Exchange& exchange, const Move& move) {
  return {move.target, move.bytes + (move.lane == kNone ? 0 : exchange.lanes[move.lane].most_target_shift())};
}

bool keeps_some(const Exchange& exchange, const Move& move) {
  return move.lane != kNone && exchange.lanes[move.lane].keeps_some();
}

}  // namespace tessera::ir
