// Memory accesses of the Xipu extension: loads and stores that update their address, the streams of a paced matrix
// step, and weight loads (arithmetic.md, Loads and stores with address update).
#pragma once

#include <array>
#include <cstdint>

#include "sim/model/lane_unit.h"
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

inline uint32_t stride_of(const FloatContext& floats, unsigned selector) {
  return selector == 0 ? 1 : floats.strides[selector - 1];
}

// Addresses in a triple; `selectors` by address.
inline StreamAccess by_triple(const FloatContext& floats, const Decoded& d, uint8_t used,
                              std::array<unsigned, 3> selectors) {
  StreamAccess access;
  const uint64_t triple = floats.f[d.rs1];
  access.used = used;
  access.base_float = true;
  for (unsigned n = 0; n < 3; ++n) {
    uint32_t at = triple_address(triple, n);
    access.address[n] = at;
    if (access.uses(n)) at += 8 * stride_of(floats, selectors[n]);
    access.base |= triple_part(at, n);
  }
  return access;
}

// Of a paced step.
inline StreamAccess paced_access(const FloatContext& floats, const Decoded& d) {
  using A = StreamAccess;
  const auto pace = spec::pace_of(d.word);
  const auto used = static_cast<uint8_t>((pace.load_x ? A::kRead0 : 0) | (pace.load_p ? A::kRead1 : 0) |
                                         (pace.store_r ? A::kWrite : 0));
  auto access = by_triple(floats, d, used, {pace.select_x, pace.select_p, pace.select_r});
  access.stored = floats.engine.r;
  return access;
}

// The first address at which the accesses fault; false when all are good.
inline bool finds_bad_address(const Memory& memory, const StreamAccess& access, uint32_t& address) {
  for (unsigned n = 0; n < 3; ++n) {
    if (!access.uses(n)) continue;
    const uint32_t at = access.address[n];
    bool good = memory.contains(at) && (at & (access.bytes - 1u)) == 0;
    if (access.wide && n == 0) good = good && at >= memory.region1() && (at & 15) == 0;
    if (good) continue;
    address = at;
    return true;
  }
  return false;
}

// The address at which they clash with each other or with the fetch of the cycle (0: none).
inline bool finds_clash(const Memory& memory, const StreamAccess& access, uint32_t fetched, uint32_t& address) {
  if (access.uses(0) && access.uses(1) && memory.same_element(access.address[0], access.address[1])) {
    address = access.address[1];
    return true;
  }
  if (!fetched) return false;
  for (unsigned n = 0; n < 3; ++n) {
    if (!access.uses(n) || !memory.same_element(access.address[n], fetched)) continue;
    address = access.address[n];
    return true;
  }
  return false;
}

}  // namespace tessera::model
