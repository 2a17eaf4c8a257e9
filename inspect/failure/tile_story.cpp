#include "inspect/failure/tile_story.h"

#include "inspect/frozen_view.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::failure {

TileStory::TileStory(Run& run, unsigned tile, uint64_t from, uint64_t to)
    : tile_(tile), from_(from), tracker_(run.program(), run.chip().machine().tiles()) {
  {
    FrozenView view(run, from);
    registers_.fill(view, tile);
    for (unsigned n = 1; n < 32; ++n) supervisor_[n] = view.x(tile, 0, n);
  }
  run.go_to(from);
  run.replay(to, this);
}

void TileStory::retire(unsigned tile, const chip::Retire& r) {
  if (tile != tile_ || r.cycle < from_) return;
  Deed deed{r, nullptr, {}};
  const bool left = tracker_.retire(tile, r) == trace::VertexTracker::Change::kLeft;
  if (!left) deed.vertex = tracker_.running(tile, r.context).vertex;
  unsigned n = 0;
  for (const auto& read : registers_.reads(r)) {
    if (n < deed.reads.size()) deed.reads[n++] = {read.address, read.bytes};
  }
  registers_.apply(r);
  if (r.context == 0) {
    if (spec::decode(r.instruction) == spec::Opcode::Xarm) armed_ = supervisor_[spec::rs1_of(r.instruction)];
    if (r.reg_write && !r.reg_float) supervisor_[r.reg] = static_cast<uint32_t>(r.reg_data);
    if (r.base_write && !r.base_float) supervisor_[r.base] = static_cast<uint32_t>(r.base_data);
  }
  deeds_.push_back(deed);
}

void TileStory::port_write(unsigned tile, const chip::PortWrite& w) {
  if (tile != tile_) return;
  unsigned source = w.half ? last_sources_[w.address >> 2 & 1] : last_source_;
  if (w.packet) source = chip::kNoTile;
  arrivals_.push_back({w.cycle, w.address & ~3u, w.data, w.packet, w.packet ? 0 : last_received_, source, w.half});
}

void TileStory::received(unsigned tile, uint64_t cycle, unsigned source, uint32_t) {
  if (tile == tile_) last_received_ = cycle, last_source_ = last_sources_[(source & spec::kUpperOfPair) != 0] = source;
}

void TileStory::exchanging(unsigned tile, uint64_t cycle, bool on) {
  if (tile != tile_) return;
  if (on)
    sendings_.push_back({armed_, cycle});
  else if (!sendings_.empty())
    sendings_.back().end = cycle;
}

}  // namespace tessera::inspect::failure
