// Breakpoints and watchpoints of the contexts, and who has met one (tile.md, Breakpoints and watchpoints).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "rtl/spec/words.h"
#include "sim/model/context.h"

namespace tessera::model {

// Which words of 64 bits an access of `bytes` at `address` takes.
constexpr uint8_t words_of(uint32_t address, unsigned bytes) {
  return bytes == 8 ? 3 : static_cast<uint8_t>(1u << (address >> 2 & 1));
}

class Triggers {
 public:
  // Of the words of memory at an 8-aligned address: low, high.
  static constexpr uint8_t kLow = 1, kHigh = 2, kBoth = 3;

  // The context's next instruction, at pc, may not issue.
  bool stops(unsigned context, uint32_t pc) const {
    if (!breaks_ || (before_ >> context & 1) != 0) return false;
    return std::ranges::any_of(breakpoints_[context], [&](uint32_t word) {
      const auto point = spec::Breakpoint::decode(word);
      return point.enabled && point.word_pc * 4 == pc;
    });
  }
  bool watches() const { return watches_; }
  // Some context may meet one, or stands before one that it passes.
  bool any() const { return breaks_ || watches_ || before_ != 0; }
  bool watches_read(unsigned context, uint32_t address, uint8_t words) const {
    const auto watch = spec::Watchpoint::decode(watchpoints_[context]);
    return watch.reads && touches(watch, address, words);
  }
  bool watches_write(unsigned context, uint32_t address, uint8_t words) const {
    const auto watch = spec::Watchpoint::decode(watchpoints_[context]);
    return watch.writes && touches(watch, address, words);
  }

  // Contexts that stand before a breakpoint and pass it when they go on; contexts behind a watched access.
  bool any_before() const { return before_ != 0; }
  uint32_t triggered() const { return spec::Triggered{.stands_before = before_, .stands_behind = behind_}.encode(); }
  void stand_before(uint8_t contexts) { before_ |= contexts; }
  void pass(uint8_t contexts) { before_ &= static_cast<uint8_t>(~contexts); }
  void pass_all() { before_ = 0; }
  void stand_behind(uint8_t contexts) { behind_ |= contexts; }
  void go_on(uint8_t contexts) { behind_ &= static_cast<uint8_t>(~contexts); }

  uint32_t breakpoint(unsigned context, unsigned number) const { return breakpoints_[context][number]; }
  uint32_t watchpoint(unsigned context) const { return watchpoints_[context]; }
  void set_breakpoint(uint8_t contexts, unsigned number, uint32_t word) {
    for (unsigned c = 0; c < kContexts; ++c)
      if (contexts >> c & 1) breakpoints_[c][number] = spec::Breakpoint::decode(word).encode();
    breaks_ = true;
  }
  void set_watchpoint(uint8_t contexts, uint32_t word) {
    for (unsigned c = 0; c < kContexts; ++c)
      if (contexts >> c & 1) watchpoints_[c] = spec::Watchpoint::decode(word).encode();
    watches_ = true;
  }

 private:
  static bool touches(const spec::Watchpoint& watch, uint32_t address, uint8_t words) {
    if (watch.size <= 2 && (words >> (watch.word_address & 1) & 1) == 0) return false;
    const unsigned size = std::clamp<unsigned>(watch.size, 3, 20);
    return ((address ^ watch.word_address * 4) & 0xfffff) >> size == 0;
  }

  std::array<std::array<uint32_t, 2>, kContexts> breakpoints_{};
  std::array<uint32_t, kContexts> watchpoints_{};
  bool breaks_ = false, watches_ = false;  // there may be some
  uint8_t before_ = 0, behind_ = 0;
};

}  // namespace tessera::model
