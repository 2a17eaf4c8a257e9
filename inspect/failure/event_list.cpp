#include "inspect/failure/event_list.h"

#include <fmt/format.h>

#include "inspect/failure/words.h"
#include "inspect/pipeline.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/words.h"

namespace tessera::inspect::failure {
namespace {

constexpr auto kEarly = static_cast<unsigned>(spec::PairedReceive::kEarly);
constexpr size_t kMostEvents = 4096;  // a damaged list ends here

const Event* holding(const std::vector<Event>& events, bool receive, uint64_t cycle, unsigned& word) {
  for (const Event& e : events) {
    if (e.receive != receive || cycle < e.first || cycle - e.first >= e.count) continue;
    word = static_cast<unsigned>(cycle - e.first);
    return &e;
  }
  return nullptr;
}

}  // namespace

std::vector<Event> read_events(StoppedChip& chip, const spec::Machine& machine, unsigned tile, uint32_t list,
                               uint64_t phase_start) {
  return read_events([&](uint32_t at) { return chip.word(tile, at); }, machine, tile, list, phase_start);
}

std::vector<Event> read_events(const std::function<uint32_t(uint32_t)>& read, const spec::Machine& machine,
                               unsigned tile, uint32_t list, uint64_t phase_start) {
  std::vector<Event> events;
  uint64_t next = phase_start;
  for (uint32_t at = list; events.size() < kMostEvents; at += 8) {
    if (at % 8 != 0 || at < machine.memory_base || at >= machine.memory_end()) break;
    const uint64_t bits = read(at) | uint64_t{read(at + 4)} << 32;
    const auto word = spec::ExchangeEvent::decode(bits);
    Event e;
    e.last = word.last;
    e.receive = word.is_receive;
    e.delay = word.delay;
    e.address = 4 * word.word_address;
    e.count = word.count;
    e.pair = word.pair;
    e.source = word.source;
    e.cycle = next + e.delay;
    e.first = e.cycle + (e.receive ? 1 + machine.select_latency(tile) : kToPort) + (e.receive && e.pair == kEarly);
    next = e.cycle + 1;
    events.push_back(e);
    if (e.last) break;
  }
  return events;
}

const Event* receiving(const std::vector<Event>& events, uint64_t cycle, unsigned& word) {
  return holding(events, true, cycle, word);
}

const Event* sending(const std::vector<Event>& events, uint64_t cycle, unsigned& word) {
  return holding(events, false, cycle, word);
}

std::string describe(const Event& e) {
  if (e.count == 0) return fmt::format("waits {} cycles", e.delay);
  const uint64_t last = e.first + e.count - 1;
  if (e.pair != 0) {
    const std::string what = counted(e.count, "double word");
    if (!e.receive) return fmt::format("sends {} in pairs from {:#x} in cycles {}..{}", what, e.address, e.first, last);
    if (e.pair == static_cast<unsigned>(spec::PairedReceive::kLends))
      return fmt::format("lends its port for {} from that of tile {} in cycles {}..{}", what, e.source, e.first, last);
    return fmt::format("receives {} in pairs, its half from the port of tile {}, to {:#x} in cycles {}..{}", what,
                       e.source, e.address, e.first, last);
  }
  return e.receive
             ? fmt::format("receives {} from tile {} to {:#x} in cycles {}..{}", counted(e.count, "word"), e.source,
                           e.address, e.first, last)
             : fmt::format("sends {} from {:#x} in cycles {}..{}", counted(e.count, "word"), e.address, e.first, last);
}

}  // namespace tessera::inspect::failure
