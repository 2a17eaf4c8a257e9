// The verilated vector unit, driven one operation a cycle; results come out in order.
#pragma once

#include <cstdint>

#include "Vvector_unit.h"
#include "tb/vector/packed_case.h"
#include "verilated.h"

namespace tessera::tb {

class RtlVector {
 public:
  RtlVector() {
    top_.valid_i = 0;
    wake(true);
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) cycle();
    top_.rst_ni = 1;
  }

  // Whether something may come in the next cycle: true unless said otherwise. The tile knows (operands.sv).
  void wake(bool on) { top_.wake_i = on; }

  // One cycle with `c` in X1.
  void start(const PackedCase& c) {
    top_.valid_i = 1;
    top_.id_i = static_cast<uint16_t>(c.op);
    top_.rm_i = static_cast<uint8_t>(c.control.rm);
    top_.a_i = c.a;
    top_.b_i = c.b;
    top_.c_i = c.c;
    top_.random_i = c.control.random;
    top_.stochastic_i = c.control.stochastic;
    top_.half_overflow_i = c.control.half_overflow & 3;
    top_.f8_i = c.control.f8 & 0x3fff;
    cycle();
  }

  // One cycle without an operation; what the inputs hold must not matter.
  void idle(uint64_t noise) {
    top_.valid_i = 0;
    top_.id_i = noise & 511;
    top_.rm_i = noise >> 9 & 7;
    top_.a_i = noise;
    top_.b_i = ~noise;
    top_.random_i = noise * 3;
    top_.half_overflow_i = noise >> 12 & 3;
    cycle();
  }

  // Of the operation started two cycles ago, counting the last one: M.
  model::VectorResult result() const { return {top_.result_o, top_.flags_o}; }

 private:
  void cycle() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }

  VerilatedContext context_;
  Vvector_unit top_{&context_};
};

}  // namespace tessera::tb
