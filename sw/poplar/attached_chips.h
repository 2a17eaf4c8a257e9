// Which chips of a DeviceManager's machine are attached. Devices share chips: a pair those of two single ones.
#pragma once

#include <mutex>
#include <vector>

namespace poplar::detail {

struct ChipRange {
  unsigned first = 0, count = 1;
};

class AttachedChips {
 public:
  explicit AttachedChips(unsigned chips) : taken_(chips) {}

  // Takes all of them; false if any is taken, and then none is.
  bool take(ChipRange chips);
  void give_back(ChipRange chips);

 private:
  std::mutex mutex_;
  std::vector<bool> taken_;
};

}  // namespace poplar::detail
