// What happens to the lanes of a channel, in one of its directions: faults at given cycles, and at random ones drawn
// from a seed (docs/reference/faults.md, Links).
#pragma once

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace tessera::link {

// Of a flit: what it carries, two sequence numbers, the question for more, the checksum (link_layer.h).
constexpr unsigned kFlitBits = 36 + 2 + 32 + 32 + 1 + 16;

// To the flit that leaves in `cycle`.
struct LaneFault {
  enum class Kind : uint8_t { kFlip, kDrop, kDouble, kDown };
  uint64_t cycle = 0;
  Kind kind = Kind::kFlip;
  uint32_t bit = 0;    // flip: of the flit, modulo kFlitBits
  uint64_t until = 0;  // down: up to this cycle, which is not among them, nothing arrives
};

// One every `every` cycles in the mean: gaps are drawn from 1 to 2 * every - 1, kinds evenly.
struct RandomFaults {
  uint64_t seed = 0;
  uint64_t every = 1;                       // 1 to 2^32
  uint64_t first = 0, last = ~uint64_t{0};  // cycles
  std::vector<LaneFault::Kind> kinds = {LaneFault::Kind::kFlip, LaneFault::Kind::kDrop, LaneFault::Kind::kDouble,
                                        LaneFault::Kind::kDown};
  uint64_t longest_down = 60;  // cycles, from 1 on
};

class LaneFaults {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  void add(const LaneFault& fault);  // in any order
  // `stream`: draws of their own for each of the lanes that share a seed.
  void add(const RandomFaults& faults, uint64_t stream);

  uint64_t next() const;  // the cycle of the next one that has not been taken
  // Those of a cycle. Cycles never go back; what lies before has not happened.
  std::vector<LaneFault> take(uint64_t cycle);
  uint64_t taken() const { return taken_; }

 private:
  struct Source {
    RandomFaults faults;
    std::mt19937_64 random;
    uint64_t next = 0;
  };
  static void draw(Source&);

  std::deque<LaneFault> given_;  // by cycle
  std::vector<Source> sources_;
  uint64_t taken_ = 0;
};

}  // namespace tessera::link
