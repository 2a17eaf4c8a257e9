// What the workers of every tile start with: float control and random number generators (docs/reference/control.md,
// Before the start).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sw/card/client.h"

namespace tessera::runtime {

// Result of a packed or matrix operation that overflows f16.
enum class HalfOverflow : uint32_t { kByRounding = 0, kLargest = 1, kNan = 2 };

struct WorkerStart {
  // Fields of CSR xfpictl.
  static constexpr uint32_t kTrapInvalid = 1, kTrapDivision = 2, kTrapOverflow = 4, kStochastic = 8;
  static constexpr uint32_t kHalfOverflowShift = 4, kHalfOverflowMask = 3;

  uint32_t workers = 6;      // of a tile
  bool trap_floats = false;  // invalid operations, division by zero and overflow are exceptions
  bool stochastic_rounding = false;
  HalfOverflow half_overflow = HalfOverflow::kByRounding;
  std::optional<uint64_t> seed;  // none: generators as after reset, alike on all tiles

  uint32_t float_control() const;  // CSR xfpictl
};

// The generator's words xprng0..3 of a worker, for a seed. No two workers of a machine have the same.
std::array<uint32_t, 4> generator_state(uint64_t seed, uint32_t tile, uint32_t worker);

// Through the debug registers, on a chip that was reset and not started. Writes nothing that is as after reset.
// first: number in the device of the chip's tile 0.
void write_worker_start(card::Client::Writes& writes, const WorkerStart& start, uint32_t tiles, uint32_t first = 0);

}  // namespace tessera::runtime
