#include "compiler/passes/schedule_exchange.h"

#include <algorithm>
#include <queue>

#include "rtl/spec/words.h"

namespace tessera::compiler {
namespace {

constexpr std::uint32_t kMaxWords = spec::ExchangeEvent::Layout::count.most();
constexpr std::uint32_t kMaxDelay = spec::ExchangeEvent::Layout::delay.most();
// Receivers looked at per phase, and more per receiver of the traffic, while transfers that start later than hoped are
// put back; then each is placed where it fits when its turn comes. Bounds the time of dense traffic.
constexpr std::uint64_t kLooks = 3'000'000, kLooksEach = 1;

// Cycles in which a tile already executes an event, ascending. Times are found near the end.
class Slots {
 public:
  bool taken(std::uint32_t cycle) const {
    for (auto it = cycles_.rbegin(); it != cycles_.rend() && *it >= cycle; ++it)
      if (*it == cycle) return true;
    return false;
  }
  void take(std::uint32_t cycle) {
    auto it = cycles_.end();
    while (it != cycles_.begin() && *(it - 1) > cycle) --it;
    cycles_.insert(it, cycle);
  }

 private:
  std::vector<std::uint32_t> cycles_;
};

struct TileTime {
  std::uint32_t send_free = 0;
  std::uint32_t receive_free = 0;
  Slots slots;
};

// The pieces of at most kMaxWords words that a transfer is executed in all follow each other, so that only their first
// cycles must be free of other events.
bool slots_free(const TileTime& tile, std::uint32_t cycle, std::uint32_t words) {
  for (std::uint32_t done = 0; done < words; done += kMaxWords)
    if (tile.slots.taken(cycle + done)) return false;
  return true;
}

class Scheduler {
 public:
  Scheduler(const Traffic& traffic, const spec::Machine& machine)
      : traffic_(traffic), machine_(machine), tiles_(machine.tiles()) {}

  Schedule run() {
    schedule_.events.reserve(traffic_.transfers.size() + traffic_.receivers.size());
    struct Candidate {
      std::uint32_t start, rank, index;
      bool operator>(const Candidate& o) const { return start != o.start ? start > o.start : rank > o.rank; }
    };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const std::vector<std::uint32_t> order = rotation();
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) queue.push({0, rank, order[rank]});
    std::uint64_t looks = kLooks + kLooksEach * traffic_.receivers.size();
    while (!queue.empty()) {
      const Candidate top = queue.top();
      queue.pop();
      const Transfer& transfer = traffic_.transfers[top.index];
      const std::uint32_t start = earliest(transfer);
      looks -= std::min<std::uint64_t>(looks, transfer.receivers + 1);
      if (start > top.start && !queue.empty() && start > queue.top().start && looks > 0)
        queue.push({start, top.rank, top.index});
      else
        place(transfer, start);
    }
    return finish();
  }

 private:
  // All transfers, in an order in which neighbours have different sources and receivers: every tile to the tile after
  // it, then every tile to the second after it, and so on.
  std::vector<std::uint32_t> rotation() const {
    const std::uint32_t tiles = machine_.tiles();
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
    keys.reserve(traffic_.transfers.size());
    for (std::uint32_t i = 0; i < traffic_.transfers.size(); ++i) {
      const Transfer& t = traffic_.transfers[i];
      const std::uint64_t distance = (traffic_.receivers[t.first_receiver].tile + tiles - t.source) % tiles;
      keys.push_back({distance * tiles + t.source, i});
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const auto& [key, index] : keys) order.push_back(index);
    return order;
  }

  std::uint32_t earliest(const Transfer& t) const {
    const TileTime& source = tiles_[t.source];
    std::uint32_t start = source.send_free;
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
      const std::uint32_t tile = traffic_.receivers[r].tile;
      const std::uint32_t latency = machine_.latency(t.source, tile);
      if (tiles_[tile].receive_free > start + latency) start = tiles_[tile].receive_free - latency;
    }
    for (bool moved = true; moved;) {
      moved = false;
      while (!slots_free(source, start, t.words)) ++start, moved = true;
      for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
        const std::uint32_t tile = traffic_.receivers[r].tile;
        const std::uint32_t latency = machine_.latency(t.source, tile);
        while (!slots_free(tiles_[tile], start + latency, t.words)) ++start, moved = true;
      }
    }
    return start;
  }

  void place(const Transfer& t, std::uint32_t start) {
    for (std::uint32_t done = 0; done < t.words; done += kMaxWords) {
      const std::uint32_t words = std::min(kMaxWords, t.words - done);
      add({t.source, start + done, EventKind::kSend, 0, {t.from.block, t.from.offset + 4 * done}, words});
      for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
        const Receiver& to = traffic_.receivers[r];
        const std::uint32_t cycle = start + done + machine_.latency(t.source, to.tile);
        add({to.tile, cycle, EventKind::kReceive, t.source, {to.to.block, to.to.offset + 4 * done}, words});
      }
    }
    tiles_[t.source].send_free = start + t.words;
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r) {
      const std::uint32_t tile = traffic_.receivers[r].tile;
      const std::uint32_t end = start + t.words + machine_.latency(t.source, tile);
      tiles_[tile].receive_free = end;
      schedule_.cycles = std::max(schedule_.cycles, end + 2);
    }
  }

  void add(const Event& event) {
    tiles_[event.tile].slots.take(event.cycle);
    schedule_.events.push_back(event);
  }

  Schedule finish() {
    std::sort(schedule_.events.begin(), schedule_.events.end(), before);
    add_delays();
    schedule_.of_tile =
        ir::TileIndex::of(schedule_.events.size(), [&](std::size_t i) { return schedule_.events[i].tile; });
    return std::move(schedule_);
  }

  static bool before(const Event& a, const Event& b) { return a.tile != b.tile ? a.tile < b.tile : a.cycle < b.cycle; }

  // Pure delays where an event comes later after its tile's last one than it can tell. They are rare.
  void add_delays() {
    std::vector<Event>& events = schedule_.events;
    const std::size_t transported = events.size();
    for (std::size_t i = 0; i < transported; ++i) {
      const bool first = i == 0 || events[i].tile != events[i - 1].tile;
      // The cycle in which an event without delay would execute.
      std::uint32_t free = first ? 0 : events[i - 1].cycle + 1;
      for (; events[i].cycle - free > kMaxDelay; free += kMaxDelay + 1)
        events.push_back({events[i].tile, free + kMaxDelay, EventKind::kDelay, 0, {}, 0});
    }
    std::inplace_merge(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(transported), events.end(), before);
  }

  const Traffic& traffic_;
  const spec::Machine& machine_;
  std::vector<TileTime> tiles_;
  Schedule schedule_;
};

}  // namespace

Schedule schedule_exchange(const Traffic& traffic, const spec::Machine& machine) {
  return Scheduler(traffic, machine).run();
}

std::string dump(const Schedule& schedule) {
  std::string text = "schedule of " + std::to_string(schedule.cycles) + " cycles\n";
  for (const Event& e : schedule.events) {
    text += "tile " + std::to_string(e.tile) + " @" + std::to_string(e.cycle);
    if (e.kind == EventKind::kDelay) {
      text += " delay\n";
      continue;
    }
    text += e.kind == EventKind::kSend ? " send block " : " receive block ";
    text += std::to_string(e.at.block) + "+" + std::to_string(e.at.offset) + " x " + std::to_string(e.words);
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
      event.word_address = layout.address_of(e.at) / 4;
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
