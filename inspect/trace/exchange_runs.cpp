#include "inspect/trace/exchange_runs.h"

#include <algorithm>

namespace tessera::inspect::trace {

void ExchangeRuns::add(const Event& e) {
  if (e.kind == EventKind::kSent) {
    auto [run, fresh] = sent_.try_emplace(e.tile, SentRun{e.tile, e.cycle, e.cycle});
    if (!fresh && run->second.end != e.cycle && run->second.end != e.cycle + 1) {
      to_sent_(run->second);
      run->second = {e.tile, e.cycle, e.cycle};
    }
    run->second.end = e.cycle + 1;
    ++run->second.words;
  } else if (e.kind == EventKind::kReceived && e.address < machine_.tiles()) {
    const uint64_t latency = machine_.latency(e.address, e.tile);
    const ReceivedRun begun{e.tile, e.address, e.cycle, e.cycle, 0, e.cycle - std::min(latency, e.cycle), {}, {}};
    auto [run, fresh] = received_.try_emplace(e.tile, begun);
    const bool other_half = run->second.end == e.cycle + 1;
    const bool goes_on = run->second.end == e.cycle && run->second.source == e.address;
    if (!fresh && !other_half && !goes_on) {
      to_received_(run->second);
      run->second = begun;
    }
    run->second.end = e.cycle + 1;
    ++run->second.words;
  } else if (e.kind == EventKind::kExchangeWrite) {
    const auto run = received_.find(e.tile);
    if (run == received_.end() || e.cycle < run->second.begin || e.cycle >= run->second.end) return;
    if (!run->second.first) run->second.first = e.address;
    run->second.last = e.address;
  }
}

void ExchangeRuns::end() {
  for (const auto& [tile, run] : sent_) to_sent_(run);
  for (const auto& [tile, run] : received_) to_received_(run);
  sent_.clear();
  received_.clear();
}

}  // namespace tessera::inspect::trace
