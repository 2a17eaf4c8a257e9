// Bits and lanes of float registers (unit Lane), address triples among them.
#pragma once

#include <cstdint>

#include "sim/model/decode.h"

namespace tessera::model {

// a, b: rs1 and rs2, each an integer or a float register as the format says. The result goes to an integer or float
// register by the format too.
uint64_t lane_result(const Decoded&, uint64_t a, uint64_t b);

// An address triple: three addresses in units of 8 bytes.
constexpr uint64_t kTripleMask = 0x1fffff;
constexpr unsigned kTripleBits = 21;
constexpr uint32_t triple_address(uint64_t triple, unsigned n) {  // in bytes
  return static_cast<uint32_t>(triple >> (kTripleBits * n) & kTripleMask) * 8;
}
constexpr uint64_t triple_part(uint32_t address, unsigned n) {  // of a byte address
  return (uint64_t{address} >> 3 & kTripleMask) << (kTripleBits * n);
}

}  // namespace tessera::model
