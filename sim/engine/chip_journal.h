// Everything that was done to a chip since its reset, so that it can be done again to another one: a failure is
// replayed with waves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::chip {

struct ChipJournal {
  using Words = std::shared_ptr<const std::vector<uint32_t>>;  // shared: snapshots keep copies of the journal
  enum class Call : uint8_t { kRun, kMark, kDebugWrite, kDebugRead, kLoad };
  struct Entry {
    Call call;
    unsigned tile = 0, context = 0;
    DebugSpace space = DebugSpace::kMemory;
    uint32_t address = 0, data = 0;
    uint64_t cycle = 0, budget = 0;  // run: limit and budget; mark: cycle
    Words words;                     // load
  };
  struct HostRead {
    uint64_t arrival;
    Words words;
  };

  std::vector<Entry> entries;
  std::vector<HostRead> reads;  // what host memory gave, in order

  // Does it all to a chip that is as after power-up; its host writes are dropped. Ends early when the chip asks host
  // memory for more than was given, as one that behaves differently may.
  void replay(Chip& chip) const;
};

// The chip, with all that is done to it written down. A reset empties the journal.
std::unique_ptr<Chip> make_journal_chip(std::unique_ptr<Chip> chip, std::shared_ptr<ChipJournal> journal);

}  // namespace tessera::chip
