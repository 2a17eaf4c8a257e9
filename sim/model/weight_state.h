// The weights of the matrix engine, which the workers share, and the loads into it that are under way: a step sees a
// load that was issued six or more cycles before it (arithmetic.md, Weights).
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/float/amp.h"
#include "sim/model/float/amp_host.h"

namespace tessera::model {

class WeightState {
 public:
  static constexpr uint64_t kVisible = 6;   // cycles from the issue of a load to the first step that sees it
  static constexpr uint64_t kPipeline = 8;  // cycles from the issue of a load until its words are stored

  struct Load {
    uint64_t issue = 0;
    uint8_t index = 0;  // of the first word
    uint8_t words = 0;  // 1 or 2; 0: no load
    std::array<uint64_t, 2> data{};
  };

  bool pending() const { return oldest_ != newest_; }
  // A load in M. Issues rise from call to call.
  void load(const Load& load) {
    settle(load.issue);  // later steps are issued later still: so there are never more than six under way
    loads_[newest_++ % loads_.size()] = load;
  }
  // From here on the weights are those that a step issued in `issue` sees.
  void settle(uint64_t issue) {
    while (pending() && loads_[oldest_ % loads_.size()].issue + kVisible <= issue) store();
  }
  // As settled.
  const Weights& seen() const { return weights_; }
  // The same of one phase for the host's vectors, which `made` keeps as long as the weights stay.
  const HostWeights& seen_on_host(unsigned phase, std::array<HostWeights, 4>& made) {
    if ((changed_ >> phase & 1) != 0) {
      take_weights(weights_, phase, made[phase]);
      changed_ &= static_cast<uint8_t>(~(1u << phase));
    }
    return made[phase];
  }
  void change_all() { changed_ = 0xf; }  // nothing is kept of them

  // For the debugger, all loads done.
  uint32_t word(unsigned number) const;
  void set_word(unsigned number, uint32_t value);

 private:
  void store() {
    const auto& load = loads_[oldest_++ % loads_.size()];
    for (unsigned n = 0; n < load.words; ++n) {
      weights_[(load.index + n) % weights_.size()] = load.data[n];
      changed_ |= static_cast<uint8_t>(1u << (load.index + n) % 4);
    }
  }

  Weights weights_{};
  std::array<Load, 8> loads_;
  uint8_t oldest_ = 0, newest_ = 0;  // counted modulo 256
  uint8_t changed_ = 0xf;            // phases, since they were made for the host
};

}  // namespace tessera::model
