// Straight-line random instructions of a context: every instruction that neither jumps nor belongs to the system part.
#pragma once

#include <utility>
#include <vector>

#include "layout.h"
#include "random.h"
#include "tb/model/program.h"

namespace tessera::test {

// Deals the numbers 0 .. n - 1 in random order, all of them before any comes again.
class OpcodeDeck {
 public:
  uint32_t deal(Random& random, uint32_t n) {
    if (cards_.empty())
      for (uint32_t card = 0; card < n; ++card) cards_.push_back(card);
    std::swap(cards_[random.below(static_cast<uint32_t>(cards_.size()))], cards_.back());
    const uint32_t card = cards_.back();
    cards_.pop_back();
    return card;
  }

 private:
  std::vector<uint32_t> cards_;
};

struct MixOptions {
  bool worker = false;
  bool memory = true;     // loads and stores in the data areas
  bool standard = false;  // only what RISC-V defines, and no result that a clock or an identity enters
  uint32_t rare = 400;  // one instruction in so many may except (float trap enables, bad CSR, stack limit ...); 0: none
  Layout at = {};       // of the data areas (2 * kDataBytes each from data0, data1) and the streams
  OpcodeDeck* deck = nullptr;  // instructions are dealt from it, so that none stays out; else each is drawn anew
};

// Appends one random instruction, or a few that belong together.
void add_random_instruction(Program&, Random&, const MixOptions&);
// Random values for the registers that instructions use, and the bases of the data areas.
void add_register_setup(Program&, Random&, const MixOptions&);

}  // namespace tessera::test
