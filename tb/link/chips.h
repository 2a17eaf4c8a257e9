// The chips of a system with its links and groups, run in rounds in which none can reach another.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "rtl/spec/link_tables.h"
#include "rtl/spec/routes.h"
#include "rtl/spec/system.h"
#include "sim/port/chip.h"

namespace tessera::test {

class Chips {
 public:
  using Make = std::function<std::unique_ptr<chip::Chip>(uint32_t chip)>;

  Chips(const spec::System& system, chip::Backend backend)
      : Chips(system, [&](uint32_t c) { return chip::make_linked_chip(backend, system.chips[c]); }) {}
  Chips(const spec::System& system, const Make& make) : system_(system) {
    const spec::Routes routes(system);
    const auto chips = static_cast<uint32_t>(system.chips.size());
    coming_.resize(chips);
    stops_.assign(chips, {chip::StopReason::kLimit, 0, chip::kNoTile});
    for (uint32_t c = 0; c < chips; ++c) {
      chips_.push_back(make(c));
      chips_[c]->join(c, spec::link_tables(system, routes, c), {true, true});
    }
    for (const spec::Link& link : system.links)
      for (unsigned e = 0; e < 2; ++e) {
        const uint32_t words = system.chips[link.ends[e].chip].link_words;
        for (uint32_t w = 0; w < words; ++w)
          other_end_[{link.ends[e].chip, link.ends[e].port * words + w}] = {
              link.ends[1 - e].chip, link.ends[1 - e].port * words + w, link.latency};
      }
  }

  chip::Chip& operator[](uint32_t c) { return *chips_[c]; }

  // Chips of a replica, so many each, have the syncs of zone 7 for themselves; else they are those of all.
  void share_out(uint32_t chips) { of_replica_ = chips; }

  // Is told what leaves a chip.
  void watch(std::function<void(uint32_t chip, const chip::LinkEvent&)> told) { told_ = std::move(told); }

  // Until none can move any more.
  std::vector<chip::Stop> run(uint64_t longest_round, uint64_t limit) {
    uint64_t now = ~uint64_t{0}, round = longest_round;
    for (const auto& chip : chips_) now = std::min(now, chip->cycle());
    for (const spec::Link& link : system_.links) round = std::min<uint64_t>(round, link.latency);
    for (; now < limit; now += round) {
      const uint64_t end = std::min(limit, now + round);
      bool moves = false;
      for (uint32_t c = 0; c < chips_.size(); ++c) {
        auto& coming = coming_[c];
        for (; !coming.empty() && coming.begin()->first.first < end; coming.erase(coming.begin()))
          chips_[c]->link_in(coming.begin()->second);
        chips_[c]->expect_links(end);
      }
      do {
        for (uint32_t c = 0; c < chips_.size(); ++c) {
          if (stops_[c].reason != chip::StopReason::kGroupSync && chips_[c]->cycle() < end)
            stops_[c] = chips_[c]->run(end, 0);
          moves |= stops_[c].reason == chip::StopReason::kLimit;
        }
      } while (answer_groups());
      // Those that wait pass on what others send.
      for (uint32_t c = 0; c < chips_.size(); ++c) {
        if (chips_[c]->cycle() < end) stops_[c] = chips_[c]->run(end, 0);
        moves |= waits(stops_[c]) && chips_[c]->may_send();  // later than in this round
      }
      for (uint32_t c = 0; c < chips_.size(); ++c)
        for (chip::LinkEvent event : chips_[c]->link_out()) {
          if (told_) told_(c, event);
          const Other& other = other_end_.at({c, event.channel});
          event.cycle += other.latency;
          event.channel = other.channel;
          coming_[other.chip].emplace(std::pair(event.cycle, number_++), event);
          moves = true;
        }
      for (const auto& coming : coming_) moves |= !coming.empty();
      if (!moves) break;
    }
    return stops_;
  }

 private:
  static bool waits(const chip::Stop& stop) {
    return stop.reason == chip::StopReason::kGroupSync || stop.reason == chip::StopReason::kHostSync;
  }
  // Whether chips were at the sync of their group, and go on. Groups of both zones have all chips.
  bool answer_groups() {
    const auto chips = static_cast<uint32_t>(chips_.size()), each = of_replica_ == 0 ? chips : of_replica_;
    bool answered = answer_group(spec::SyncZone::kExternal, 0, chips);
    for (uint32_t first = 0; first < chips; first += each)
      answered |= answer_group(spec::SyncZone::kReplica, first, each);
    return answered;
  }
  bool answer_group(uint8_t zone, uint32_t first, uint32_t count) {
    for (uint32_t c = first; c < first + count; ++c)
      if (stops_[c].reason != chip::StopReason::kGroupSync || stops_[c].zone != zone) return false;
    const spec::SyncGroup& group = system_.groups[zone == spec::SyncZone::kExternal ? 0 : 1];
    uint64_t all = 0;
    bool consensus = true;
    for (uint32_t i = 0; i < count; ++i) {
      all = std::max(all, stops_[first + i].cycle + i * group.hop_latency);
      consensus &= stops_[first + i].consensus;
    }
    for (uint32_t i = 0; i < count; ++i) {
      chips_[first + i]->group_answer(all + i * group.hop_latency, consensus);
      stops_[first + i].reason = chip::StopReason::kLimit;
    }
    return true;
  }

  struct Other {
    uint32_t chip = 0;
    unsigned channel = 0;
    uint64_t latency = 0;
  };
  const spec::System system_;
  std::vector<std::unique_ptr<chip::Chip>> chips_;
  std::map<std::pair<uint32_t, unsigned>, Other> other_end_;
  std::vector<std::map<std::pair<uint64_t, uint64_t>, chip::LinkEvent>> coming_;  // by cycle and number
  uint64_t number_ = 0;
  std::vector<chip::Stop> stops_;
  uint32_t of_replica_ = 0;
  std::function<void(uint32_t, const chip::LinkEvent&)> told_;
};

}  // namespace tessera::test
