// Two chips that do the same, as one: every call goes to both, and whatever they retire, write, answer or count is
// compared. The left one talks to the host; the right one is given what the left one got.
//
// A difference throws LockstepDifference, whose text is the report of Lockstep or names the call that differed; after
// that the chip is of no use.
#pragma once

#include <memory>
#include <stdexcept>

#include "systemc/chip/chip.h"
#include "systemc/chip/lockstep.h"

namespace tessera::chip {

struct LockstepDifference : std::runtime_error {
  explicit LockstepDifference(const std::string& what, const Lockstep::Difference& where = {})
      : std::runtime_error(what), where(where) {}
  Lockstep::Difference where;  // tile kNoTile: it is of no tile
};

std::unique_ptr<Chip> make_lockstep_chip(std::unique_ptr<Chip> left, std::unique_ptr<Chip> right,
                                         Lockstep::Names names = {}, Lockstep::WaveHook wave = {});

}  // namespace tessera::chip
