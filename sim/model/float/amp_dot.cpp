#include "sim/model/float/amp_dot.h"

#include <array>
#include <bit>
#include <cmath>

#include "sim/model/float/amp_exact_dot.h"
#include "sim/model/float/by_host.h"
#include "sim/model/float/fp_fma.h"

namespace tessera::model {
namespace {

// The fast way: products of f16, f8 and f32 are exact in double. A sum of them usually is, too; whether it was is told
// by the error of every addition, which two_sum finds exactly. The addition of c is rounded to odd, so that the step to
// f32 is the only rounding. A sum of zero gets the sign that the page wants from IEEE's rules by itself.
struct Sum {
  double value;
  double error;
};

TESSERA_INLINE Sum two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

TESSERA_INLINE float round_odd_to_f32(Sum sum) {
  const auto bits = std::bit_cast<uint64_t>(sum.value);
  const uint64_t inexact = sum.error != 0;
  const uint64_t opposite = (bits ^ std::bit_cast<uint64_t>(sum.error)) >> 63 & inexact;
  return static_cast<float>(std::bit_cast<double>((bits - opposite) | inexact));
}

// A small number of the given widths; exponent field and fraction are placed in those of a double.
template <int kExponentBits, int kFractionBits>
TESSERA_INLINE double to_double(uint64_t bits) {
  constexpr int kBias = kExponentBits == 4 ? 8 : kFractionBits == 2 ? 16 : 15;
  constexpr int kMagnitudeBits = kExponentBits + kFractionBits;
  const uint64_t magnitude = (bits & ((uint64_t{1} << kMagnitudeBits) - 1)) << (52 - kFractionBits);
  const uint64_t sign = bits >> kMagnitudeBits << 63;
  const auto rebias = std::bit_cast<double>(static_cast<uint64_t>(1023 + 1023 - kBias) << 52);
  return std::bit_cast<double>(magnitude | sign) * rebias;
}

TESSERA_INLINE uint64_t any_not_finite_f16(uint64_t x) {
  return ((x & 0x7c007c007c007c00u) + 0x0400040004000400u) & 0x8000800080008000u;
}

TESSERA_INLINE uint64_t any_nan_f8(uint64_t x) {
  const uint64_t zero_if_nan = x ^ 0x8080808080808080u;
  return (zero_if_nan - 0x0101010101010101u) & ~zero_if_nan & 0x8080808080808080u;
}

TESSERA_INLINE bool not_finite_f32(uint32_t x) { return (x & 0x7f800000u) == 0x7f800000u; }

// Replaces the sums by the results. Where `hard` is set the fast way does not hold and `exact(u)` is asked instead.
template <size_t kUnits, class Exact>
TESSERA_INLINE uint8_t finish(const std::array<uint32_t, kUnits>& result, const std::array<uint64_t, kUnits>& hard,
                              uint32_t* sums, Exact exact) {
  uint64_t any = 0;
  uint32_t infinite = 0;
  for (unsigned u = 0; u < kUnits; ++u) any |= hard[u];
  for (unsigned u = 0; u < kUnits; ++u) infinite |= not_finite_f32(result[u]) ? 1 : 0;
  uint8_t flags = 0;
  if ((any | infinite) == 0) {
    for (unsigned u = 0; u < kUnits; ++u) sums[u] = result[u];
    return flags;
  }
  for (unsigned u = 0; u < kUnits; ++u) {
    if (hard[u] == 0 && !not_finite_f32(result[u])) {
      sums[u] = result[u];
    } else {
      const FpResult r = exact(u);
      sums[u] = r.value;
      flags |= r.flags;
    }
  }
  return flags & (fp_flag::NV | fp_flag::OF);
}

// Loops over units of one simple thing each, which compilers turn into vector instructions.
template <size_t kUnits>
struct Units {
  alignas(64) std::array<double, kUnits> value;
};

template <size_t kUnits>
TESSERA_INLINE std::array<uint64_t, kUnits> words_of(const uint64_t* w) {
  std::array<uint64_t, kUnits> words;
  for (unsigned u = 0; u < kUnits; ++u) words[u] = w[kUnitStride * u];
  return words;
}

// One lane of every unit's word times x.
template <int kExponentBits, int kFractionBits, size_t kUnits>
TESSERA_INLINE Units<kUnits> products_of(double x, const std::array<uint64_t, kUnits>& words, unsigned lane) {
  constexpr unsigned kBits = 1 + kExponentBits + kFractionBits;
  Units<kUnits> products;
  for (unsigned u = 0; u < kUnits; ++u) {
    products.value[u] = x * to_double<kExponentBits, kFractionBits>(words[u] >> (kBits * lane) & ((1u << kBits) - 1));
  }
  return products;
}

// a += b; what is lost in it is added to `lost`.
template <size_t kUnits>
TESSERA_INLINE void accumulate(Units<kUnits>& a, const Units<kUnits>& b, Units<kUnits>& lost) {
  for (unsigned u = 0; u < kUnits; ++u) {
    const Sum sum = two_sum(a.value[u], b.value[u]);
    a.value[u] = sum.value;
    lost.value[u] += std::fabs(sum.error);
  }
}

// The sums with c, rounded.
template <size_t kUnits>
TESSERA_INLINE void add_rounded(const Units<kUnits>& products, double scale, const uint32_t* c,
                                std::array<uint32_t, kUnits>& result) {
  for (unsigned u = 0; u < kUnits; ++u) {
    const Sum sum = two_sum(products.value[u] * scale, static_cast<double>(std::bit_cast<float>(c[u])));
    result[u] = std::bit_cast<uint32_t>(round_odd_to_f32(sum));
  }
}

template <size_t kUnits>
TESSERA_INLINE uint8_t dots_f16(uint64_t x, const uint64_t* w, uint32_t* sums) {
  const auto words = words_of<kUnits>(w);
  const auto products = [&](unsigned lane) __attribute__((always_inline)) {
    return products_of<5, 10>(to_double<5, 10>(x >> 16 * lane & 0xffff), words, lane);
  };
  Units<kUnits> lost{};
  auto low = products(0), high = products(2);
  accumulate(low, products(1), lost);
  accumulate(high, products(3), lost);
  accumulate(low, high, lost);
  alignas(64) std::array<uint32_t, kUnits> result;
  add_rounded(low, 1.0, sums, result);
  alignas(64) std::array<uint64_t, kUnits> hard;
  for (unsigned u = 0; u < kUnits; ++u) {
    hard[u] = any_not_finite_f16(x) | any_not_finite_f16(words[u]) | std::bit_cast<uint64_t>(lost.value[u]);
  }
  return finish<kUnits>(result, hard, sums, [&](unsigned u) { return exact_dot_f16(x, words[u], sums[u]); });
}

template <size_t kUnits, int kXExponent, int kWExponent>
TESSERA_INLINE uint8_t dots_f8(uint32_t xf8, uint64_t x, const uint64_t* w, uint32_t* sums) {
  const auto words = words_of<kUnits>(w);
  const auto products = [&](unsigned lane) __attribute__((always_inline)) {
    const double factor = to_double<kXExponent, 7 - kXExponent>(x >> 8 * lane & 0xff);
    return products_of<kWExponent, 7 - kWExponent>(factor, words, lane);
  };
  Units<kUnits> lost{};
  auto a = products(0), b = products(2), c = products(4), d = products(6);
  accumulate(a, products(1), lost);
  accumulate(b, products(3), lost);
  accumulate(c, products(5), lost);
  accumulate(d, products(7), lost);
  accumulate(a, b, lost);
  accumulate(c, d, lost);
  accumulate(a, c, lost);
  alignas(64) std::array<uint32_t, kUnits> result;
  add_rounded(a, std::ldexp(1.0, f8_scale_of(xf8)), sums, result);
  alignas(64) std::array<uint64_t, kUnits> hard;
  for (unsigned u = 0; u < kUnits; ++u) {
    hard[u] = any_nan_f8(x) | any_nan_f8(words[u]) | std::bit_cast<uint64_t>(lost.value[u]);
  }
  return finish<kUnits>(result, hard, sums, [&](unsigned u) { return exact_dot_f8(xf8, x, words[u], sums[u]); });
}

template <size_t kUnits>
TESSERA_INLINE uint8_t dots_f8(uint32_t xf8, uint64_t x, const uint64_t* w, uint32_t* sums) {
  switch (xf8 & 3) {
    case 0:
      return dots_f8<kUnits, 4, 4>(xf8, x, w, sums);
    case 1:
      return dots_f8<kUnits, 5, 4>(xf8, x, w, sums);
    case 2:
      return dots_f8<kUnits, 4, 5>(xf8, x, w, sums);
    default:
      return dots_f8<kUnits, 5, 5>(xf8, x, w, sums);
  }
}

template <size_t kUnits>
TESSERA_INLINE uint8_t dots_f32(uint32_t x, unsigned lane, const uint64_t* w, uint32_t* sums) {
  alignas(64) std::array<uint32_t, kUnits> result;
  alignas(64) std::array<uint64_t, kUnits> hard;
  const auto factor = static_cast<double>(std::bit_cast<float>(x));
  const unsigned shift = 32 * lane;
  for (unsigned u = 0; u < kUnits; ++u) {
    const auto v = static_cast<uint32_t>(w[kUnitStride * u] >> shift);
    const double product = factor * static_cast<double>(std::bit_cast<float>(v));
    const Sum sum = two_sum(product, static_cast<double>(std::bit_cast<float>(sums[u])));
    result[u] = std::bit_cast<uint32_t>(round_odd_to_f32(sum));
    hard[u] = not_finite_f32(v);
  }
  if (not_finite_f32(x)) hard.fill(1);
  return finish<kUnits>(result, hard, sums, [&](unsigned u) {
    const auto v = static_cast<uint32_t>(w[kUnitStride * u] >> shift);
    return fp_fma_by_integers(FpOp::FMADD, FpFormat::F32, RoundingMode::RNE, x, v, sums[u]);
  });
}

}  // namespace

TESSERA_BY_HOST uint8_t dot_f16(unsigned units, uint64_t x, const uint64_t* w, uint32_t* sums) {
  if (units == 16) return dots_f16<16>(x, w, sums);
  return units == 8 ? dots_f16<8>(x, w, sums) : dots_f16<1>(x, w, sums);
}

TESSERA_BY_HOST uint8_t dot_f8(unsigned units, uint32_t xf8, uint64_t x, const uint64_t* w, uint32_t* sums) {
  if (units == 16) return dots_f8<16>(xf8, x, w, sums);
  return units == 8 ? dots_f8<8>(xf8, x, w, sums) : dots_f8<1>(xf8, x, w, sums);
}

TESSERA_BY_HOST uint8_t dot_f32(unsigned units, uint32_t x, unsigned lane, const uint64_t* w, uint32_t* sums) {
  if (units == 16) return dots_f32<16>(x, lane, w, sums);
  return units == 8 ? dots_f32<8>(x, lane, w, sums) : dots_f32<1>(x, lane, w, sums);
}

}  // namespace tessera::model
