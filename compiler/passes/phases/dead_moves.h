// Finds moves whose bytes nobody reads before they are written again. Part of merge_phases().
#pragma once

#include <vector>

#include "compiler/ir/accesses.h"
#include "compiler/ir/span_map.h"

namespace tessera::compiler {

// Goes through steps from the last to the first. What lies where the last one ends counts as read, but for buffers
// that no step of the program reads.
class DeadMoves {
 public:
  // `unread(block)`: whether it is such a buffer.
  template <class Unread>
  std::vector<bool> dead(const std::vector<ir::Move>& moves, const Unread& unread) const {
    std::vector<bool> result;
    for (const ir::Move& m : moves) {
      std::uint32_t overwritten = 0;
      overwritten_.look({m.target, m.bytes},
                        [&](const ir::Span& part, bool is) { overwritten += is ? part.bytes : 0; });
      result.push_back(overwritten == m.bytes || unread(m.target.block));
    }
    return result;
  }

  // `relevant(block)`: blocks for which it matters.
  template <class Relevant>
  void before(const ir::Accesses& step, const Relevant& relevant) {
    for (const ir::Span& span : step.writes)
      if (relevant(span.at.block)) overwritten_.assign(span, true);
    for (const ir::Span& span : step.reads)
      if (relevant(span.at.block)) overwritten_.assign(span, false);
  }

 private:
  ir::SpanMap<bool> overwritten_;  // before it is read
};

}  // namespace tessera::compiler
