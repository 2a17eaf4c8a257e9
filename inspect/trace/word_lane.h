// Words that pass a port one a cycle, as runs: a run begins in a cycle and at an address (or has a source tile) and
// goes on cycle by cycle. Words that the file holds already, because another lane has them, are left out of it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "inspect/trace/format.h"

namespace tessera::inspect::trace {

struct WordRun {
  uint64_t cycle = 0;
  uint64_t place = 0;  // of its first word: address, source tile, or debug space, context and address
  uint32_t first = 0;  // index of its first word
  uint32_t count = 0;
  bool packet_begins = false, packet_ends = false;
};

class WordLane {
 public:
  // `step`: what a run's place advances by each cycle. begins: the word does not continue a run.
  void add(uint64_t cycle, uint64_t place, unsigned step, uint32_t word, bool begins = false, bool ends = false) {
    if (runs_.empty() || begins || runs_.back().packet_ends || cycle != runs_.back().cycle + runs_.back().count ||
        place != runs_.back().place + uint64_t{step} * runs_.back().count)
      runs_.push_back({cycle, place, static_cast<uint32_t>(words_.size()), 0, begins, false});
    ++runs_.back().count;
    runs_.back().packet_ends = ends;
    words_.push_back(word);
  }
  void clear() {
    runs_.clear();
    words_.clear();
  }

  const std::vector<WordRun>& runs() const { return runs_; }
  uint32_t word(const WordRun& run, uint32_t i) const { return words_[run.first + i]; }

  // The words of cycles cycle, cycle + 1, ...: false when the lane lacks one of them.
  bool gather(uint64_t cycle, uint32_t count, std::vector<uint32_t>& words) const;

  // Where the words of a run may stand already; false: nowhere.
  using Elsewhere = std::function<bool(const WordRun&, std::vector<uint32_t>& words)>;
  void encode(Bytes& runs, Bytes& words, const Elsewhere&) const;
  static WordLane decode(ByteReader runs, ByteReader words, const Elsewhere&);

 private:
  std::vector<WordRun> runs_;
  std::vector<uint32_t> words_;
};

}  // namespace tessera::inspect::trace
