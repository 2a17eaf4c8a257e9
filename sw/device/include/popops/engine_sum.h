// Sums of columns of halves by the matrix engine (docs/reference/arithmetic.md): a paced step loads four halves and
// adds the four that the step before it loaded, exactly and rounded once to float, as f16v4acc does.
//
// In phase p = 1, 2, 3 lane l of the input goes to accumulator 4 (p - 1) + l. Phase 0 is not used: it would exchange
// the accumulators. All other weights of accumulators 0..12 are zeros. What is not finite would so turn other columns
// into NaNs, and accumulator 12 too: that is how it is found.
#pragma once

#include <ipu_builtins.h>
#include <tessera/assembly.h>
#include <ipu_intrinsics>

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <poplar/Vertex.hpp>

namespace popops::reduction {

constexpr unsigned kSumPhases = 3;  // registers of four columns that are summed together
constexpr unsigned kSumUnits = 4 * kSumPhases + 1;

constexpr std::array<std::uint64_t, 4 * kSumUnits> sum_weights() {
  std::array<std::uint64_t, 4 * kSumUnits> out{};
  for (unsigned unit = 0; unit < 4 * kSumPhases; ++unit)
    out[4 * unit + 1 + unit / 4] = std::uint64_t{0x3c00} << 16 * (unit % 4);  // 1.0 for a lane
  return out;
}
inline constexpr std::array<std::uint64_t, 4 * kSumUnits> kSumWeights = sum_weights();

template <unsigned kNumber>
[[gnu::always_inline]] inline void load_sum_weight() {
  if constexpr (kNumber % 4 != 0) __builtin_ipu_ld64putcs(kSumWeights.data(), kNumber);
}
template <unsigned... kNumber>
[[gnu::always_inline]] inline void load_weights(std::integer_sequence<unsigned, kNumber...>) {
  (load_sum_weight<kNumber>(), ...);
}
// By the supervisor, before the workers' sums.
[[gnu::always_inline]] inline void load_sum_weights() {
  load_weights(std::make_integer_sequence<unsigned, kSumWeights.size()>());
}

// A step of phase kPhase, which loads the next register: the address moves by one, or by the stride of a selector.
template <unsigned kPhase, unsigned kSelect>
[[gnu::always_inline]] inline void sum_step(ipu::AddressTriple& at) {
  xipu_f16v4hihov4amppace(at.bits, kPhase, kSelect, XIPU_LOAD_X);
}

// Four sums to `out`, and zeros in their place.
template <unsigned kGroup>
[[gnu::always_inline]] inline void leave_sums(half*& out) {
  const half4 sums = __builtin_ipu_f16v4gina(half4(0.0_h), kGroup);
  auto* to = reinterpret_cast<half4*>(out);
  ipu::store_postinc(&to, sums, 1);
  out = reinterpret_cast<half*>(to);
}
template <unsigned kGroup>
[[gnu::always_inline]] inline void leave_sums(float*& out) {
  const float2 zero(0.0f);
  const float2 low = __builtin_ipu_f32v2gina(zero, 2 * kGroup), high = __builtin_ipu_f32v2gina(zero, 2 * kGroup + 1);
  auto* to = reinterpret_cast<float2*>(out);
  ipu::store_postinc(&to, low, 1);
  ipu::store_postinc(&to, high, 1);
  out = reinterpret_cast<float*>(to);
}

// How a matrix of halves is split: rows, of `stride` registers of four columns each, one after another.
struct SumShares {
  unsigned rows;         // 2 or more
  unsigned stride;       // ... of which kSumPhases make a group:
  unsigned least, more;  // groups of each worker, at least one, and how many workers have one more
  unsigned left;         // registers that make no group, which the last worker takes too
};

// A worker's share of the sums of the columns; otherwise(first register, registers) makes those of which an operand is
// not finite.
template <class Out, class Otherwise>
[[gnu::always_inline]] inline void sum_by_engine(unsigned worker, const half* matrix, const SumShares& shares, Out* out,
                                                 Otherwise otherwise) {
  const int stride = static_cast<int>(shares.stride), again = static_cast<int>(shares.rows) - 1;
  unsigned groups = shares.least, first = worker * groups;
  if (worker < shares.more) {
    ++groups;
    first += worker;
  } else {
    first += shares.more;
  }
  first *= kSumPhases;
  const auto* in = reinterpret_cast<const half4*>(matrix) + first;
  out += 4 * first;
  __builtin_ipu_put(stride - 2, TESSERA_CSR_XSTRIDE1);          // from the last register of a row to the next row
  __builtin_ipu_put(1 - again * stride, TESSERA_CSR_XSTRIDE2);  // from the last row to the next group
  unsigned control;                                             // zero times infinity is not the program's
  asm volatile("csrrci %0, %1, 1" : "=r"(control) : "i"(TESSERA_CSR_XFPCTL) : "memory");
  __builtin_ipu_aacc_zero();
  ipu::AddressTriple at(in, nullptr);
  sum_step<1, 0>(at);  // adds zeros
  unsigned registers = kSumPhases * groups;
  const Out* const end = out + 4 * registers;
  do {
    asm volatile(
        "xipu_rpt %1, 3\n"
        "xipu_f16v4hihov4amppace %0, 1, 0, 4\n"
        "xipu_f16v4hihov4amppace %0, 2, 1, 4\n"
        "xipu_f16v4hihov4amppace %0, 3, 0, 4"
        : "+f"(at.bits)
        : "r"(again)
        : "memory");
    sum_step<1, 0>(at);
    sum_step<2, 2>(at);
    sum_step<3, 0>(at);
    leave_sums<0>(out);
    leave_sums<1>(out);
    leave_sums<2>(out);
  } while (out != end);
  if (shares.left != 0 && worker + 1 == poplar::MultiVertex::numWorkers()) {
    // The first one is loaded. What is loaded behind the last column is in the second row.
    __builtin_ipu_put(stride, TESSERA_CSR_XSTRIDE1);
    const half4* next = in + registers;
    registers += shares.left;
    for (unsigned left = shares.left; left != 0; --left) {
      at = ipu::AddressTriple(next + stride, nullptr);
      asm volatile("xipu_rpt %1, 1\n xipu_f16v4hihov4amppace %0, 1, 1, 4" : "+f"(at.bits) : "r"(again) : "memory");
      at = ipu::AddressTriple(++next, nullptr);
      sum_step<1, 0>(at);
      leave_sums<0>(out);
    }
  }
  const float2 found = __builtin_ipu_f32v2gina(float2(0.0f), 6);
  __builtin_ipu_put(control, TESSERA_CSR_XFPCTL);
  if (found.get(0) != 0.0f) otherwise(first, registers);
}

}  // namespace popops::reduction
