#include "inspect/trace/traffic.h"

#include "inspect/trace/touches.h"

namespace tessera::inspect::trace {

// All of cycle_ has come.
void Traffic::until(uint64_t cycle) {
  if (cycle <= cycle_) return;
  tell_tiles();
  const auto tell = [&](uint64_t at, uint64_t words) {
    if (words == told_words_now_) return;
    sink_({chip::kNoTile, at, "exchange words", "a cycle", words});
    told_words_now_ = words;
  };
  tell(cycle_, words_now_);
  if (cycle > cycle_ + 1) tell(cycle_ + 1, 0);
  words_now_ = 0;
  cycle_ = cycle;
}

void Traffic::tell_tiles() {
  for (auto& [id, tile] : tiles_) {
    if (!tile.changed) continue;
    tile.changed = false;
    if (tile.workers != tile.told_workers) sink_({id, cycle_, "workers", "in vertices", tile.workers});
    if (tile.words.sent != tile.told_words.sent) sink_({id, cycle_, "exchange words", "sent", tile.words.sent});
    if (tile.words.received != tile.told_words.received)
      sink_({id, cycle_, "exchange words", "received", tile.words.received});
    tile.told_workers = tile.workers;
    tile.told_words = tile.words;
  }
}

void Traffic::end_superstep(uint64_t next) {
  for (auto& [id, tile] : tiles_) {
    if (!tile.told_bytes || !(*tile.told_bytes == tile.bytes)) {
      sink_({id, superstep_begin_, "memory bytes of a superstep", "read", tile.bytes.read});
      sink_({id, superstep_begin_, "memory bytes of a superstep", "written", tile.bytes.written});
    }
    tile.told_bytes = tile.bytes;
    tile.bytes = {};
  }
  superstep_begin_ = next;
}

void Traffic::add(const Event& e) {
  until(e.cycle);
  const auto each = [&](const auto& change) {
    if (e.tile != chip::kNoTile) change(tiles_[e.tile]);
    change(tiles_[chip::kNoTile]);
  };
  switch (e.kind) {
    case EventKind::kEntered:
      if (e.context != 0) each([](Tile& tile) { ++tile.workers, tile.changed = true; });
      return;
    case EventKind::kLeft:
      if (e.context != 0) each([](Tile& tile) { tile.workers -= tile.workers > 0, tile.changed = true; });
      return;
    case EventKind::kSent:
      ++tiles_[e.tile].words.sent;
      return;
    case EventKind::kReceived:
      ++tiles_[e.tile].words.received;
      ++words_now_;
      return;
    case EventKind::kExchanging:
      if (!e.flag) tiles_[e.tile].changed = true;
      return;
    case EventKind::kSuperstep:
      for (auto& [id, tile] : tiles_) tile.changed = true;
      return end_superstep(e.cycle + 1);
    case EventKind::kRetire:
    case EventKind::kExchangeWrite:
    case EventKind::kPacketWrite:
      for (const Touch& t : touches(e))
        each([&](Tile& tile) { (t.write ? tile.bytes.written : tile.bytes.read) += t.bytes; });
      return;
    default:
      return;
  }
}

void Traffic::end(uint64_t cycle) {
  for (auto& [id, tile] : tiles_) tile.changed = true;
  until(cycle);
  end_superstep(cycle);
}

}  // namespace tessera::inspect::trace
