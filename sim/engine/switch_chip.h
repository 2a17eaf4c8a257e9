// A chip that runs on one backend, on another for some supersteps, and then on the first again, handing over by
// checkpoints: what lies before the window costs no time of the second backend. For whoever uses it, it is one chip:
// one course of cycles, one stream of events.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sim/port/chip.h"

namespace tessera::chip {

// `make_second` is called when superstep `from` is about to begin (at once for 0); what it gave is destroyed after
// `count` supersteps (~0: never). At a boundary that is not settled (checkpoint.md) the change is put off to the next.
std::unique_ptr<Chip> make_switch_chip(std::unique_ptr<Chip> first, std::function<std::unique_ptr<Chip>()> make_second,
                                       uint64_t from, uint64_t count);

}  // namespace tessera::chip
