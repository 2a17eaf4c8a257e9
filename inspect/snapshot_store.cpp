#include "inspect/snapshot_store.h"

#include <algorithm>

namespace tessera::inspect {

size_t SnapshotStore::bytes() const {
  size_t sum = 0;
  for (const Kept& kept : kept_) sum += kept.snapshot->bytes();
  return sum;
}

void SnapshotStore::thin_out(size_t bytes) {
  while (kept_.size() > 3 && this->bytes() > bytes) {
    const uint64_t now = kept_.back().cycle;
    const auto crowded = [&](size_t i) {  // the gap that its loss leaves, for its age
      return static_cast<double>(kept_[i + 1].cycle - kept_[i - 1].cycle) / static_cast<double>(now - kept_[i].cycle);
    };
    size_t most = 1;
    for (size_t i = 2; i + 2 < kept_.size(); ++i)
      if (crowded(i) < crowded(most)) most = i;
    kept_.erase(kept_.begin() + static_cast<ptrdiff_t>(most));
  }
}

void SnapshotStore::forget_after(uint64_t cycle) {
  while (!kept_.empty() && kept_.back().cycle > cycle) kept_.pop_back();
}

const SnapshotStore::Kept* SnapshotStore::before(uint64_t cycle) const {
  const auto after = std::upper_bound(kept_.begin(), kept_.end(), cycle,
                                      [](uint64_t value, const Kept& kept) { return value < kept.cycle; });
  return after == kept_.begin() ? nullptr : &*std::prev(after);
}

}  // namespace tessera::inspect
