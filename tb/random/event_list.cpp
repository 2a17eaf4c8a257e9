#include "event_list.h"

#include <algorithm>

#include "layout.h"
#include "rtl/spec/words.h"

namespace tessera::test {
namespace {

constexpr unsigned kTiles = 16;
constexpr auto kEarly = static_cast<uint32_t>(spec::PairedReceive::kEarly);

uint64_t event(bool last, bool receive, uint32_t pair, uint32_t delay, uint32_t address, uint32_t count,
               uint32_t source) {
  return spec::ExchangeEvent{.last = last,
                             .is_receive = receive,
                             .pair = pair,
                             .delay = delay,
                             .word_address = address / 4,
                             .count = count,
                             .source = source}
      .encode();
}

}  // namespace

EventList random_event_list(Random& random, uint32_t rare, const Layout& at) {
  EventList list;
  const unsigned count = 1 + random.below(6);
  const bool careless = rare && random.one_in(rare);
  const bool may_receive = random.one_in(2);
  uint32_t now = 0;              // cycle of the next event at delay 0
  uint32_t free_at[2] = {0, 0};  // of send, receive
  for (unsigned n = 0; n < count; ++n) {
    const bool receive = may_receive && random.one_in(2);
    const uint32_t words = random.one_in(5) ? 0 : random.one_in(10) ? 1 + random.below(60) : 1 + random.below(8);
    uint32_t begin = now + (random.one_in(2) ? 0 : random.below(12));
    if (words && !careless) begin = std::max(begin, free_at[receive]);
    uint32_t address = receive ? at.receive_data : at.send_data;
    if (random.one_in(2)) address = receive ? at.receive_data1 : at.send_data1;
    address += 4 * random.below(256);
    uint32_t pair = 0;
    if (at.pairs ? random.one_in(4) : careless && random.one_in(4)) {
      pair = receive || careless ? 1 + random.below(3) : 1;
      if (!careless) address &= ~7u;
    }
    list.events.push_back(event(n + 1 == count, receive, pair, begin - now, address, words, random.below(kTiles)));
    if (words) free_at[receive] = begin + words + (receive && pair == kEarly);
    list.receives |= receive && words;
    now = begin + 1;
  }
  return list;
}

}  // namespace tessera::test
