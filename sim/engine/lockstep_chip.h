// Two chips that do the same, as one: every call goes to both, and whatever they retire, write, answer or count is
// compared. The left one talks to the host; the right one is given what the left one got.
//
// A difference throws LockstepDifference, whose text is the report of Lockstep or names the call that differed; after
// that the chip is of no use.
#pragma once

#include <memory>

#include "sim/engine/lockstep.h"
#include "sim/port/chip.h"
#include "sim/port/lockstep_difference.h"

namespace tessera::chip {

std::unique_ptr<Chip> make_lockstep_chip(std::unique_ptr<Chip> left, std::unique_ptr<Chip> right,
                                         Lockstep::Names names = {});

}  // namespace tessera::chip
