#include "inspect/trace/phase_story.h"

#include <algorithm>
#include <utility>

namespace tessera::inspect::trace {

const char* name_of(Phase::Kind kind) {
  static constexpr const char* kNames[] = {"exchange", "transfer", "compute", "sync", "host"};
  return kNames[static_cast<unsigned>(kind)];
}

PhaseStory::PhaseStory(uint64_t first_cycle, uint64_t first_superstep)
    : first_cycle_(first_cycle), cycle_(first_cycle) {
  // What was before is nobody's: the account starts at cycle 0.
  account_.debug(0, first_cycle);
  now_.index = first_superstep;
  now_.begin = first_cycle;
}

void PhaseStory::phase(Phase::Kind kind, uint64_t end) {
  if (end <= cycle_) return;
  if (!phases_.empty() && phases_.back().kind == kind && phases_.back().end == cycle_)
    phases_.back().end = end;
  else
    phases_.push_back({kind, cycle_, end});
  cycle_ = end;
}

void PhaseStory::until(uint64_t cycle) {
  phase(Phase::Kind::kExchange, std::min(cycle, exchange_end_));
  phase(Phase::Kind::kTransfer, std::min(cycle, transfer_end_));
  phase(Phase::Kind::kCompute, cycle);
}

// Sequencers that are still active were so up to `cycle`.
void PhaseStory::settle(uint64_t cycle) {
  if (std::find(exchanging_.begin(), exchanging_.end(), 1) == exchanging_.end() || cycle == 0) return;
  account_.exchanging(cycle - 1);
  exchange_end_ = std::max(exchange_end_, cycle);
}

void PhaseStory::transferring(uint64_t cycle) {
  account_.transferring(cycle);
  transfer_end_ = std::max(transfer_end_, cycle + 1);
}

// A word that arrives in the cycle in which a phase ends is of the next one.
void PhaseStory::settle_arrival(uint64_t before) {
  if (arrival_ && *arrival_ < before) transferring(*std::exchange(arrival_, std::nullopt));
}

void PhaseStory::report(uint64_t cycle, uint64_t waiting_since, SuperstepTimes& step) {
  chip::Counters c;
  account_.report(cycle, waiting_since, c);
  c.host -= first_cycle_;
  const PhaseCycles now{c.compute, c.sync, c.exchange, c.transfer, c.host};
  step.end = cycle;
  step.cycles = {now.compute - total_.compute, now.sync - total_.sync, now.exchange - total_.exchange,
                 now.transfer - total_.transfer, now.host - total_.host};
  total_ = now;
  supersteps_.push_back(step);
}

void PhaseStory::add(const Event& e) {
  switch (e.kind) {
    case EventKind::kRetire:
      ++now_.retired;
      return;
    case EventKind::kExchanging:
      if (exchanging_.size() <= e.tile) exchanging_.resize(e.tile + 1);
      exchanging_[e.tile] = e.flag ? 1 : 0;
      if (e.flag) {
        account_.exchanging(e.cycle);
        exchange_end_ = std::max(exchange_end_, e.cycle + 1);
      } else if (e.cycle > 0) {
        account_.exchanging(e.cycle - 1);
        exchange_end_ = std::max(exchange_end_, e.cycle);
      }
      return;
    case EventKind::kSyncRequest:
      if (now_.slowest == chip::kNoTile || e.cycle > now_.last_request) {
        now_.slowest = e.tile;
        now_.last_request = e.cycle;
      }
      request_ = std::max(request_, e.cycle);
      return;
    case EventKind::kPacketOut:
      transferring(e.cycle);
      return;
    case EventKind::kPacketIn:
      settle_arrival(e.cycle);
      arrival_ = e.cycle;
      return;
    case EventKind::kHostSync:
      host_waits_ = true;
      host_request_ = request_;
      return;
    case EventKind::kDebugTime:
      settle(e.cycle);
      settle_arrival(e.cycle);
      until(e.cycle);
      if (host_waits_) host_request_ = e.cycle;
      phase(Phase::Kind::kHost, e.to);
      if (host_waits_)
        account_.sync(e.cycle, e.to, true);
      else
        account_.debug(e.cycle, e.to);
      return;
    case EventKind::kSyncAcknowledge: {
      settle(e.cycle + 1);
      settle_arrival(e.cycle);
      const bool host = e.address == 4;
      until(e.from);
      phase(host ? Phase::Kind::kHost : Phase::Kind::kSync, e.to);
      account_.sync(e.from, e.to, host);
      host_waits_ = false;
      request_ = 0;
      return;
    }
    case EventKind::kSuperstep:
      report(e.cycle + 1, ~0ull, now_);
      now_ = SuperstepTimes();
      now_.index = e.from + 1;
      now_.begin = e.cycle + 1;
      return;
    default:
      return;
  }
}

void PhaseStory::end(uint64_t cycle) {
  settle(cycle);
  settle_arrival(cycle);
  const uint64_t waiting_since = host_waits_ ? host_request_ : ~0ull;
  until(std::min(cycle, waiting_since));
  phase(Phase::Kind::kHost, cycle);
  if (cycle > now_.begin || now_.retired > 0) report(cycle, waiting_since, now_);
}

}  // namespace tessera::inspect::trace
