// The instructions of the Xipu extension's arithmetic in M: units Packed, Special, Amp, Random, Lane, Stream, Weights
// and Repeat (arithmetic.md).
#pragma once

#include "sim/model/execute.h"

namespace tessera::model {

void execute_extension(const TileState&, const Issued&, uint32_t fetched, Execution&);

// Instructions that a repeated body must not hold.
constexpr bool illegal_in_body(spec::Unit unit) {
  using enum spec::Unit;
  return unit == Branch || unit == System || unit == Fence || unit == Csr || unit == Repeat;
}

}  // namespace tessera::model
