// What stands on links and works cycle by cycle: it is told after each round how far it may go (chip_rounds.h).
#pragma once

#include <cstdint>

namespace tessera::link {

class RoundFollower {
 public:
  virtual ~RoundFollower() = default;
  // All that leaves the chips before `end` has been called out to it: it calls out what that leads to. Ends do not go
  // back.
  virtual void follow(uint64_t end) = 0;
  virtual uint64_t followed() const = 0;  // the last end
  // Something has left a chip and has not been called out yet: rounds have to go on, from followed().
  virtual bool holds() const = 0;
  // Throws std::runtime_error, one line, for what has ended it in `cycle` or before.
  virtual void check(uint64_t cycle) const = 0;
  // As after power-up.
  virtual void restart() = 0;
};

}  // namespace tessera::link
