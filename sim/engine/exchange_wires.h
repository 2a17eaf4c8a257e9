// The exchange between tile instances: what every tile put on its port in recent cycles, for receivers to look up
// (docs/reference/exchange.md). Words are stamped with their cycle, so nothing is ever cleared or shifted. Several
// sources may send at the same time, and receivers look up what was sent long enough before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rtl/spec/machine.h"

namespace tessera::chip {

class ExchangeWires {
 public:
  // `window`: how many cycles a sender may be ahead of a receiver.
  ExchangeWires(const spec::Machine& machine, unsigned window) {
    const unsigned tiles = machine.tiles();
    for (unsigned s = 0; s < tiles; ++s)
      for (unsigned d = 0; d < tiles; ++d) longest_ = std::max(longest_, machine.latency(s, d));
    while ((1u << bits_) < longest_ + window + 2) ++bits_;
    words_.assign(static_cast<size_t>(tiles) << bits_, Word{});
  }

  void clear() { words_.assign(words_.size(), Word{}); }

  // A valid word leaves by the port of `source` in `cycle`. Of two in one cycle, its own and one of a paired transfer
  // of the other tile of its pair, neither is valid.
  void send(unsigned source, uint64_t cycle, uint32_t data) {
    Word& word = words_[index(source, cycle)];
    word = {cycle, data, word.cycle == cycle};
  }

  // What left by the port of `source` in `cycle`: true and the word if it was valid.
  bool sent(unsigned source, uint64_t cycle, uint32_t& data) const {
    const Word& word = words_[index(source, cycle)];
    if (word.cycle != cycle || word.lost) return false;
    data = word.data;
    return true;
  }

  // The words that a receiver in cycle `now` or later may still look up.
  struct InFlight {
    unsigned source;
    uint64_t cycle;
    uint32_t data;
  };  // one that is lost is there twice
  std::vector<InFlight> in_flight(uint64_t now) const {
    std::vector<InFlight> words;
    for (size_t i = 0; i < words_.size(); ++i)
      if (words_[i].cycle != ~0ull && words_[i].cycle + longest_ >= now)
        words.insert(words.end(), words_[i].lost ? 2 : 1,
                     {static_cast<unsigned>(i >> bits_), words_[i].cycle, words_[i].data});
    return words;
  }
  void set_in_flight(const std::vector<InFlight>& words) {
    clear();
    for (const InFlight& word : words) send(word.source, word.cycle, word.data);
  }

 private:
  struct Word {
    uint64_t cycle = ~0ull;
    uint32_t data = 0;
    bool lost = false;
  };
  size_t index(unsigned source, uint64_t cycle) const {
    return (static_cast<size_t>(source) << bits_) | (cycle & ((1u << bits_) - 1));
  }

  unsigned bits_ = 0, longest_ = 0;
  std::vector<Word> words_;
};

}  // namespace tessera::chip
