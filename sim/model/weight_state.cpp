#include "sim/model/weight_state.h"

namespace tessera::model {

uint32_t WeightState::word(unsigned number) const {
  WeightState done = *this;
  done.settle(~uint64_t{0});
  return static_cast<uint32_t>(done.weights_[number / 2 % done.weights_.size()] >> (32 * (number & 1)));
}

void WeightState::set_word(unsigned number, uint32_t value) {
  settle(~uint64_t{0});
  change_all();
  auto& weight = weights_[number / 2 % weights_.size()];
  const unsigned shift = 32 * (number & 1);
  weight = (weight & ~(uint64_t{0xffffffff} << shift)) | uint64_t{value} << shift;
}

}  // namespace tessera::model
