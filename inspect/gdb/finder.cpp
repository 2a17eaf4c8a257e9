#include "inspect/gdb/finder.h"

#include <algorithm>
#include <bit>

#include "inspect/gdb/thread_ids.h"
#include "inspect/gdb/view.h"
#include "rtl/spec/instructions.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

// Memory looked at on one tile is learnt on all that have conditions, when they are few: stacks and variables lie at
// the same places.
constexpr long kTilesLearntTogether = 32;
constexpr size_t kMostBlocks = 256;

}  // namespace

void CodePoints::set(const std::set<uint32_t>& pcs) {
  *this = {};
  if (pcs.empty()) return;
  first_ = *pcs.begin();
  words_ = (*pcs.rbegin() - first_) / 4 + 1;
  bits_.assign(words_ / 64 + 1, 0);
  for (const uint32_t pc : pcs) bits_[(pc - first_) / 256] |= uint64_t{1} << ((pc - first_) / 4 % 64);
}

void Finder::begin(Search search, Target& target, uint64_t start) {
  search_ = std::move(search);
  found_.reset();
  tiles_.clear();
  tiles_.resize(target.tiles());
  std::set<unsigned> registers;
  for (const auto& [id, stops] : search_.stops)
    if (search_.only.empty() || std::ranges::any_of(search_.only, [&](Thread thread) { return thread.tile == id; }))
      prepare(id, tiles_.at(id), stops, registers);
  for (const StepWish& wish : search_.steps) {
    tiles_.at(wish.thread.tile).wanted = true;
    tiles_[wish.thread.tile].steps.push_back({wish});
  }
  learn(target, start, registers);
  target.go_to(start);
  busy_ = true;
}

// A breakpoint whose conditions are false in all contexts of the tile, as `$xtile == 3` on all others, is none there.
void Finder::prepare(unsigned id, Tile& tile, const TileStops& stops, std::set<unsigned>& registers) {
  tile.reads = stops.reads_watched();
  tile.stops = &stops;
  std::set<uint32_t> pcs;
  for (const auto* breaks : {&stops.breaks, &stops.hardware_breaks})
    for (const auto& [pc, conditions] : *breaks) {
      bool possible = false, depends = false;
      for (unsigned context = 0; context < kContextsOfTile; ++context) {
        PassingExpressionState constants(nullptr, {id, context});
        const Verdict verdict = evaluate(conditions, constants);
        possible |= verdict != Verdict::kFalse;
        depends |= verdict == Verdict::kUnknown;
      }
      if (possible) pcs.insert(pc);
      if (!depends) continue;
      if (!tile.state) tile.state = std::make_unique<PassingState>();
      for (const std::string& code : conditions)
        for (const unsigned number : registers_of(code)) registers.insert(number);
    }
  tile.pcs.set(pcs);
  tile.wanted = !pcs.empty() || !stops.watches.empty();
}

void Finder::learn(Target& target, uint64_t start, const std::set<unsigned>& registers) {
  std::optional<View> view;
  const auto here = [&]() -> View& { return view ? *view : view.emplace(target, start); };
  for (unsigned id = 0; id < tiles_.size(); ++id) {
    Tile& tile = tiles_[id];
    if (tile.reads) tile.registers.fill(here().chip(id), target.of(id).tile);
    if (!tile.state) continue;
    for (unsigned context = 0; context < kContextsOfTile; ++context)
      for (const unsigned number : registers) tile.state->learn_register(here(), {id, context}, number);
  }
  for (const auto& [id, block] : blocks_)
    if (tiles_.at(id).state) tiles_[id].state->learn_block(here(), id, block);
}

void Finder::look_at(unsigned tile, const std::set<uint32_t>& blocks) {
  const auto same =
      std::count_if(tiles_.begin(), tiles_.end(), [](const Tile& other) { return other.state != nullptr; });
  if (blocks_.size() > kMostBlocks) blocks_.clear();
  for (const uint32_t block : blocks)
    for (unsigned id = 0; id < tiles_.size(); ++id)
      if (id == tile || (tiles_[id].state && same <= kTilesLearntTogether)) blocks_.emplace(id, block);
}

void Finder::pass_by(Target& target) {
  Search search = std::move(search_);
  search.floor = found_->key;
  begin(std::move(search), target, std::clamp(found_->key.cycle(), target.oldest(), target.frontier()));
  for (Tile& tile : tiles_)
    for (Step& step : tile.steps) step.begun = true;
}

void Finder::end() {
  busy_ = false;
  found_.reset();
  tiles_.clear();
}

void Finder::begin_anew() {
  found_.reset();
  search_.floor = {};
  search_.ahead.clear();
  search_.from = 0;
  for (Tile& tile : tiles_) {
    tile.registers = {};
    if (tile.state) tile.state->forget();
  }
}

bool Finder::holds(const Found& f, ExpressionState& state) const {
  const TileStops* stops = tiles_.at(f.thread.tile).stops;
  if (stops == nullptr) return true;
  for (const auto* breaks : {&stops->breaks, &stops->hardware_breaks})
    if (const auto at = breaks->find(f.address); at != breaks->end() && evaluate(at->second, state) != Verdict::kFalse)
      return true;
  return false;
}

bool Finder::eligible(const Found& f) const {
  if (!search_.only.empty() && !search_.only.contains(f.thread)) return false;
  const auto own = search_.ahead.find(f.thread);
  const Key mine = own == search_.ahead.end() ? search_.floor : own->second;
  return search_.backwards ? f.key < std::min(search_.floor, mine) : f.key > std::max(search_.floor, mine);
}

bool Finder::better(const Found& f) const {
  return eligible(f) && (!found_ || (search_.backwards ? f.key > found_->key : f.key < found_->key));
}

bool Finder::is_better(const Found& f) {
  const std::lock_guard alone(finding_);
  return better(f);
}

void Finder::note(const Found& f) {
  const std::lock_guard alone(finding_);
  if (better(f)) found_ = f;
}

// A breakpoint is met: both kinds may be there.
void Finder::meet(unsigned id, const Tile& tile, const chip::Retire& r) {
  for (const StopKind kind : {StopKind::kHardwareBreak, StopKind::kBreak}) {
    const auto& breaks = kind == StopKind::kBreak ? tile.stops->breaks : tile.stops->hardware_breaks;
    const auto at = breaks.find(r.pc);
    Found f{kind, Key::before(r.cycle, id), {id, r.context}, r.pc};
    if (at == breaks.end() || !is_better(f)) continue;
    PassingExpressionState state(tile.state.get(), f.thread);
    state.at(r.pc, r.cycle);
    const Verdict verdict = evaluate(at->second, state);
    f.undecided = verdict == Verdict::kUnknown;
    if (verdict != Verdict::kFalse) note(f);
  }
}

void Finder::watch(unsigned tile, unsigned context, uint64_t cycle, uint32_t address, uint32_t bytes, bool write) {
  for (const Watch& w : tiles_[tile].stops->watches) {
    if (!(write ? w.writes : w.reads) || !names::Span{address, bytes}.meets(w.address, w.bytes)) continue;
    const StopKind kind = w.reads && w.writes ? StopKind::kAccess : w.reads ? StopKind::kRead : StopKind::kWrite;
    note({kind, Key::after(cycle, tile), {tile, context}, w.address});
  }
}

void Finder::follow(Step& step, unsigned tile, const chip::Retire& r) {
  if (r.context != step.wish.thread.context) return;
  if (search_.backwards) return note({StopKind::kStep, Key::before(r.cycle, tile), step.wish.thread});
  if (r.cycle < search_.from) return;
  if (step.wish.range && step.begun && (r.pc < step.wish.begin || r.pc >= step.wish.end))
    return note({StopKind::kStep, Key::before(r.cycle, tile), step.wish.thread});
  step.begun = true;
  if (r.context != 0 && spec::decode(r.instruction) == spec::Opcode::Exit)
    note({StopKind::kExit, Key::after(r.cycle, tile), step.wish.thread});
  else if (!step.wish.range)
    note({StopKind::kStep, Key::after(r.cycle, tile), step.wish.thread});
}

void Finder::retire(unsigned id, const chip::Retire& r) {
  if (!busy_) return;
  Tile& tile = tiles_[id];
  for (Step& step : tile.steps) follow(step, id, r);
  if (tile.stops == nullptr) return;
  if (tile.pcs.contains(r.pc)) meet(id, tile, r);
  if (tile.state) tile.state->apply(r);
  if (tile.stops->watches.empty()) return;
  if (tile.reads) {
    for (const names::Span& range : tile.registers.reads(r))
      if (range.bytes != 0) watch(id, r.context, r.cycle, range.address, range.bytes, false);
    tile.registers.apply(r);
  }
  if (!r.mem_write || r.mem_strobe == 0) return;
  const auto first = static_cast<uint32_t>(std::countr_zero(r.mem_strobe));
  const auto length = static_cast<uint32_t>(std::bit_width(r.mem_strobe)) - first;
  watch(id, r.context, r.cycle, r.mem_address + first, length, true);
}

void Finder::port_write(unsigned id, const chip::PortWrite& w) {
  if (!busy_ || tiles_[id].stops == nullptr) return;
  watch(id, 0, w.cycle, w.address, 4, true);
  if (tiles_[id].state) tiles_[id].state->apply(w);
}

void Finder::debug_written(unsigned id, uint64_t, chip::DebugSpace, unsigned, uint32_t, uint32_t) {
  if (!busy_) return;
  for (unsigned tile = 0; tile < tiles_.size(); ++tile)
    if ((id == chip::kNoTile || id == tile) && tiles_[tile].state) tiles_[tile].state->forget();
}

void Finder::loaded(unsigned id, uint64_t, uint32_t, std::span<const uint32_t>) {
  if (busy_ && tiles_.at(id).state) tiles_[id].state->forget();
}

}  // namespace tessera::inspect::gdb
