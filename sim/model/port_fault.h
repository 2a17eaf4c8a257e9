// What is wrong with the accesses of a cycle, but for an instruction's own: it squashes the instruction in M.
#pragma once

#include <cstdint>

#include "rtl/spec/causes.h"
#include "sim/model/memory.h"

namespace tessera::model {

struct PortFault {
  spec::Cause cause = spec::Cause::None;
  uint32_t value = 0;

  explicit operator bool() const { return cause != spec::Cause::None; }
  void raise(spec::Cause why, uint32_t address) {
    // Parity before exchange before config, and of one cause the first.
    if (cause == spec::Cause::Parity || cause == spec::Cause::Exchange || cause == why) return;
    cause = why;
    value = address;
  }
};

// A word that was read and did not fit its check bits; the tile excepts two cycles behind the read (tile.md, Parity).
struct ParityFault {
  uint64_t due = 0;  // the cycle of the exception; 0: none yet
  uint32_t address = 0;

  bool is_due(uint64_t cycle) const { return due == cycle && due != 0; }
};

// Which words of 32 bits of its double word a read takes: bit 0 the low one, bit 1 the high one.
constexpr unsigned kBothWords = 3;
constexpr unsigned word_at(uint32_t address) { return address & 4 ? 2 : 1; }

// The elements that reads and writes of one cycle use. Each port adds its access; two of a kind in one element clash.
// The first word that is read and does not fit its check bits is noted; reads are added before anything is written.
class MemoryUse {
 public:
  explicit MemoryUse(const Memory& memory) : memory_(memory) {}

  // True when the element was free for this kind of access.
  bool read(uint32_t address, unsigned words) {
    if (bad_word_ == 0 && memory_.damaged()) bad_word_ = memory_.bad_word(address, words);
    return take(reads_, memory_.element_of(address));
  }
  bool write(uint32_t address) { return take(writes_, memory_.element_of(address)); }
  void take_all() { reads_ = writes_ = ~uint64_t{0}; }
  uint32_t bad_word() const { return bad_word_; }  // 0: none

 private:
  static bool take(uint64_t& used, unsigned element) {
    const uint64_t bit = uint64_t{1} << element;
    const bool free = !(used & bit);
    used |= bit;
    return free;
  }
  const Memory& memory_;
  uint64_t reads_ = 0, writes_ = 0;
  uint32_t bad_word_ = 0;
};

}  // namespace tessera::model
