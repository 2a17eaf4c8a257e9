// Drives a ring unit (fp_divsqrt, int_divide) as the tile does: six contexts in fixed rotation, each presenting its
// instruction in X1 every six cycles until its last pass, the result being read in M two cycles after that pass.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "verilated.h"

namespace tessera::tb {

// Operation: what is being computed, with a member `int passes`. Between passes and in empty slots the operand inputs
// are whatever `apply` set last, which belongs to another context.
template <class Top, class Operation>
class RingDriver {
 public:
  RingDriver() {
    top_.valid_i = 0;
    top_.start_i = 0;
    top_.last_i = 0;
    top_.wake_i = 1;  // what comes next is not known here; the tile does (operands.sv)
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) cycle();
    top_.rst_ni = 1;
  }

  // One cycle, the turn of the next slot. A free slot asks `next()` for an operation (std::optional), `apply(top, op)`
  // sets the unit's operand inputs on its first pass, `finish(op, top)` sees the outputs in M.
  template <class Next, class Apply, class Finish>
  void step(Next next, Apply apply, Finish finish) {
    Slot& slot = slots_[turn_];
    turn_ = (turn_ + 1) % slots_.size();
    if (!slot.operation) {
      slot.operation = next();
      slot.pass = 0;
    }
    top_.valid_i = slot.operation.has_value();
    top_.start_i = slot.operation && slot.pass == 0;
    top_.last_i = slot.operation && slot.pass == slot.operation->passes - 1;
    if (top_.start_i) apply(top_, *slot.operation);
    cycle();
    if (in_m_) finish(*in_m_, top_);
    in_m_.reset();
    if (slot.operation && ++slot.pass == slot.operation->passes) {
      in_m_ = slot.operation;
      slot.operation.reset();
    }
  }

  bool empty() const {
    for (const Slot& slot : slots_) {
      if (slot.operation) return false;
    }
    return !in_m_;
  }

 private:
  struct Slot {
    std::optional<Operation> operation;
    int pass = 0;
  };

  void cycle() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }

  VerilatedContext context_;
  Top top_{&context_};
  std::array<Slot, 6> slots_;
  size_t turn_ = 0;
  std::optional<Operation> in_m_;  // after the next cycle
};

}  // namespace tessera::tb
