// The verilated ring fp_divsqrt with six contexts that divide and take roots at once.
#pragma once

#include "Vfp_divsqrt.h"
#include "tb/float/operands.h"
#include "tb/float/ring_driver.h"

namespace tessera::tb {

struct DivsqrtOperation {
  Case c;
  int passes;
  model::FpResult want;
};

using RtlDivsqrt = RingDriver<Vfp_divsqrt, DivsqrtOperation>;

inline DivsqrtOperation divsqrt_operation(const Case& c, model::FpResult want) {
  return {c, c.fmt == model::FpFormat::F16 ? 4 : 6, want};
}

// Runs until `next` (std::optional<DivsqrtOperation>()) has given `count` operations and all are done; `finish` gets
// each operation and its result.
template <class Next, class Finish>
void run_divsqrt(RtlDivsqrt& rtl, uint64_t count, Next next, Finish finish) {
  uint64_t started = 0;
  do {
    rtl.step(
        [&] {
          std::optional<DivsqrtOperation> operation;
          if (started < count) operation = next();
          started += operation.has_value();
          return operation;
        },
        [](Vfp_divsqrt& top, const DivsqrtOperation& operation) {
          top.op_i = static_cast<uint8_t>(operation.c.op);
          top.fmt_i = static_cast<uint8_t>(operation.c.fmt);
          top.rm_i = static_cast<uint8_t>(operation.c.rm);
          top.a_i = operation.c.a;
          top.b_i = operation.c.b;
        },
        [&](const DivsqrtOperation& operation, const Vfp_divsqrt& top) {
          finish(operation, model::FpResult{top.result_o, top.flags_o});
        });
  } while (started < count || !rtl.empty());
}

}  // namespace tessera::tb
