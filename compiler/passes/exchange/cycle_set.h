// Cycles in which something is busy, and the search for room between them. Takes memory for what is in it, not for the
// time that it spans.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tessera::compiler {

class CycleSet {
 public:
  // Bit i: whether `cycles` cycles from from + i on are all free; cycles >= 1.
  std::uint64_t starts(std::uint32_t from, std::uint32_t cycles) const;
  // The first of `cycles` cycles at or after `from` that are all free.
  std::uint32_t fit(std::uint32_t from, std::uint32_t cycles);
  // [from, from + cycles), all of them free so far.
  void take(std::uint32_t from, std::uint32_t cycles);
  // Every cycle from here on is free.
  std::uint32_t end() const { return end_; }

 private:
  // The 64 cycles from 64 * number on, some of which are taken.
  struct Word {
    std::uint32_t number;
    std::uint64_t taken;
  };
  static constexpr std::uint32_t kBits = 64;

  // The first word that has this number or a higher one.
  std::size_t find(std::uint32_t number) const {
    if (words_.empty() || number <= words_.front().number) return 0;
    // Mostly no word is missing from the first on.
    const std::size_t guess = number - words_.front().number;
    return guess < words_.size() && words_[guess].number == number ? guess : find_among(number, guess);
  }
  std::size_t find_among(std::uint32_t number, std::size_t last) const;
  std::uint32_t next_free(std::uint32_t from) const;
  std::uint32_t next_taken(std::uint32_t from, std::uint32_t end) const;  // end if none is before
  std::uint32_t search(std::uint32_t from, std::uint32_t cycles) const;

  std::vector<Word> words_;  // ascending; those without a taken cycle are not there
  std::uint32_t end_ = 0;
  std::array<std::uint32_t, 32> least_ = {};  // [k]: before it there is no room for 2^k cycles
};

}  // namespace tessera::compiler
