// The verilated special unit, driven as the tile does: six contexts in fixed rotation, each presenting its instruction
// in X1 every six cycles until its last pass, the result being read in M two cycles after that pass.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "Vspecial_unit.h"
#include "rtl/spec/instructions.h"
#include "sim/model/float/vector_result.h"
#include "verilated.h"

namespace tessera::tb {

struct SpecialCase {
  spec::Opcode op;
  uint64_t a;
  uint64_t random;
};

class RtlSpecial {
 public:
  RtlSpecial() {
    top_.valid_i = 0;
    top_.wake_i = 1;  // what comes next is not known here; the tile does (operands.sv)
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) cycle();
    top_.rst_ni = 1;
  }

  // One cycle, the turn of the next slot. A free slot asks `next()` for a case (std::optional); `finish(case, result)`
  // is called with what is in M. In an empty slot the inputs hold `noise`, which must not matter.
  template <class Next, class Finish>
  void step(uint64_t noise, Next next, Finish finish) {
    Slot& slot = slots_[turn_];
    turn_ = (turn_ + 1) % slots_.size();
    if (!slot.running) {
      slot.running = next();
      slot.pass = 0;
    }
    const unsigned passes = slot.running ? spec::info(slot.running->op).slots : 0;
    top_.valid_i = slot.running.has_value();
    top_.start_i = slot.running ? slot.pass == 0 : noise & 1;
    top_.last_i = slot.running ? slot.pass == passes - 1 : noise >> 1 & 1;
    top_.id_i = slot.running ? static_cast<uint16_t>(slot.running->op) : noise >> 2 & 511;
    top_.a_i = slot.running ? slot.running->a : noise;
    top_.random_i = slot.running ? slot.running->random : ~noise;
    cycle();
    if (in_m_) finish(*in_m_, model::VectorResult{top_.result_o, top_.flags_o});
    in_m_.reset();
    if (slot.running && ++slot.pass == passes) {
      in_m_ = slot.running;
      slot.running.reset();
    }
  }

  bool empty() const {
    for (const Slot& slot : slots_) {
      if (slot.running) return false;
    }
    return !in_m_;
  }

 private:
  struct Slot {
    std::optional<SpecialCase> running;
    unsigned pass = 0;
  };

  void cycle() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }

  VerilatedContext context_;
  Vspecial_unit top_{&context_};
  std::array<Slot, 6> slots_;
  size_t turn_ = 0;
  std::optional<SpecialCase> in_m_;  // after the next cycle
};

}  // namespace tessera::tb
