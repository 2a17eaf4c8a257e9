#include "compiler/passes/exchange/schedule_exchange.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "compiler/passes/exchange/cycle_set.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kMaxWords = spec::ExchangeEvent::Layout::count.most();
constexpr auto kEarly = static_cast<std::uint8_t>(spec::PairedReceive::kEarly);
constexpr auto kLends = static_cast<std::uint8_t>(spec::PairedReceive::kLends);
constexpr std::uint32_t kMaxDelay = spec::ExchangeEvent::Layout::delay.most();
// Loads are compared in steps. The more of them, the nearer to the truth and the more often a transfer is looked at;
// they are so many that at most about this many ports are looked at, if the least of steps allows. As many are looked
// at again in a small phase because another transfer can start earlier.
constexpr std::uint64_t kLooks = 4'000'000, kLeastSteps = 4, kMostSteps = 1024;
// Cycles that one look into a port covers, and about how many such looks are spent on gaps. Both numbers bound the time
// of dense traffic.
constexpr std::uint32_t kTogether = 64;
constexpr std::uint64_t kSearched = 50'000'000;
// Phases of at most so many ports are small: they are scheduled again by earliest start alone, and the shorter way is
// taken.
constexpr std::uint64_t kSmall = 100'000;

// What is left to do for a tile, in cycles.
struct PortLoad {
  std::uint64_t send = 0, receive = 0, events = 0;
};

// What it does already.
struct TileTime {
  CycleSet send, receive, events;
};

// A transfer, with what its place in time depends on. Tiles are numbered by who takes part.
struct Target {
  std::uint32_t tile;
  std::uint32_t cycles;  // in which its port is taken
  std::int32_t offset;   // from the send to the receive, which may come first
  std::uint32_t latency;
  std::uint32_t receive(std::uint32_t send) const { return send + static_cast<std::uint32_t>(offset); }
  std::uint32_t send(std::uint32_t receive) const { return receive - static_cast<std::uint32_t>(offset); }
};
struct Task {
  std::uint32_t transfer, source, words;
  std::uint32_t other;  // whose port is taken as well, in a paired transfer
  std::uint32_t first_target, targets;
  std::uint32_t start = 0;  // it cannot begin earlier
};

// By whose port a receiver gets what it selects, and what it does in a paired transfer.
struct Listening {
  std::uint32_t port;
  spec::PairedReceive pair;
};
Listening listening(const Transfer& t, const Receiver& r, const spec::Machine& machine) {
  if (!t.paired) return {t.source, spec::PairedReceive::kNone};
  const std::uint32_t port = spec::Machine::pair_port(t.source, r.tile);
  if (r.lends) return {port, spec::PairedReceive::kLends};
  const bool early = machine.is_early(t.source, r.tile);
  return {port, early ? spec::PairedReceive::kEarly : spec::PairedReceive::kLate};
}

std::uint32_t pieces(std::uint32_t words) { return (words + kMaxWords - 1) / kMaxWords; }

// `items` by key(item) < keys; those of one key in the order in which they were.
template <class Key>
std::vector<std::uint32_t> sorted(const std::vector<std::uint32_t>& items, std::uint32_t keys, const Key& key) {
  std::vector<std::uint32_t> at(keys + 1), result(items.size());
  for (const std::uint32_t item : items) ++at[key(item) + 1];
  std::partial_sum(at.begin(), at.end(), at.begin());
  for (const std::uint32_t item : items) result[at[key(item)]++] = item;
  return result;
}

// All transfers, in an order in which neighbours have different sources and receivers: every tile to the tile after it,
// then every tile to the second after it, and so on.
std::vector<std::uint32_t> rotation(const Traffic& traffic, std::uint32_t tiles) {
  std::vector<std::uint32_t> order(traffic.transfers.size());
  std::iota(order.begin(), order.end(), 0);
  order = sorted(order, tiles, [&](std::uint32_t i) { return traffic.transfers[i].source; });
  return sorted(order, tiles, [&](std::uint32_t i) {
    const Transfer& t = traffic.transfers[i];
    return (traffic.receivers[t.first_receiver].tile + tiles - t.source) % tiles;
  });
}

struct Starts {
  std::vector<std::uint32_t> cycles;  // by transfer
  std::uint32_t end = 0;
};

// Finds the cycle in which each transfer begins.
class Scheduler {
 public:
  Scheduler(const Traffic& traffic, const spec::Machine& machine) : starts_(traffic.transfers.size()) {
    std::vector<std::uint32_t> numbers(machine.tiles(), ir::kNone);
    const auto number_of = [&](std::uint32_t tile) {
      if (numbers[tile] == ir::kNone) {
        numbers[tile] = static_cast<std::uint32_t>(load_.size());
        load_.emplace_back();
      }
      return numbers[tile];
    };
    tasks_.reserve(traffic.transfers.size());
    targets_.reserve(traffic.receivers.size());
    for (const std::uint32_t i : rotation(traffic, machine.tiles())) {
      const Transfer& t = traffic.transfers[i];
      Task& task = tasks_.emplace_back(Task{i, number_of(t.source), t.words,
                                            t.paired ? number_of(spec::Machine::pair_of(t.source)) : ir::kNone,
                                            static_cast<std::uint32_t>(targets_.size()), t.receivers});
      load_[task.source].send += t.words;
      if (t.paired) load_[task.other].send += t.words;
      load_[task.source].events += pieces(t.words);
      for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
        const std::uint32_t tile = traffic.receivers[r].tile, number = number_of(tile);
        const auto [port, pair] = listening(t, traffic.receivers[r], machine);
        const int offset = machine.receive_offset(port, tile);
        const std::uint32_t cycles = t.words + (pair == spec::PairedReceive::kEarly);
        targets_.push_back({number, cycles, offset, machine.latency(port, tile)});
        task.start = std::max(task.start, static_cast<std::uint32_t>(std::max(-offset, 0)));
        load_[number].receive += cycles;
        load_[number].events += pieces(t.words);
      }
    }
    times_.resize(load_.size());
  }

  std::uint64_t ports() const { return std::max<std::uint64_t>(tasks_.size() + targets_.size(), 1); }

  // Loads are compared in at most `most_steps` steps.
  Starts run(std::uint64_t most_steps) {
    window_ = kTogether * (kSearched / ports());
    const std::uint64_t steps = std::min(std::max(kLooks / ports(), kLeastSteps), most_steps);
    std::uint64_t most = 1;
    for (const Task& task : tasks_) most = std::max(most, load_of(task));
    const auto step_of = [&](const Task& task) { return std::min(load_of(task) * steps / most, steps - 1); };
    std::vector<std::vector<std::uint32_t>> waiting(steps);  // tasks by step of load
    for (std::uint32_t i = 0; i < tasks_.size(); ++i) waiting[step_of(tasks_[i])].push_back(i);
    // In small phases, of tasks with equally much left the one that can start first goes next, as long as looks last.
    const bool small = ports() <= kSmall;
    std::uint64_t looks = kLooks;
    const auto later = [&](std::uint32_t a, std::uint32_t b) {
      return tasks_[a].start != tasks_[b].start ? tasks_[a].start > tasks_[b].start : a > b;
    };
    for (std::size_t step = waiting.size(); step-- > 0;) {
      std::vector<std::uint32_t> now = std::move(waiting[step]);
      if (small)
        std::make_heap(now.begin(), now.end(), later);
      else
        std::sort(now.begin(), now.end(), later);
      while (!now.empty()) {
        if (small) std::pop_heap(now.begin(), now.end(), later);
        const std::uint32_t i = now.back();
        now.pop_back();
        Task& task = tasks_[i];
        // Loads have fallen since, perhaps.
        if (const std::uint64_t actual = step_of(task); actual < step) {
          waiting[actual].push_back(i);
          continue;
        }
        task.start = earliest(task);
        if (small && looks > 0 && !now.empty() && task.start > tasks_[now.front()].start) {
          looks -= std::min<std::uint64_t>(looks, 1 + task.targets);
          now.push_back(i);
          std::push_heap(now.begin(), now.end(), later);
        } else {
          place(task);
        }
      }
    }
    return {std::move(starts_), end_};
  }

 private:
  std::span<const Target> targets(const Task& task) const { return {&targets_[task.first_target], task.targets}; }

  // What is left to do for the ports that it needs: for each the larger of words and events, one of which takes a
  // cycle.
  std::uint64_t load_of(const Task& task) const {
    const PortLoad& source = load_[task.source];
    std::uint64_t sum = std::max(source.send, source.events);
    if (task.other != ir::kNone) sum += load_[task.other].send;
    for (const Target& target : targets(task)) {
      const PortLoad& load = load_[target.tile];
      sum += std::max(load.receive, load.events);
    }
    return sum;
  }

  // Bit i: whether from cycle from + i on a port is free for `words` words, and the tile for their events. The pieces
  // of at most kMaxWords words that a transfer is executed in all follow each other.
  static std::uint64_t room(const CycleSet& port, const CycleSet& events, std::uint32_t from, std::uint32_t words) {
    std::uint64_t free = events.starts(from, 1);
    if (free != 0) free &= port.starts(from, words);
    for (std::uint32_t done = kMaxWords; done < words; done += kMaxWords) free &= events.starts(from + done, 1);
    return free;
  }

  // Before this cycle there is no room, or it is so far back that it is given up.
  std::uint32_t search_from(const Task& task) {
    TileTime& source = times_[task.source];
    std::uint64_t end = source.send.end();
    if (task.other != ir::kNone) end = std::max<std::uint64_t>(end, times_[task.other].send.end());
    for (const Target& target : targets(task)) end = std::max<std::uint64_t>(end, times_[target.tile].receive.end());
    auto from = std::max(task.start, static_cast<std::uint32_t>(end - std::min(end, window_)));
    from = source.events.fit(source.send.fit(from, task.words), 1);
    if (task.other != ir::kNone) from = times_[task.other].send.fit(from, task.words);
    for (const Target& target : targets(task)) {
      TileTime& time = times_[target.tile];
      from = target.send(time.events.fit(time.receive.fit(target.receive(from), target.cycles), 1));
    }
    return from;
  }

  // Cycles are looked at kTogether at a time; a port without room in them says where it has some again.
  std::uint32_t earliest(const Task& task) {
    TileTime& source = times_[task.source];
    for (std::uint32_t from = search_from(task);;) {
      std::uint64_t free = room(source.send, source.events, from, task.words);
      std::uint32_t next = from + kTogether;
      if (free == 0) next = source.send.fit(next, task.words);
      if (free != 0 && task.other != ir::kNone) {
        free &= times_[task.other].send.starts(from, task.words);
        if (free == 0) next = times_[task.other].send.fit(next, task.words);
      }
      for (const Target& target : targets(task)) {
        if (free == 0) break;
        TileTime& time = times_[target.tile];
        free &= room(time.receive, time.events, target.receive(from), target.cycles);
        if (free == 0) next = target.send(time.receive.fit(target.receive(next), target.cycles));
      }
      if (free != 0) return from + static_cast<std::uint32_t>(std::countr_zero(free));
      from = next;
    }
  }

  void place(const Task& task) {
    const std::uint32_t start = starts_[task.transfer] = task.start, words = task.words;
    times_[task.source].send.take(start, words);
    load_[task.source].send -= words;
    if (task.other != ir::kNone) {
      times_[task.other].send.take(start, words);
      load_[task.other].send -= words;
    }
    take_events(task.source, start, words);
    for (const Target& target : targets(task)) {
      times_[target.tile].receive.take(target.receive(start), target.cycles);
      load_[target.tile].receive -= target.cycles;
      take_events(target.tile, target.receive(start), words);
      end_ = std::max(end_, start + target.latency + words);
    }
  }

  void take_events(std::uint32_t tile, std::uint32_t start, std::uint32_t words) {
    for (std::uint32_t done = 0; done < words; done += kMaxWords) times_[tile].events.take(start + done, 1);
    load_[tile].events -= pieces(words);
  }

  std::vector<std::uint32_t> starts_;  // by transfer
  std::uint32_t end_ = 0;              // the cycle after the last word is received
  std::vector<TileTime> times_;        // of tiles that take part
  std::vector<PortLoad> load_;         // the same
  std::vector<Task> tasks_;            // in order of rotation
  std::vector<Target> targets_;
  std::uint64_t window_ = 0;  // cycles
};

// Calls visit(event) for what each transfer comes to, without delays.
template <class Visit>
void for_each_event(const Traffic& traffic, const std::vector<std::uint32_t>& starts, const spec::Machine& machine,
                    const Visit& visit) {
  for (std::size_t i = 0; i < traffic.transfers.size(); ++i) {
    const Transfer& t = traffic.transfers[i];
    for (std::uint32_t done = 0; done < t.words; done += kMaxWords) {
      const std::uint32_t words = std::min(kMaxWords, t.words - done), cycle = starts[i] + done;
      const std::uint32_t offset = (t.paired ? 8 : 4) * done;
      visit(Event{t.source, cycle, EventKind::kSend, 0, {t.from.block, t.from.offset + offset}, words, t.paired});
      for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
        const Receiver& receiver = traffic.receivers[r];
        const auto [port, pair] = listening(t, receiver, machine);
        visit(Event{receiver.tile,
                    cycle + static_cast<std::uint32_t>(machine.receive_offset(port, receiver.tile)),
                    EventKind::kReceive,
                    port,
                    {receiver.to.block, receiver.to.offset + offset},
                    words,
                    static_cast<std::uint8_t>(pair)});
      }
    }
  }
}

Schedule write_down(const Traffic& traffic, const std::vector<std::uint32_t>& starts, const spec::Machine& machine) {
  std::vector<std::uint32_t> at(machine.tiles() + 1);
  for (const Transfer& t : traffic.transfers) {
    at[t.source + 1] += pieces(t.words);
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r)
      at[traffic.receivers[r].tile + 1] += pieces(t.words);
  }
  std::partial_sum(at.begin(), at.end(), at.begin());
  std::vector<Event> events(at.back());
  Schedule schedule;
  schedule.events.reserve(events.size());
  for_each_event(traffic, starts, machine, [&](const Event& event) {
    events[at[event.tile]++] = event;
    if (event.kind == EventKind::kReceive)
      schedule.cycles = std::max(
          schedule.cycles, event.cycle + 1 + machine.select_latency(event.tile) + event.words + (event.pair == kEarly));
  });
  auto next = events.begin();
  for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile) {
    const auto end = events.begin() + at[tile];
    std::sort(next, end, [](const Event& a, const Event& b) { return a.cycle < b.cycle; });
    std::uint32_t free = 0;  // the cycle an event without delay would execute in
    const auto put = [&](const Event& event) {
      schedule.of_tile.add(tile, static_cast<std::uint32_t>(schedule.events.size()));
      schedule.events.push_back(event);
      free = event.cycle + 1;
    };
    for (; next != end; ++next) {
      while (next->cycle - free > kMaxDelay) put({tile, free + kMaxDelay, EventKind::kDelay, 0, {}, 0});
      put(*next);
    }
  }
  schedule.cycles_of_chip = {schedule.cycles};
  return schedule;
}

}  // namespace

Schedule schedule_exchange(const Traffic& traffic, const spec::Machine& machine) {
  Scheduler scheduler(traffic, machine);
  const std::uint64_t ports = scheduler.ports();
  Starts starts = scheduler.run(kMostSteps);
  if (ports <= kSmall)
    if (Starts other = Scheduler(traffic, machine).run(1); other.end < starts.end) starts = std::move(other);
  return write_down(traffic, starts.cycles, machine);
}

std::string dump(const Schedule& schedule) {
  std::string text = "schedule of " + std::to_string(schedule.cycles) + " cycles\n";
  for (const Event& e : schedule.events) {
    text += "tile " + std::to_string(e.tile) + " @" + std::to_string(e.cycle);
    if (e.kind == EventKind::kDelay) {
      text += " delay\n";
      continue;
    }
    if (e.kind == EventKind::kReceive && e.pair == kLends) {
      text += " lends x " + std::to_string(e.words) + " from tile " + std::to_string(e.source) + "\n";
      continue;
    }
    text += e.kind == EventKind::kSend ? " send block " : " receive block ";
    text += std::to_string(e.at.block) + "+" + std::to_string(e.at.offset) + " x " + std::to_string(e.words);
    if (e.pair != 0) text += " double";
    if (e.kind == EventKind::kReceive) text += " from tile " + std::to_string(e.source);
    text += "\n";
  }
  return text;
}

std::vector<std::uint32_t> encode_events(const Schedule& schedule, std::uint32_t tile, const Layout& layout) {
  std::vector<std::uint32_t> words;
  const auto [begin, end] = schedule.of_tile[tile];
  words.reserve(2 * (end - begin));
  std::uint32_t free = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    const Event& e = schedule.events[i];
    const bool receives = e.kind == EventKind::kReceive;
    spec::ExchangeEvent event{.last = i + 1 == end, .is_receive = receives, .delay = e.cycle - free};
    if (e.kind != EventKind::kDelay) {
      event.pair = e.pair;
      if (!receives || e.pair != kLends) event.word_address = layout.address_of(e.at) / 4;
      event.count = e.words;
      if (receives) event.source = e.source;
    }
    const std::uint64_t bits = event.encode();
    words.push_back(static_cast<std::uint32_t>(bits));
    words.push_back(static_cast<std::uint32_t>(bits >> 32));
    free = e.cycle + 1;
  }
  return words;
}

}  // namespace tessera::compiler
