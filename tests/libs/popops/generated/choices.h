// What a case is made of: a row of small numbers, drawn at random or given. A given row that is shorter, or has smaller
// numbers, makes a simpler case of the same kind, which is how failures are shrunk (shrink.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace popops_test {

class Choices {
 public:
  explicit Choices(std::uint64_t seed) : random_(seed), replays_(false) {}
  // Given ones, and 0 behind them.
  explicit Choices(std::vector<std::uint32_t> given) : given_(std::move(given)), replays_(true) {}

  std::uint32_t below(std::size_t n) {
    std::uint32_t value = 0;
    if (!replays_)
      value = static_cast<std::uint32_t>(random_() % n);
    else if (made_.size() < given_.size())
      value = given_[made_.size()] < n ? given_[made_.size()] : static_cast<std::uint32_t>(n - 1);
    made_.push_back(value);
    return value;
  }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool one_in(std::size_t n) { return below(n) == n - 1; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  const std::vector<std::uint32_t>& made() const { return made_; }

 private:
  std::mt19937_64 random_;
  std::vector<std::uint32_t> given_, made_;
  bool replays_;
};

}  // namespace popops_test
