#include "inspect/gdb/hardware.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "inspect/pipeline.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::gdb {
namespace {

using chip::DebugSpace;
using chip::kNoTile;
using spec::DebugControl;
using spec::kAllContexts;

constexpr unsigned kContexts = 7, kBreakpoints = 2;
constexpr uint32_t kAllHeld = (1u << kContexts) - 1;
constexpr uint32_t kLeastWatched = 4, kMostWatched = 1u << 20;

void control(Run& run, unsigned tile, unsigned context, uint32_t number, uint32_t data = 0) {
  run.change(tile, DebugSpace::kControl, context, number, data);
}

std::set<uint32_t> code_of(const TileStops& stops) {
  std::set<uint32_t> all;
  for (const auto* some : {&stops.breaks, &stops.hardware_breaks})
    for (const auto& [pc, conditions] : *some) all.insert(pc);
  return all;
}

std::vector<uint32_t> breakpoint_words(const TileStops& stops) {
  std::vector<uint32_t> words;
  for (const uint32_t pc : code_of(stops))
    words.push_back(spec::Breakpoint{.enabled = true, .word_pc = pc / 4}.encode());
  words.resize(kBreakpoints);
  return words;
}

uint32_t watchpoint_word(const TileStops& stops) {
  if (stops.watches.empty()) return 0;
  const Watch& watch = *stops.watches.begin();
  const uint32_t bytes = std::max(watch.bytes, kLeastWatched);
  return spec::Watchpoint{.reads = watch.reads,
                          .writes = watch.writes,
                          .word_address = watch.address / 4,
                          .size = static_cast<uint32_t>(std::countr_zero(bytes))}
      .encode();
}

// The debug port of the chip as it stands, in a copy that is thrown away: what a host reads changes nothing.
class Look {
 public:
  explicit Look(Run& run) : run_(run), scratch_(run.scratch()) {}
  uint32_t control(unsigned tile, unsigned context, uint32_t number) {
    return run_.chip().debug_read(tile, DebugSpace::kControl, context, number);
  }

 private:
  Run& run_;
  std::unique_ptr<Run::Scratch> scratch_;
};

}  // namespace

std::string Hardware::refusal(const TileStops& stops) {
  if (code_of(stops).size() > kBreakpoints) return "a context of a tile has two hardware breakpoints, both are in use";
  for (const auto* some : {&stops.breaks, &stops.hardware_breaks})
    for (const auto& [pc, conditions] : *some)
      if (!conditions.empty()) return "hardware has no conditions (set breakpoint condition-evaluation host)";
  if (stops.watches.size() > 1) return "a context of a tile has one hardware watchpoint, which is in use";
  for (const Watch& watch : stops.watches) {
    const uint32_t bytes = std::max(watch.bytes, kLeastWatched);
    if (!std::has_single_bit(bytes) || bytes > kMostWatched || (watch.address & (bytes - 1) & ~3u) != 0)
      return "a hardware watchpoint covers 4, 8, 16, ... bytes at a multiple of as many";
  }
  return "";
}

void Hardware::arm(Run& run, const Stops& stops) {
  const auto change = [&](unsigned tile, const TileStops& was, const TileStops& now) {
    const auto old_words = breakpoint_words(was), words = breakpoint_words(now);
    for (unsigned n = 0; n < kBreakpoints; ++n)
      if (words[n] != old_words[n]) control(run, tile, kAllContexts, DebugControl::kBreakpoint0 + n, words[n]);
    if (const uint32_t word = watchpoint_word(now); word != watchpoint_word(was))
      control(run, tile, kAllContexts, DebugControl::kWatchpoint, word);
  };
  const TileStops none;
  if (std::exchange(anew_, false)) {
    armed_.clear();
    for (const uint32_t number : {DebugControl::kBreakpoint0, DebugControl::kBreakpoint1, DebugControl::kWatchpoint})
      control(run, kNoTile, kAllContexts, number);
  }
  for (const auto& [tile, was] : armed_)
    if (!stops.contains(tile)) change(tile, was, none);
  for (const auto& [tile, now] : stops) {
    const auto was = armed_.find(tile);
    change(tile, was == armed_.end() ? none : was->second, now);
  }
  armed_ = stops;
  for (const auto& [tile, now] : stops) touched_.insert(tile);
}

// After halt(). A resume ends an exception: a tile that has one keeps it.
void Hardware::resume_all(Run& run) {
  std::vector<unsigned> sound;
  const auto tiles = run.chip().machine().tiles();
  for (unsigned tile = 0; tile < tiles; ++tile)
    if (run.chip().exception(tile).cause == 0) sound.push_back(tile);
  if (sound.size() == tiles) return control(run, kNoTile, kAllContexts, DebugControl::kResume);
  for (const unsigned tile : sound) control(run, tile, kAllContexts, DebugControl::kResume);
}

void Hardware::go_on(Run& run) {
  if (std::exchange(all_held_, false)) {
    resume_all(run);
  } else {
    for (const unsigned tile : stood_) control(run, tile, kAllContexts, DebugControl::kResume);
  }
  stood_.clear();
}

void Hardware::resume(Run& run, const Stops& stops, const std::vector<StepWish>& steps) {
  run.go_to(run.frontier());
  arm(run, stops);
  steps_ = steps;
  alone_ = !steps.empty();
  if (steps.empty()) return go_on(run);
  for (const StepWish& wish : steps) {
    if (!stood_.contains(wish.thread.tile) && !all_held_)
      control(run, wish.thread.tile, kAllContexts, DebugControl::kHalt);
    stood_.insert(wish.thread.tile);
    control(run, wish.thread.tile, wish.thread.context, DebugControl::kStep);
  }
}

// The lowest tile that stands for what is wanted; `stale`: those that stand for what is not any more.
std::optional<Found> Hardware::met(Run& run, std::set<unsigned>& stale) {
  Look look(run);
  for (const unsigned tile : touched_) {
    if (stood_.contains(tile) || look.control(tile, 0, DebugControl::kHalt) != kAllHeld) continue;
    const auto triggered = spec::Triggered::decode(look.control(tile, 0, DebugControl::kTriggered));
    const auto armed = armed_.find(tile);
    for (unsigned context = 0; context < kContexts && armed != armed_.end(); ++context) {
      Found found;
      found.thread = {tile, context};
      found.key = Key::before(run.frontier(), tile);
      if (triggered.stands_behind >> context & 1 && !armed->second.watches.empty()) {
        const Watch& watch = *armed->second.watches.begin();
        found.kind = !watch.reads ? StopKind::kWrite : !watch.writes ? StopKind::kRead : StopKind::kAccess;
        found.address = watch.address;
        return found;
      }
      if (triggered.stands_before >> context & 1) {
        const uint32_t pc = look.control(tile, context, DebugControl::kPc);
        if (!code_of(armed->second).contains(pc)) continue;
        found.kind = armed->second.hardware_breaks.contains(pc) ? StopKind::kHardwareBreak : StopKind::kBreak;
        return found;
      }
    }
    stale.insert(tile);
  }
  return std::nullopt;
}

std::optional<Found> Hardware::arrived(Run& run, bool& goes_on) {
  goes_on = false;
  for (StepWish& wish : steps_) {
    const auto [tile, context] = wish.thread;
    uint32_t pc = 0;
    bool held = false;
    {
      Look look(run);
      held = look.control(tile, 0, DebugControl::kHalt) >> context & 1;
      pc = look.control(tile, context, DebugControl::kPc);
    }
    if (!held) continue;
    if (wish.range && pc >= wish.begin && pc < wish.end) {
      control(run, tile, context, DebugControl::kStep);
      goes_on = true;
      return std::nullopt;
    }
    stood_.insert(tile);
    steps_.clear();
    return Found{StopKind::kStep, Key::before(run.frontier(), tile), wish.thread};
  }
  if (!std::exchange(alone_, false)) {
    std::set<unsigned> stale;
    const auto found = met(run, stale);
    if (found) {
      stood_.insert(found->thread.tile);
      steps_.clear();
    } else {
      for (const unsigned tile : stale) control(run, tile, kAllContexts, DebugControl::kResume);
      goes_on = !stale.empty();
    }
    return found;
  }
  // A step that waits for what stands: that is let on, but for the stepping context.
  goes_on = true;
  std::set<unsigned> others = std::exchange(stood_, {});
  if (std::exchange(all_held_, false)) {
    const auto tiles = run.chip().machine().tiles();
    for (unsigned tile = 0; tile < tiles; ++tile)
      if (run.chip().exception(tile).cause == 0) others.insert(tile);
  }
  for (const unsigned tile : others)
    for (unsigned context = 0; context < kContexts; ++context)
      if (std::ranges::none_of(steps_, [&](const StepWish& wish) { return wish.thread == Thread{tile, context}; }))
        control(run, tile, context, DebugControl::kResume);
  return std::nullopt;
}

void Hardware::halt(Run& run) {
  run.go_to(run.frontier());
  control(run, kNoTile, kAllContexts, DebugControl::kHalt);
  all_held_ = true;
  for (unsigned cycle = 0; cycle < kToState; ++cycle) control(run, kNoTile, kAllContexts, DebugControl::kHalt);
  steps_.clear();
}

void Hardware::begin_anew() {
  stood_.clear();
  steps_.clear();
  all_held_ = alone_ = false;
  anew_ = true;
}

void Hardware::let_go(Run& run) {
  run.go_to(run.frontier());
  arm(run, {});
  steps_.clear();
  std::set<unsigned> stale;
  met(run, stale);
  stood_.insert(stale.begin(), stale.end());
  go_on(run);
}

}  // namespace tessera::inspect::gdb
