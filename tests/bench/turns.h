// The best of several speeds that are compared with each other, measured in turn.
//
// A machine shared with others is slow for seconds at a time, and not all of what is compared meets the same seconds:
// the same two programs read 0.097 to 0.135 of each other within minutes as the best of three. So turns go on until
// they find nothing better any more.
#pragma once

#include <algorithm>
#include <initializer_list>

class Best {
 public:
  void take(double speed) {
    better_ |= speed > 1.01 * value_;
    value_ = std::max(value_, speed);
  }
  double value() const { return value_; }

 private:
  template <class Turn>
  friend int turns_until_steady(std::initializer_list<Best*> all, const Turn& turn);
  double value_ = 0;
  bool better_ = false;  // in this turn, by more than a percent
};

// Calls turn(), which takes each of the figures once or more, until four turns in a row made none of them better by
// more than a percent; 24 times at most. Returns how often.
template <class Turn>
int turns_until_steady(std::initializer_list<Best*> all, const Turn& turn) {
  constexpr int kSteady = 4, kMost = 24;
  int turns = 0;
  for (int steady = 0; steady < kSteady && turns < kMost; ++turns) {
    for (Best* one : all) one->better_ = false;
    turn();
    steady = std::any_of(all.begin(), all.end(), [](const Best* one) { return one->better_; }) ? 0 : steady + 1;
  }
  return turns;
}
