// The verilated fpu, driven one operation a cycle; results come out in order.
#pragma once

#include <array>
#include <cstdint>

#include "Vfpu.h"
#include "tb/float/operands.h"
#include "verilated.h"

namespace tessera::tb {

class RtlFpu {
 public:
  RtlFpu() {
    top_.valid_i = 0;
    wake(true);
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) cycle();
    top_.rst_ni = 1;
  }

  // Whether something may come in the next cycle: true unless said otherwise. The tile knows (operands.sv).
  void wake(bool on) { top_.wake_i = on; }

  // One cycle with `c` in X1.
  void start(const Case& c) {
    top_.valid_i = 1;
    top_.op_i = static_cast<uint8_t>(c.op);
    top_.fmt_i = static_cast<uint8_t>(c.fmt);
    top_.rm_i = static_cast<uint8_t>(c.rm);
    top_.a_i = c.a;
    top_.b_i = c.b;
    top_.c_i = c.c;
    cycle();
  }

  // One cycle without an operation; what the inputs hold must not matter.
  void idle(uint64_t noise) {
    top_.valid_i = 0;
    top_.op_i = noise & 31;
    top_.fmt_i = (noise >> 5) & 1;
    top_.a_i = static_cast<uint32_t>(noise >> 32);
    top_.b_i = ~top_.a_i;
    cycle();
  }

  // Of the operation started two cycles ago, counting the last one: M.
  model::FpResult result() const { return {top_.result_o, top_.flags_o}; }

 private:
  void cycle() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }

  VerilatedContext context_;
  Vfpu top_{&context_};
};

}  // namespace tessera::tb
