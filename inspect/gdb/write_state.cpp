// Navigator::write: what a user changes of a stopped tile.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "inspect/gdb/navigator.h"
#include "rtl/spec/numbers.h"

namespace tessera::inspect::gdb {
namespace {

using chip::DebugSpace;

// More than a held tile takes to end what it does.
constexpr unsigned kDrain = 10'000;

// A cycle; whether the tile has settled.
bool pass_cycle(Target& target, unsigned tile) { return target.change(tile, DebugSpace::kInteger, 0, 0, 0); }  // x0

void change(Target& target, unsigned tile, const TileWrite& w) {
  for (unsigned n = 0; n < kDrain; ++n)
    if (target.change(tile, w.space, w.context, w.address, w.data)) return;
  const Target::OnChip at = target.of(tile);
  throw std::runtime_error(at.place.tile(at.tile) + " takes no change for " + std::to_string(kDrain) +
                           " cycles although it is held: its exchange or a packet goes on");
}

bool rests(const chip::TileWait& wait) {
  return wait.active_workers == 0 && wait.state != "computing" && wait.state != "exchanging";
}

}  // namespace

void Navigator::write(Target& target, unsigned tile, const std::vector<TileWrite>& writes) {
  // Written while instructions are under way, a register could be overwritten by an older one: a tile that computes is
  // held from exactly here, until the run goes on.
  const bool already = std::find(held_.begin(), held_.end(), tile) != held_.end();
  const bool hold = !already && view(target).exception(tile).cause == 0 && !rests(view(target).wait(tile));
  view_.reset();
  Run& run = target.of(tile).run;
  const uint64_t here = Target::within(run, position_);
  const bool at_edge = here == run.oldest() || here == run.frontier();
  run.go_to(hold && !at_edge ? here - 1 : here);
  if (hold) {
    target.change(tile, DebugSpace::kControl, spec::kAllContexts, spec::DebugControl::kHalt, 0);
    held_.push_back(tile);
    for (unsigned n = 0; n < kDrain && !pass_cycle(target, tile); ++n) continue;
  }
  try {
    for (const TileWrite& w : writes) change(target, tile, w);
  } catch (const std::runtime_error&) {
    moved(run);  // time has passed all the same
    throw;
  }
  pass_cycle(target, tile);  // a view of the frontier may begin one cycle before it
  moved(run);
}

void Navigator::release(Target& target) {
  if (held_.empty()) return;
  view_.reset();
  for (const unsigned tile : std::exchange(held_, {})) {
    Run& run = target.of(tile).run;
    run.go_to(run.frontier());
    target.change(tile, DebugSpace::kControl, spec::kAllContexts, spec::DebugControl::kResume, 0);
    moved(run);
  }
}

void Navigator::moved(const Run& run) {
  history_.forget();
  position_ = run.position();
  floor_ = position_ == 0 ? Key{} : Key{2 * position_ - 1, ~0u};
  ahead_.clear();
  undo_.reset();
  reverse_floor_.reset();
}

}  // namespace tessera::inspect::gdb
