// The firmware's exchange.h against the tables: latencies of all pairs of tiles, and schedules by absolute cycles.
#include <tessera/exchange.h>

#include <catch2/catch.hpp>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/words.h"

using tessera::spec::ExchangeEvent;

TEST_CASE("the latency formula is that of the machine") {
  const auto machine = tessera::spec::load_machine(TESSERA_MACHINE_NAME);
  REQUIRE(machine.tiles() == TESSERA_TILES);
  unsigned wrong = 0;
  for (unsigned s = 0; s < machine.tiles(); ++s)
    for (unsigned d = 0; d < machine.tiles(); ++d)
      wrong += tessera_latency(s, d) != static_cast<int>(machine.latency(s, d)) ||
               tessera_receive_offset(s, d) != machine.receive_offset(s, d);
  CHECK(wrong == 0);
}

namespace {

// Cycles in which the events of a list execute, pure delays left out.
std::vector<uint64_t> cycles_of(const uint64_t* events, unsigned count) {
  std::vector<uint64_t> cycles;
  uint64_t next = 0;
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t cycle = next + ExchangeEvent::decode(events[i]).delay;
    next = cycle + 1;
    if (ExchangeEvent::decode(events[i]).count != 0) cycles.push_back(cycle);
    CHECK(ExchangeEvent::decode(events[i]).last == (i + 1 == count));
  }
  return cycles;
}

void* at(uintptr_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

TEST_CASE("a schedule executes its events in the cycles asked for") {
  uint64_t events[8];
  tessera_schedule s;
  tessera_schedule_begin(&s, events, 8);
  tessera_schedule_send(&s, 0, at(0x50000), 3);
  tessera_schedule_receive(&s, 1, at(0x50100), 4, 2);
  tessera_schedule_send(&s, 10, at(0x50000), 3);
  tessera_schedule_receive(&s, 10010, at(0x50200), 16383, 1);  // longer than one event can wait
  REQUIRE(tessera_schedule_end(&s) == 0);
  CHECK(cycles_of(events, s.count) == std::vector<uint64_t>{0, 1, 10, 10010});
  CHECK(ExchangeEvent::decode(events[1]) ==
        ExchangeEvent{.is_receive = true, .delay = 0, .word_address = 0x50100 / 4, .count = 4, .source = 2});
  CHECK_FALSE(ExchangeEvent::decode(events[2]).is_receive);
}

TEST_CASE("a schedule that cannot be is refused") {
  uint64_t events[2];
  tessera_schedule s;
  tessera_schedule_begin(&s, events, 2);
  tessera_schedule_send(&s, 5, at(0x50000), 1);
  tessera_schedule_send(&s, 5, at(0x50000), 1);
  CHECK(tessera_schedule_end(&s) == 1);

  tessera_schedule_begin(&s, events, 2);
  tessera_schedule_send(&s, 0, at(0x50000), 1);
  tessera_schedule_send(&s, 9000, at(0x50000), 1);
  CHECK(tessera_schedule_end(&s) == 2);
  CHECK(s.count >= 2);

  tessera_schedule_begin(&s, events, 2);
  CHECK(tessera_schedule_end(&s) == 0);
  CHECK(cycles_of(events, s.count).empty());
}
