#include "compiler/passes/exchange/cycle_set.h"

#include <algorithm>

namespace tessera::compiler {

std::size_t CycleSet::find_among(std::uint32_t number, std::size_t last) const {
  const auto end = words_.begin() + static_cast<std::ptrdiff_t>(std::min(last, words_.size()));
  const auto found =
      std::lower_bound(words_.begin(), end, number, [](const Word& w, std::uint32_t n) { return w.number < n; });
  return static_cast<std::size_t>(found - words_.begin());
}

std::uint32_t CycleSet::next_free(std::uint32_t from) const {
  std::uint32_t number = from / kBits;
  std::uint64_t before = (std::uint64_t{1} << from % kBits) - 1;  // cycles that do not count
  for (std::size_t i = find(number); i < words_.size() && words_[i].number == number; ++i, ++number, before = 0)
    if (const std::uint64_t free = ~(words_[i].taken | before); free != 0)
      return number * kBits + static_cast<std::uint32_t>(std::countr_zero(free));
  return std::max(from, number * kBits);
}

std::uint32_t CycleSet::next_taken(std::uint32_t from, std::uint32_t end) const {
  const std::uint32_t number = from / kBits;
  const std::uint64_t counts = ~std::uint64_t{0} << from % kBits;
  std::size_t i = find(number);
  if (i < words_.size() && words_[i].number == number) {
    if (const std::uint64_t taken = words_[i].taken & counts; taken != 0)
      return std::min(end, number * kBits + static_cast<std::uint32_t>(std::countr_zero(taken)));
    ++i;
  }
  if (i == words_.size()) return end;
  return std::min(end, words_[i].number * kBits + static_cast<std::uint32_t>(std::countr_zero(words_[i].taken)));
}

std::uint64_t CycleSet::starts(std::uint32_t from, std::uint32_t cycles) const {
  if (from >= end_) return ~std::uint64_t{0};
  const std::uint32_t number = from / kBits, skew = from % kBits;
  // One cycle needs no look beyond 64.
  const std::uint32_t seen = cycles == 1 ? 2 : 3;
  std::array<std::uint64_t, 3> taken = {};
  for (std::size_t i = find(number); i < words_.size() && words_[i].number - number < seen; ++i)
    taken[words_[i].number - number] = words_[i].taken;
  // Free cycles of the 128 from `from` on.
  const auto free_from = [&](std::size_t w) {
    return ~(skew == 0 ? taken[w] : taken[w] >> skew | taken[w + 1] << (kBits - skew));
  };
  std::uint64_t low = free_from(0), high = free_from(1);
  if (cycles == 1) return low;
  if (cycles <= kBits) {
    for (std::uint32_t run = 1; run < cycles;) {
      const std::uint32_t step = std::min(run, cycles - run);
      low &= low >> step | high << (kBits - step);
      high &= high >> step;
      run += step;
    }
    return low;
  }
  // What is so long begins after all that is taken here, and ends before what is taken next.
  const auto first = static_cast<std::uint32_t>(kBits - std::countl_one(low));
  const std::uint32_t room = next_taken(from + first, from + kBits + cycles) - from;  // its end
  if (first == kBits || room < first + cycles) return 0;
  return (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (kBits - 1 - std::min(room - cycles, kBits - 1)));
}

std::uint32_t CycleSet::search(std::uint32_t from, std::uint32_t cycles) const {
  for (;;) {
    from = next_free(from);
    if (cycles == 1) return from;
    const std::uint32_t taken = next_taken(from, from + cycles);
    if (taken == from + cycles) return from;
    from = taken;
  }
}

std::uint32_t CycleSet::fit(std::uint32_t from, std::uint32_t cycles) {
  const unsigned k = static_cast<unsigned>(std::bit_width(cycles)) - 1;
  if (from > least_[k]) return search(from, cycles);
  // Nothing becomes free again: where there was no room there is none.
  least_[k] = search(least_[k], std::uint32_t{1} << k);
  return search(std::max(from, least_[k]), cycles);
}

void CycleSet::take(std::uint32_t from, std::uint32_t cycles) {
  const std::uint32_t end = from + cycles;
  end_ = std::max(end_, end);
  const std::uint32_t first = from / kBits, last = (end - 1) / kBits;
  std::size_t i = find(first);
  // The words between the first and the last cannot be there yet.
  const bool has_first = i < words_.size() && words_[i].number == first;
  const std::size_t next = i + (has_first ? 1 : 0);
  const bool has_last = last == first ? has_first : next < words_.size() && words_[next].number == last;
  const std::uint32_t there = last == first ? (has_first ? 1 : 0) : (has_first ? 1 : 0) + (has_last ? 1 : 0);
  const std::uint32_t missing = last - first + 1 - there;
  words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(next), missing, Word{0, 0});
  for (std::uint32_t number = first; number <= last; ++number, ++i) {
    const std::uint32_t low = number == first ? from % kBits : 0;
    const std::uint32_t high = number == last ? (end - 1) % kBits : kBits - 1;
    words_[i].number = number;
    words_[i].taken |= (~std::uint64_t{0} << low) & (~std::uint64_t{0} >> (kBits - 1 - high));
  }
}

}  // namespace tessera::compiler
