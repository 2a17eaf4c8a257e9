// Who sees what passes between chips. Told on one thread, of each lane in the order of its cycles.
#pragma once

#include <compare>
#include <cstdint>

#include "sim/port/link_port.h"

namespace tessera::link {

class LinkWatch {
 public:
  struct Lane {  // one direction of a channel
    uint32_t link = 0;
    unsigned from = 0, channel = 0;  // from: the end of the link
    auto operator<=>(const Lane&) const = default;
  };
  virtual ~LinkWatch() = default;
  // A word is on the channel at that end in `cycle`; and at the other one: all that have left arrive, in order.
  virtual void left(const Lane&, uint64_t cycle, const chip::LinkWord&) = 0;
  virtual void arrived(const Lane&, uint64_t cycle, const chip::LinkWord&) = 0;
  // The flit that leaves in `cycle` has left before.
  virtual void sent_again(const Lane&, uint64_t cycle) = 0;
  // A chip has waited for that group of its system, or for those of it that are its replica, from when its request left
  // to when the answer came (systems.md).
  virtual void synchronised(uint32_t group, uint32_t chip, uint64_t left, uint64_t answered) = 0;
};

}  // namespace tessera::link
