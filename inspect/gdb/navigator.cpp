#include "inspect/gdb/navigator.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "inspect/gdb/registers.h"
#include "rtl/spec/machine.h"

namespace tessera::inspect::gdb {
namespace {

using chip::StopReason;

// Cycles replayed at once, so that a find or Ctrl-C is noticed.
constexpr uint64_t kPiece = 4096;
// Cycles of the past that a step back remembers at least.
constexpr uint64_t kWindow = 2048;

// All that is before `cycle` is below, all from it on is above.
Key at(uint64_t cycle) { return cycle == 0 ? Key{} : Key{2 * cycle - 1, ~0u}; }

}  // namespace

View& Navigator::view(Target& target) {
  if (!view_) view_ = std::make_unique<View>(target, position_);
  return *view_;
}

std::optional<uint64_t> Navigator::register_of(Target& target, Thread thread, const Register& r) {
  if (const auto known = history_.value(thread, r, position_)) return known;
  return read_register(view(target), r, thread);
}

void Navigator::read_memory(Target& target, unsigned tile, uint32_t address, std::span<uint8_t> bytes) {
  if (!history_.read(target, tile, position_, address, bytes, [&] { view_.reset(); }))
    view(target).read(tile, address, bytes);
}

Stops Navigator::all_stops() const {
  Stops all = stops_;
  if (followers_.empty()) return all;
  TileStops shared;
  const auto add = [](auto& to, const auto& from) {
    for (const auto& [pc, conditions] : from) {
      const auto [at, fresh] = to.emplace(pc, conditions);
      if (fresh || at->second == conditions) continue;
      if (at->second.empty() || conditions.empty())
        at->second.clear();
      else
        at->second.insert(at->second.end(), conditions.begin(), conditions.end());
    }
  };
  for (const auto& [tile, stops] : stops_) {
    add(shared.breaks, stops.breaks);
    add(shared.hardware_breaks, stops.hardware_breaks);
  }
  if (shared.empty()) return all;
  for (const unsigned tile : followers_) all[tile] = shared;
  return all;
}

void Navigator::use_hardware(Target& target) {
  if (hardware_) return;
  if (target.chips() > 1) throw std::runtime_error("breakpoints of the hardware are for systems of one chip");
  if (!stops_.empty()) throw std::runtime_error("there are breakpoints or watchpoints already: delete them first");
  release(target);
  view_.reset();
  history_.forget();
  goal_.reset();
  hardware_ = std::make_unique<Hardware>();
  hardware_->halt(target.run(0));
  moved(target.run(0));
}

// What the chip tells when it stands.
std::optional<Found> Navigator::search_hardware(Target& target, const Interrupted& interrupted) {
  if (std::exchange(let_on_, false)) return std::nullopt;
  const StopReason reason = target.standings()[0].stop.reason;
  if (reason == StopReason::kLimit || reason == StopReason::kSuperstep)
    return interrupted() ? std::optional(interrupt(target)) : std::nullopt;
  bool goes_on = false;
  auto found = hardware_->arrived(target.run(0), goes_on);
  if (goes_on) return std::nullopt;
  if (!found) found = failure(target);
  return found ? std::optional(stopped(*found, false)) : std::nullopt;
}

Found Navigator::interrupt(Target& target) {
  if (hardware_ && running_) {
    hardware_->halt(target.run(0));
    position_ = target.frontier();
    Found found;
    found.key = at(position_);
    return stopped(found, false);
  }
  const uint64_t here = running_ && target.position() < target.frontier()
                            ? std::max(target.oldest(), target.position() - std::min(target.position(), kRecordDelay))
                            : target.known_end(kRecordDelay);
  Found found;
  found.key = at(std::max(here, target.oldest()));
  const auto waits = target.waits();
  for (unsigned tile = 0; tile < waits.size() && found.thread == Thread(); ++tile)
    for (unsigned worker = 0; worker < 6; ++worker)
      if (waits[tile].active_workers >> worker & 1 && found.thread == Thread()) found.thread = {tile, worker + 1};
  return stopped(found, false);
}

bool Navigator::lifted() const {
  return !std::ranges::all_of(stops_when_told_, [&](const auto& was) {
    const auto now = stops_.find(was.first);
    return now != stops_.end() && now->second == was.second;
  });
}

void Navigator::resume(Target& target, const Resume& request) {
  if (hardware_) {
    for (const unsigned tile : std::exchange(held_, {})) hardware_->stands(tile);
    view_.reset();
    history_.forget();
    alone_ = lifted_ = false;
    hardware_->resume(target.run(0), all_stops(), request.steps);
    running_ = let_on_ = true;
    return;
  }
  release(target);
  view_.reset();
  alone_ = !request.only.empty();
  lifted_ = alone_ && lifted();
  if (alone_ && !lifted_) {
    floor_ = std::max(floor_, at(position_));
    ahead_.clear();
  }
  Finder::Search search;
  search.stops = all_stops();
  search.steps = request.steps;
  search.floor = floor_;
  search.ahead = ahead_;
  search.from = position_;
  search.only = request.only;
  uint64_t start = position_;
  if (!alone_) start = std::min(start, floor_.cycle());
  finder_.begin(std::move(search), target, std::clamp(start, target.oldest(), target.frontier()));
  reverse_floor_.reset();
  behind_.clear();
  running_ = true;
}

std::optional<Found> Navigator::search(Target& target, const Interrupted& interrupted) {
  if (hardware_) return running_ ? search_hardware(target, interrupted) : std::nullopt;
  while (running_) {
    const uint64_t to = std::min(target.position() + kPiece, target.frontier());
    const bool last = to == target.frontier();
    target.replay(to, &finder_);
    std::optional<Found> first = finder_.found();
    if (const auto reached = goal(target); reached && (!first || reached->key <= first->key)) first = reached;
    bool certain = first && first->key.cycle() + kRecordDelay < to;
    if (!certain && last) {
      if (const auto failed = failure(target); failed && (!first || failed->key <= first->key)) first = failed;
      certain = first && first->key.position() <= target.known_end(kRecordDelay);
    }
    if (certain) {
      if (holds(target, *first)) return stopped(*first, false);
      finder_.pass_by(target);
    } else if (last) {
      return std::nullopt;
    }
    if (interrupted()) return interrupt(target);
  }
  return std::nullopt;
}

std::optional<Found> Navigator::arrived(Target& target) {
  return search(target, [] { return false; });
}

namespace {

// The state that stands in a view; notes the memory that is looked at.
struct ViewedState : ExpressionState {
  View& view;
  const spec::Machine& machine;
  const Thread thread;
  std::set<uint32_t> blocks;

  ViewedState(View& view, const spec::Machine& machine, Thread thread) : view(view), machine(machine), thread(thread) {}
  std::optional<uint64_t> gdb_register(unsigned number) override {
    return number < registers().size() ? read_register(view, registers()[number], thread) : std::nullopt;
  }
  std::optional<uint64_t> memory(uint32_t address, unsigned bytes) override {
    if (address < machine.memory_base || address + bytes > machine.memory_end()) return std::nullopt;
    std::array<uint8_t, 8> data{};
    view.read(thread.tile, address, std::span(data).first(bytes));
    uint64_t value = 0;
    for (unsigned n = 0; n < bytes; ++n) {
      value |= uint64_t{data[n]} << (8 * n);
      blocks.insert((address + n) / PassingState::kBlockBytes);
    }
    return value;
  }
};

}  // namespace

bool Navigator::holds(Target& target, const Found& found) {
  if (!found.undecided) return true;
  View view(target, found.key.position());
  ViewedState state(view, target.machine(found.thread.tile), found.thread);
  const bool result = finder_.holds(found, state);
  finder_.look_at(found.thread.tile, state.blocks);
  return result;
}

Found Navigator::stopped(Found found, bool backwards) {
  running_ = false;
  view_.reset();
  finder_.end();
  position_ = backwards ? found.key.cycle() : found.key.position();
  if (alone_ && lifted_) {
    (backwards ? behind_ : ahead_)[found.thread] = found.key;
  } else {
    floor_ = found.key;
    ahead_.clear();
    stops_when_told_ = stops_;
  }
  if (found.kind == StopKind::kReached) goal_.reset();
  if (backwards) {
    if (!alone_ || !lifted_) {
      reverse_floor_ = found.key;
      behind_.clear();
    }
    if (found.kind != StopKind::kBreak && found.kind != StopKind::kHardwareBreak) floor_ = at(position_);
  } else if (undo_ && (found.kind == StopKind::kStep || found.kind == StopKind::kExit) &&
             found.thread == undo_->thread && found.key == Key::after(undo_->from, undo_->thread.tile)) {
    position_ = std::max(position_, undo_->to);
  }
  if (!backwards) undo_.reset();
  return found;
}

std::optional<Found> Navigator::failure(Target& target) const {
  std::optional<Found> first;
  const auto consider = [&](const Found& found) {
    if (found.key > floor_ && (!first || found.key < first->key)) first = found;
  };
  for (unsigned chip = 0; chip < target.chips(); ++chip) {
    const chip::Stop& stop = target.standings()[chip].stop;
    const unsigned tiles = target.tiles_of_chip(), first_tile = target.first_tile(chip);
    if (stop.reason == StopReason::kException) {
      for (unsigned tile = first_tile; tile < first_tile + tiles; ++tile)
        if (const auto e = target.exception(tile); e.cause != 0)
          consider({StopKind::kException, Key::after(e.cycle, tile), {tile, e.context}, e.pc});
      continue;
    }
    Found found;
    // A chip whose tiles wait for words, or for other chips, moves again when those send or come.
    const bool waits = stop.reason == StopReason::kDeadlock || stop.reason == StopReason::kGroupSync;
    if (waits && target.over())
      found.kind = StopKind::kDeadlock;
    else if (stop.reason == StopReason::kBudget)
      found.kind = StopKind::kBudget;
    else if (stop.reason == StopReason::kRefused)
      found.kind = StopKind::kRefused;
    else
      continue;
    found.thread.tile = first_tile + (stop.tile < tiles ? stop.tile : 0);
    found.key = Key::before(target.frontier(), stop.tile < tiles ? found.thread.tile : 0);
    if (stop.refusal) found.remote = stop.refusal->remote;
    const uint8_t active = target.waits().at(found.thread.tile).active_workers;
    while (found.thread.context < 6 && active != 0 && !(active >> found.thread.context & 1)) ++found.thread.context;
    if (active != 0) ++found.thread.context;
    consider(found);
  }
  return first;
}

// Nothing: its superstep has not begun.
std::optional<uint64_t> Navigator::cycle_of(Target& target, const Goal& goal) const {
  if (!goal.superstep) return goal.number;
  const Run& run = target.run(goal.chip);
  const auto last = run.boundary_before(run.frontier());
  if (goal.number > last.superstep) return std::nullopt;
  uint64_t low = run.oldest(), high = last.cycle;  // the first cycle whose superstep is not below it
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (run.boundary_before(middle).superstep < goal.number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<Found> Navigator::goal(Target& target) const {
  if (!goal_) return std::nullopt;
  const auto cycle = cycle_of(target, *goal_);
  if (!cycle || *cycle > target.frontier() || Key::before(*cycle, 0) <= floor_) return std::nullopt;
  return Found{StopKind::kReached, Key::before(*cycle, 0), {}};
}

void Navigator::run_to_cycle(uint64_t cycle) { goal_ = Goal{false, cycle}; }
void Navigator::run_to_superstep(uint64_t superstep, unsigned chip) { goal_ = Goal{true, superstep, chip}; }

void Navigator::let_go(Target& target) {
  if (hardware_) {
    for (const unsigned tile : std::exchange(held_, {})) hardware_->stands(tile);
    view_.reset();
    hardware_->let_go(target.run(0));
    hardware_.reset();
    let_on_ = false;
  }
  release(target);
  history_.forget();
  finder_.end();
  view_.reset();
  stops_.clear();
  stops_when_told_.clear();
  ahead_.clear();
  goal_.reset();
  undo_.reset();
  running_ = false;
}

void Navigator::begin_anew() {
  if (hardware_) hardware_->begin_anew();
  view_.reset();
  history_.forget();
  finder_.begin_anew();
  position_ = 0;
  floor_ = {};
  ahead_.clear();
  behind_.clear();
  reverse_floor_.reset();
  undo_.reset();
  held_.clear();
}

// Not below `lowest`.
std::optional<Found> Navigator::latest_before(Target& target, Finder::Search search, uint64_t lowest,
                                              const Interrupted& interrupted) {
  view_.reset();
  if (search.stops.empty() && search.steps.empty()) return std::nullopt;
  search.backwards = true;
  uint64_t end = std::min(target.frontier(), std::max(position_, search.floor.position()));
  while (end > lowest) {
    const uint64_t begin = std::max({target.boundary_before(end - 1).cycle, lowest, end - std::min(end, kPiece)});
    finder_.begin(search, target, begin);
    target.replay(std::min(end + kRecordDelay, target.frontier()), &finder_);
    const auto found = finder_.found();
    if (found && holds(target, *found)) return found;
    if (found) {
      search.floor = found->key;
      end = std::max(lowest, std::min(end, found->key.position()));
      continue;
    }
    if (interrupted && interrupted()) {
      Found found;
      found.key = Key::before(begin, 0);
      return found;
    }
    end = begin;
  }
  return std::nullopt;
}

// From one window of the past to the one before it, each twice as long.
Found Navigator::reverse_step(Target& target, Thread thread) {
  release(target);
  alone_ = true;
  lifted_ = lifted();
  if (!lifted_)
    reverse_floor_.reset();
  else if (!reverse_floor_)
    reverse_floor_ = Key::before(position_, 0);
  const uint64_t from = position_;
  uint64_t window = kWindow;
  for (uint64_t end = std::min(from, target.frontier()); end > target.oldest(); end = history_.begin()) {
    if (!history_.covers(thread, end)) {
      view_.reset();
      history_.record(target, thread, std::max(target.oldest(), end - std::min(end, window)), end);
      window *= 2;
    }
    const auto cycle = history_.last_before(std::min(from, end));
    if (!cycle) continue;
    undo_ = Undo{thread, *cycle, from};
    return stopped({StopKind::kStep, Key::before(*cycle, thread.tile), thread}, true);
  }
  return stopped({StopKind::kBegin, Key::before(target.oldest(), 0), thread}, true);
}

Found Navigator::reverse_continue(Target& target, const Interrupted& interrupted) {
  release(target);
  undo_.reset();
  alone_ = lifted_ = false;
  Finder::Search search;
  search.stops = all_stops();
  search.ahead = behind_;
  search.floor = reverse_floor_.value_or(Key::before(position_, 0));
  uint64_t back_to = target.oldest();
  bool reaches = false;  // the goal lies in between
  if (goal_) {
    const auto goal = cycle_of(target, *goal_);
    reaches = goal && *goal < position_ && *goal >= back_to;
    if (reaches) back_to = *goal;
  }
  auto found = latest_before(target, search, back_to, interrupted);
  if (!found && reaches) found = Found{StopKind::kReached, Key::before(back_to, 0), {}};
  return stopped(found.value_or(Found{StopKind::kBegin, Key::before(target.oldest(), 0), {}}), true);
}

}  // namespace tessera::inspect::gdb
