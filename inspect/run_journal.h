// What came to a chip from outside since its reset: marks, debug accesses, loads, and what host memory answered. With a
// snapshot it makes the past repeatable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "sim/port/chip.h"

namespace tessera::inspect {

class RunJournal {
 public:
  enum class Call : uint8_t { kMark, kDebugWrite, kDebugRead, kLoad };
  struct Entry {
    Call call = Call::kMark;
    chip::DebugSpace space = chip::DebugSpace::kMemory;
    unsigned tile = 0, context = 0;
    uint32_t address = 0;
    uint32_t data = 0;              // written; value of a mark; distance of the addresses read
    uint32_t count = 1;             // of reads
    uint64_t at = 0;                // cycle of the chip before it
    uint64_t cycle = 0;             // mark: its arrival
    std::vector<uint32_t> words{};  // load
  };
  struct HostRead {
    uint64_t arrival = 0;
    std::vector<uint32_t> words;
  };
  // A place between two entries: numbers count from the reset. `part`: accesses of entry `entry` that are done.
  struct Place {
    uint64_t entry = 0, read = 0;
    uint32_t part = 0;
  };

  void add(Entry entry);  // reads of successive addresses are joined
  void add(HostRead read);
  void clear();

  // Also: what is there now is not added to, so that the place may be kept.
  Place seal();
  Place end() const { return {first_.entry + entries_.size(), first_.read + reads_.size(), 0}; }
  const Entry& entry(uint64_t number) const { return entries_.at(number - first_.entry); }
  const HostRead& read(uint64_t number) const { return reads_.at(number - first_.read); }
  // Does what is left of the entry at `place`, as long as the chip stands before cycle `until`, and moves the place on.
  void apply(Place& place, chip::Chip& chip, uint64_t until) const;

  void forget_before(const Place& place);
  void forget_after(const Place& place);
  size_t bytes() const { return bytes_; }

 private:
  static size_t size_of(const Entry& entry) { return sizeof entry + 4 * entry.words.size(); }
  static size_t size_of(const HostRead& read) { return sizeof read + 4 * read.words.size(); }

  Place first_;          // of what is kept
  uint64_t sealed_ = 0;  // entries before this number
  std::deque<Entry> entries_;
  std::deque<HostRead> reads_;
  size_t bytes_ = 0;
};

}  // namespace tessera::inspect
