// xoroshiro128aox bit by bit, as its authors define it (J. Hanlon, S. Felix: A Fast Hardware Pseudorandom Number
// Generator Based on xoroshiro128, IEEE Transactions on Computers 72, 2023; constants 55, 14, 36), and the linear
// algebra over the field of two elements that its published polynomials are checked with.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

namespace tessera::tb {

using PrngBits = std::bitset<128>;  // s0 in bits 63:0, s1 in bits 127:64

PrngBits prng_bits(uint64_t s0, uint64_t s1);
uint64_t reference_output(const PrngBits& state);
PrngBits reference_step(const PrngBits& state);

// A linear map of the state: what each bit alone becomes.
using PrngMatrix = std::array<PrngBits, 128>;
PrngBits mapped(const PrngMatrix& map, const PrngBits& state);
PrngMatrix squared(const PrngMatrix& map);

}  // namespace tessera::tb
