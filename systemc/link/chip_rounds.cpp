#include "systemc/link/chip_rounds.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl/spec/link_tables.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/routes.h"

namespace tessera::link {

using chip::StopReason;

namespace {

constexpr uint64_t kNothingComes = ~uint64_t{0};
// Cycles that records of instructions come late, and a little more.
constexpr uint64_t kLate = 8;

}  // namespace

ChipRounds::ChipRounds(sc_core::sc_module_name name, const spec::System& system, std::vector<chip::Chip*> chips,
                       const pcie::ChipClock& clock, const Pace& pace)
    : sc_module(name),
      system_(system),
      clock_(clock),
      members_(chips.size()),
      latency_(kNothingComes),
      threads_(chips.size() > 1 ? pace.threads : 1, pace.hold_up_seed) {
  for (size_t c = 0; c < chips.size(); ++c) members_[c].chip = chips[c];
  for (const spec::Link& link : system_.links) {
    latency_ = std::min<uint64_t>(latency_, link.latency);
    for (const spec::ChipPort& end : link.ends) {
      Member& m = members_[end.chip];
      const unsigned channels = system_.chips[end.chip].link_words, first = end.port * channels;
      const std::string port_name = "chip" + std::to_string(end.chip) + "_port" + std::to_string(end.port);
      auto& port = ports_[end] = std::make_unique<ChipPort>(port_name.c_str(), m.inbox, first, channels);
      m.ports.emplace_back(first, port.get());
    }
  }
  if (pace.quantum > latency_)
    throw std::runtime_error("a quantum of " + std::to_string(pace.quantum) + " cycles is longer than the " +
                             std::to_string(latency_) + " that a link of system " + system_.name + " takes");
  ahead_ = pace.quantum != 0 ? pace.quantum : latency_;
  for (Member& m : members_) std::ranges::sort(m.ports);
  answer_ = kNothingComes;
  for (const spec::Machine& m : system_.chips)
    answer_ = std::min<uint64_t>(answer_, 2 * uint64_t{m.pcie_latency} + m.host_turnaround);
  join();
}

void ChipRounds::share_out(const Sharing& sharing) {
  if (sharing.chips != 0 && members_.size() % sharing.chips != 0)
    throw std::runtime_error("system " + system_.name + " has " + std::to_string(members_.size()) +
                             " chips, which are no replicas of " + std::to_string(sharing.chips));
  groups_of(sharing);  // throws what is wrong with it
  next_sharing_ = sharing;
}

// Who waits for whom. A replica of one chip is a group as well, which is answered here like any other: so what comes
// behind its sync is known to come.
std::vector<ChipRounds::Group> ChipRounds::groups_of(const Sharing& sharing) const {
  std::vector<Group> groups;
  for (uint32_t number = 0; number < system_.groups.size(); ++number) {
    const spec::SyncGroup& group = system_.groups[number];
    const bool gs1 = group.zone == spec::SyncGroup::Zone::kGs1;
    if (!gs1 && sharing.chips != 0) continue;
    const uint8_t zone = gs1 ? spec::SyncZone::kExternal : spec::SyncZone::kReplica;
    groups.push_back({zone, group.members, group.hop_latency, number});
  }
  for (uint32_t first = 0; sharing.chips != 0 && first < members_.size(); first += sharing.chips) {
    Group replica{.zone = spec::SyncZone::kReplica, .members = {}, .hop_latency = 0, .number = std::nullopt};
    for (uint32_t c = 0; c < sharing.chips; ++c) replica.members.push_back(first + c);
    const auto has_all = [&](const spec::SyncGroup& group) {
      return group.zone == spec::SyncGroup::Zone::kGs2 && std::ranges::includes(group.members, replica.members);
    };
    if (const auto found = std::ranges::find_if(system_.groups, has_all); found != system_.groups.end()) {
      replica.hop_latency = found->hop_latency;
      replica.number = static_cast<uint32_t>(found - system_.groups.begin());
    } else if (sharing.chips > 1) {
      throw std::runtime_error("system " + system_.name + ": no sync group of zone GS2 has the chips " +
                               std::to_string(first) + " to " + std::to_string(replica.members.back()) +
                               " of replica " + std::to_string(first / sharing.chips));
    }
    groups.push_back(std::move(replica));
  }
  return groups;
}

void ChipRounds::join() {
  if (members_.size() == 1) return;
  sharing_ = next_sharing_;
  groups_ = groups_of(sharing_);
  asked_.assign(members_.size(), kNothingComes);
  all_meet_ = groups_.size() == 2 && groups_[0].zone != groups_[1].zone &&
              std::ranges::all_of(groups_, [&](const Group& g) { return g.members.size() == members_.size(); });
  const spec::Routes routes(system_);
  for (uint32_t c = 0; c < members_.size(); ++c) {
    const auto grouped = [&](uint8_t zone) {
      return std::ranges::any_of(
          groups_, [&](const Group& g) { return g.zone == zone && std::ranges::binary_search(g.members, c); });
    };
    members_[c].inbox.clear();
    members_[c].chip->link_out();
    members_[c].chip->join(c, spec::link_tables(system_, routes, c),
                           {grouped(spec::SyncZone::kExternal), grouped(spec::SyncZone::kReplica)});
    for (const auto& [first, port] : members_[c].ports) port->passed(0);
  }
  for (RoundFollower* follower : followers_) follower->restart();
}

// Nothing is on links, and no chip can put anything there before all have come to a sync that is answered here or by
// the host.
bool ChipRounds::quiet() const {
  if (members_.size() == 1) return true;
  return all_meet_ && !independent() &&
         std::ranges::none_of(followers_, [](const RoundFollower* f) { return f->holds(); }) &&
         std::ranges::all_of(members_, [](const Member& m) { return m.inbox.empty(); }) &&
         std::ranges::none_of(members_, [](const Member& m) { return m.chip->may_send(); });
}

// The next cycle in which something happens; none: nothing does any more.
std::optional<uint64_t> ChipRounds::next() const {
  std::optional<uint64_t> first;
  const auto at = [&](uint64_t cycle) { first = std::min(first.value_or(cycle), cycle); };
  for (const Member& m : members_) {
    if (moves(m)) at(std::max(m.from, m.chip->cycle()));
    if (!m.inbox.empty()) at(m.inbox.first());
  }
  for (const RoundFollower* follower : followers_)
    if (follower->holds()) at(follower->followed());
  return first;
}

// True: a chip has been changed, and goes on.
bool ChipRounds::look(bool over) {
  if (looker_ == nullptr || looker_->longest() == kNothingComes) return false;
  BetweenRounds::Moment moment;
  moment.over = over;
  moment.latency = latency_;
  if (!quiet()) {
    uint64_t now = 0;
    for (const Member& m : members_) now = std::max(now, m.chip->cycle());
    moment.horizon = next().value_or(now) + latency_;
  }
  moment.give = [this](uint32_t chip, uint64_t until) { members_[chip].inbox.give(*members_[chip].chip, until); };
  for (const Member& m : members_) moment.chips.push_back({m.stop, moves(m), m.from});
  bool any = false;
  const std::vector<bool> changed = looker_->look(moment);
  for (size_t c = 0; c < changed.size(); ++c) {
    if (!changed[c]) continue;
    members_[c].stop = {StopReason::kLimit, members_[c].chip->cycle(), chip::kNoTile};
    any = true;
  }
  return any;
}

std::vector<chip::Stop> ChipRounds::run(uint64_t limit, uint64_t budget) {
  struct Running {  // how ever it ends
    explicit Running(BetweenRounds* looker) : looker(looker) {
      if (looker != nullptr) looker->begin();
    }
    ~Running() {
      if (looker != nullptr) looker->end();
    }
    BetweenRounds* looker;
  } const running(looker_);
  for (Member& m : members_) {
    m.stop = {StopReason::kLimit, m.chip->cycle(), chip::kNoTile};
    m.from = 0;
    // Whether it still waits for its group.
    if (members_.size() > 1) m.stop = m.chip->run(m.chip->cycle(), 0);
  }
  look(false);
  while (!host_is_asked()) {
    const std::optional<uint64_t> now = next();
    if (!now) {
      if (look(true)) continue;
      break;
    }
    follow(*now);
    for (const RoundFollower* follower : followers_) follower->check(*now);
    // Chips stand where somebody may look at them.
    const uint64_t longest = looker_ != nullptr ? looker_->longest() : kNothingComes;
    const auto end = [&](uint64_t cycles) { return limit - *now > cycles ? *now + cycles : limit; };
    if (quiet()) {
      if (!run_freely(*now < limit ? end(longest) : limit, budget) && !runs_on(limit)) {
        if (*now < limit && look(true)) continue;
        break;
      }
    } else if (*now < limit) {
      // What is found there lies a few cycles back, where no other chip may have gone on beyond its reach.
      const uint64_t looked_at =
          longest == kNothingComes ? round() : std::min(longest, latency_ - std::min(latency_ - 1, kLate));
      run_round(end(std::min(round(), looked_at)), budget);
      look(false);
    } else {
      break;
    }
    if (std::ranges::any_of(members_, [](const Member& m) { return m.stop.reason == StopReason::kBudget; })) {
      if (look(true)) continue;
      break;
    }
  }
  std::vector<chip::Stop> stops;
  uint64_t last = 0;
  for (const Member& m : members_) {
    stops.push_back(m.stop);
    last = std::max(last, m.stop.cycle);
  }
  follow(last);
  for (const RoundFollower* follower : followers_) follower->check(last);
  return stops;
}

void ChipRounds::run_due(uint64_t limit, uint64_t budget) {
  std::vector<Member*> due;
  for (Member& m : members_) {
    if (!std::exchange(m.due, false)) continue;
    m.work = due.size();
    due.push_back(&m);
  }
  threads_.run(due.size(), [&](size_t i) { due[i]->stop = due[i]->chip->run(limit, budget); });
}

// A chip that has come to the end of a stretch that was shorter than the limit.
bool ChipRounds::runs_on(uint64_t limit) const {
  return std::ranges::any_of(
      members_, [&](const Member& m) { return m.stop.reason == StopReason::kLimit && m.chip->cycle() < limit; });
}

// Whether a group has been answered, so that its chips go on.
bool ChipRounds::run_freely(uint64_t limit, uint64_t budget) {
  for (Member& m : members_) {
    if (members_.size() > 1) m.chip->expect_links(kNothingComes);
    m.due = m.stop.reason == StopReason::kLimit;
  }
  run_due(limit, budget);
  // Before a group goes on because of it, what a chip has done can still be changed.
  look(false);
  return answer_groups();
}

void ChipRounds::run_round(uint64_t end, uint64_t budget) {
  for (Member& m : members_) {
    m.inbox.give(*m.chip, end);
    m.chip->expect_links(end);
    for (const auto& [first, port] : m.ports) port->passed(end);
    m.due = !waits(m) && m.chip->cycle() < end;
  }
  do run_due(end, budget);
  while (answer_groups());
  // Those that wait pass on what others send.
  for (Member& m : members_) m.due = waits(m) && m.chip->cycle() < end;
  run_due(end, budget);
  carry(end);
  sc_core::wait(clock_.delay_until(end));
}

// Those whose members have all come.
bool ChipRounds::answer_groups() {
  bool answered = false;
  for (const Group& group : groups_) {
    const auto& ids = group.members;
    const auto waits = [&](uint32_t c) {
      return members_[c].stop.reason == StopReason::kGroupSync && members_[c].stop.zone == group.zone;
    };
    if (!std::ranges::all_of(ids, waits)) continue;
    uint64_t all = 0;
    bool consensus = true;
    for (size_t i = 0; i < ids.size(); ++i) {
      all = std::max(all, members_[ids[i]].stop.cycle + i * group.hop_latency);
      consensus &= members_[ids[i]].stop.consensus;
    }
    for (size_t i = 0; i < ids.size(); ++i) {
      Member& m = members_[ids[i]];
      // Never in its past: debug accesses took it chip time.
      m.from = std::max(all + i * group.hop_latency, m.chip->cycle());
      if (watch_ != nullptr && group.number) watch_->synchronised(*group.number, ids[i], m.stop.cycle, m.from);
      m.chip->group_answer(m.from, consensus);
      m.stop = {StopReason::kLimit, m.chip->cycle(), chip::kNoTile};
      m.due = true;
    }
    answered = true;
  }
  return answered;
}

// Those that stand for good have nothing more to send. One that waits for its group may have packets in its edge yet.
void ChipRounds::follow(uint64_t end) {
  if (followers_.empty()) return;
  for (const Member& m : members_)
    if (m.stop.reason == StopReason::kLimit || m.stop.reason == StopReason::kBudget ||
        m.stop.reason == StopReason::kGroupSync)
      end = std::min(end, m.chip->cycle());
  for (RoundFollower* follower : followers_) follower->follow(end);
}

// What has left the chips, which have all come to `end`, comes to the others.
void ChipRounds::carry(uint64_t end) {
  for (Member& m : members_)
    for (const chip::LinkEvent& event : m.chip->link_out()) {
      const auto behind = std::ranges::upper_bound(m.ports, event.channel, {}, [](const auto& p) { return p.first; });
      if (behind == m.ports.begin())
        throw std::logic_error("something is on channel " + std::to_string(event.channel) + ", which leads nowhere");
      std::prev(behind)->second->send(event);
    }
  follow(end);
}

uint64_t ChipRounds::latest(uint32_t chip) const {
  uint64_t cycle = 0;
  for (uint32_t c = 0; c < members_.size(); ++c)
    if (replica_of(c) == replica_of(chip)) cycle = std::max(cycle, members_[c].chip->cycle());
  return cycle;
}

// Whether a replica that meets the host by itself has come to a host sync since it was asked last.
bool ChipRounds::host_is_asked() {
  if (!independent()) return false;
  bool asked = false;
  for (uint32_t first = 0; first < members_.size(); first += sharing_.chips) {
    const auto replica = std::span(members_).subspan(first, sharing_.chips);
    if (std::ranges::any_of(replica, [](const Member& m) { return m.stop.reason != StopReason::kHostSync; })) continue;
    uint64_t cycle = 0;
    for (const Member& m : replica) cycle = std::max(cycle, m.stop.cycle);
    asked |= std::exchange(asked_[first], cycle) != cycle;
  }
  return asked;
}

// A chip that waits for the host stands where the round has left it; an access comes to it when one could.
void ChipRounds::pass_to(uint32_t chip, uint64_t cycle) {
  Member& accessed = members_[chip];
  while (const std::optional<uint64_t> now = next()) {
    if (*now >= cycle) break;
    follow(*now);
    run_round(std::min(cycle, *now + round()), 0);
  }
  if (accessed.chip->cycle() >= cycle) return;
  accessed.chip->expect_links(cycle);
  accessed.stop = accessed.chip->run(cycle, 0);
}

void ChipRounds::call(uint32_t chip, const std::function<void()>& act) { threads_.call(members_[chip].work, act); }

uint64_t ChipRounds::before_access(uint32_t chip, uint64_t cycles) {
  Member& accessed = members_[chip];
  if (quiet()) return cycles;
  if (independent() && accessed.stop.reason == StopReason::kHostSync) pass_to(chip, accessed.stop.cycle + answer_);
  const uint64_t now = accessed.chip->cycle();
  cycles = std::min(cycles, latency_);
  const auto least_cycle = [&] {
    uint64_t least = now;
    for (const Member& m : members_) least = std::min(least, m.chip->cycle());
    return least;
  };
  carry(least_cycle());
  // What reaches the chip in those cycles has left the others before `now`.
  while (std::ranges::any_of(members_,
                             [&](const Member& m) { return m.chip != accessed.chip && m.chip->cycle() < now; })) {
    const uint64_t end = std::min(now, least_cycle() + round());
    bool moved = false;
    for (Member& m : members_) {
      if (m.chip == accessed.chip) continue;
      m.inbox.give(*m.chip, end);
      m.chip->expect_links(end);
      m.due = m.chip->cycle() < end;
    }
    std::vector<uint64_t> before;
    for (const Member& m : members_) before.push_back(m.chip->cycle());
    run_due(end, 0);
    answer_groups();
    carry(end);
    for (size_t i = 0; i < members_.size(); ++i) moved |= members_[i].chip->cycle() != before[i];
    if (!moved) break;  // they stand still
  }
  accessed.inbox.give(*accessed.chip, now + cycles);
  accessed.chip->expect_links(now + cycles);
  return cycles;
}

}  // namespace tessera::link
