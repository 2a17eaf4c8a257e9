// Random event lists of the exchange sequencer (docs/reference/exchange.md, Event lists).
#pragma once

#include <cstdint>
#include <vector>

#include "layout.h"
#include "random.h"

namespace tessera::test {

struct EventList {
  std::vector<uint64_t> events;
  bool receives = false;
};

// Transfers keep out of each other's way, except once in `rare` lists (0: never).
EventList random_event_list(Random&, uint32_t rare, const Layout&);

}  // namespace tessera::test
