// Who looks at all chips of a system together: called between their rounds (chip_rounds.h), on one thread, where all
// of them stand.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::link {

class BetweenRounds {
 public:
  struct Standing {
    chip::Stop stop;
    bool moves = false;  // goes on by itself; else it waits for others, or stands for good
    uint64_t from = 0;   // and does nothing before this cycle
  };
  struct Moment {
    std::vector<Standing> chips{};
    bool over = false;  // the run ends, if nobody changes a chip
    // What comes to a chip before this cycle is known: ~0: nothing is on links, and no chip may send before a sync that
    // has not been answered. What leaves a chip takes `latency` at least to reach another.
    uint64_t horizon = ~uint64_t{0};
    uint64_t latency = 0;
    // Tells a chip what comes before a cycle, where it stands.
    std::function<void(uint32_t chip, uint64_t until)> give{};
  };
  virtual ~BetweenRounds() = default;
  // Chips meet here again after so many cycles at most. ~0: nobody looks now.
  virtual uint64_t longest() const = 0;
  // Chips may be taken to their past, and are back when it returns. By chip, whether it has been changed so that it
  // goes on from where it now stands; empty: none. Before the first round, and then between any two.
  virtual std::vector<bool> look(const Moment&) = 0;
  // Somebody lets the chips run, and is told how they stand.
  virtual void begin() = 0;
  virtual void end() = 0;
};

}  // namespace tessera::link
