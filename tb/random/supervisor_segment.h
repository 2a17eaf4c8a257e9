// One segment of supervisor code: launches workers, waits at syncs, exchanges, sends packets, patches code, and ends.
#pragma once

#include <vector>

#include "layout.h"
#include "random.h"
#include "tb/model/program.h"

namespace tessera::test {

struct Surroundings {
  struct Events {
    uint32_t address;
    bool receives;
  };
  Layout at = {};
  std::vector<uint32_t> worker_entries;
  std::vector<Events> event_lists;
};

void add_supervisor_segment(Program&, Random&, const Surroundings&);

}  // namespace tessera::test
