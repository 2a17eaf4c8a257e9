// How long the supervisor issues instructions, where nothing but itself keeps it waiting (docs/reference/tile.md): what
// outlining weighs by.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::compiler {

class SupervisorTime {
 public:
  // The next instruction, taken not to branch away unless it is a jump.
  void issue(std::uint32_t word);
  // Cycles from the issue of the first instruction to where the next could issue.
  std::uint64_t cycles() const { return next_; }

 private:
  std::array<std::uint64_t, 32> ready_{};  // first cycle in which a reader may issue
  std::uint64_t next_ = 0;                 // first cycle in which anything may issue
  std::uint64_t quiet_ = 0;                // first cycle in which a serialising instruction may issue
};

}  // namespace tessera::compiler
