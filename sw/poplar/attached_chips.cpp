#include "sw/poplar/attached_chips.h"

#include <algorithm>

namespace poplar::detail {

bool AttachedChips::take(ChipRange chips) {
  const std::lock_guard lock(mutex_);
  const auto first = taken_.begin() + chips.first, end = first + chips.count;
  if (std::find(first, end, true) != end) return false;
  std::fill(first, end, true);
  return true;
}

void AttachedChips::give_back(ChipRange chips) {
  const std::lock_guard lock(mutex_);
  std::fill_n(taken_.begin() + chips.first, chips.count, false);
}

}  // namespace poplar::detail
