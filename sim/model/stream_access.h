// Memory accesses of the Xipu extension: loads and stores that update their address, the streams of a paced matrix
// step, and weight loads (arithmetic.md, Loads and stores with address update).
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/tile_state.h"

namespace tessera::model {

// Accesses of one instruction, all in its M stage: reads at address[0] and address[1], a write at address[2].
struct StreamAccess {
  static constexpr unsigned kRead0 = 1, kRead1 = 2, kWrite = 4;

  std::array<uint32_t, 3> address{};
  uint8_t used = 0;      // which of the three: kRead0 ...
  uint8_t bytes = 8;     // of each access
  bool wide = false;     // 128 bits: read 1 is the second half of read 0
  bool illegal = false;  // as the instruction is written
  uint64_t stored = 0;
  bool base_float = false;  // rs1 is an address triple
  uint64_t base = 0;        // rs1, updated; of weight loads not written

  bool uses(unsigned n) const { return used >> n & 1; }
};

// Of an instruction of unit Stream or Weights, or a paced step.
StreamAccess stream_access(const TileState&, unsigned context, const Decoded&);

// The first address at which the accesses fault; false when all are good.
bool finds_bad_address(const Memory&, const StreamAccess&, uint32_t& address);
// The address at which they clash with each other or with the fetch of the cycle (0: none).
bool finds_clash(const Memory&, const StreamAccess&, uint32_t fetched, uint32_t& address);

}  // namespace tessera::model
