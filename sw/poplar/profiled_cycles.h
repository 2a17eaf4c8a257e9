// Which of the machine's cycles an engine's execution profile counts: those since the load or the last reset, but for
// the spans in which profiling was off.
#pragma once

#include "sim/port/chip.h"

namespace tessera::runtime {

class ProfiledCycles {
 public:
  // `now` is what the machine has counted since the load.
  chip::Counters of(const chip::Counters& now) const;
  void reset(const chip::Counters& now);
  void disable(const chip::Counters& now);
  void enable(const chip::Counters& now);
  void loaded();  // the machine counts from the start again

 private:
  chip::Counters left_out_;
  bool off_ = false;
  chip::Counters off_since_;
};

}  // namespace tessera::runtime
