// A fault that a port of the exchange or the packet port meets in a cycle; it squashes the instruction in M.
#pragma once

#include <cstdint>

#include "rtl/spec/causes.h"

namespace tessera::model {

struct PortFault {
  spec::Cause cause = spec::Cause::None;
  uint32_t value = 0;

  explicit operator bool() const { return cause != spec::Cause::None; }
  void raise(spec::Cause why, uint32_t address) {
    // Exchange before config, and of one cause the first.
    if (cause == spec::Cause::Exchange || (cause == why)) return;
    cause = why;
    value = address;
  }
};

// The elements that reads and writes of one cycle use. Each port adds its access; two of a kind in one element clash.
class ElementUse {
 public:
  // True when the element was free for this kind of access.
  bool read(unsigned element) { return take(reads_, element); }
  bool write(unsigned element) { return take(writes_, element); }

 private:
  static bool take(uint64_t& used, unsigned element) {
    const uint64_t bit = uint64_t{1} << element;
    const bool free = !(used & bit);
    used |= bit;
    return free;
  }
  uint64_t reads_ = 0, writes_ = 0;
};

}  // namespace tessera::model
