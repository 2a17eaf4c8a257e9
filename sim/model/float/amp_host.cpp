#include "sim/model/float/amp_host.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "sim/model/float/by_host.h"

namespace tessera::model {
namespace {

using Doubles = double __attribute__((vector_size(64)));
using Longs = int64_t __attribute__((vector_size(64)));
using Floats = float __attribute__((vector_size(32)));
using Words = uint32_t __attribute__((vector_size(32)));
using Floats4 = float __attribute__((vector_size(16)));
using Doubles4 = double __attribute__((vector_size(32)));
using Words4 = uint32_t __attribute__((vector_size(16)));
using Halves4 = uint16_t __attribute__((vector_size(8)));
using Halves8 = uint16_t __attribute__((vector_size(16)));

constexpr uint32_t kNotFinite = 1u << 31;

// A bit for each exponent field that the lanes have: those of subnormals stand with the lowest of normal numbers, those
// of zeros nowhere.
uint32_t exponents_of(uint64_t halves) {
  uint32_t fields = 0;
  for (unsigned lane = 0; lane < 4; ++lane) {
    const auto half = static_cast<uint32_t>(halves >> (16 * lane)) & 0x7fff;
    const uint32_t field = half >> 10;
    fields |= half == 0 ? 0 : 1u << (field == 0 ? 1 : field);
  }
  return fields;
}

unsigned range_of(uint32_t exponents) {
  return exponents == 0 ? 0 : static_cast<unsigned>(31 - std::countl_zero(exponents) - std::countr_zero(exponents));
}

constexpr unsigned kMostRange = 53 - 24;
// Products of numbers whose exponents are those: a sum of four of them is exact in double in whatever order. The last
// bit of a product of x and w weighs 2^(lowest x + lowest w - 50), the sum is below 2^(highest x + highest w - 26).
bool sums_are_exact(uint32_t x, uint32_t weights) {
  return ((x | weights) & kNotFinite) == 0 && range_of(x) + range_of(weights) <= kMostRange;
}

double to_double(uint64_t half) {
  const uint64_t magnitude = (half & 0x7fff) << 42, sign = (half & 0x8000) << 48;
  return std::bit_cast<double>(magnitude | sign) * 0x1p1008;
}

template <class To, class From>
TESSERA_INLINE To as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

template <class Vector, class Element>
TESSERA_INLINE Vector load(const Element* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

// The sum of products and c of eight units. `wrong` is not 0 where it is not the result, bit 31 of `infinite` is 1
// where it is not finite.
TESSERA_INLINE Words sums_of(const std::array<double, 4>& x, const HostWeights& weights, unsigned first, Floats c,
                             Longs& wrong, Words& infinite) {
  const auto product = [&](unsigned lane) __attribute__((always_inline)) {
    return x[lane] * load<Doubles>(&weights.lanes[lane][first]);
  };
  const Doubles products = (product(0) + product(1)) + (product(2) + product(3));
  const Doubles addend = __builtin_convertvector(c, Doubles);
  const Doubles sum = products + addend;
  const Doubles part = sum - products;
  const Doubles error = (products - (sum - part)) + (addend - part);
  // All terms are multiples of the smallest f32: so a small sum is an f32, and the step to f32 rounds wrong only where
  // a sum that is not exact seems to lie halfway between two. (Compilers take comparisons of wide vectors apart.)
  const Longs below_zero_if_halfway = ((as<Longs>(sum) & 0x1fffffff) ^ 0x10000000) - 1;
  wrong |= (below_zero_if_halfway >> 63) & as<Longs>(error) << 1;
  const auto result = as<Words>(__builtin_convertvector(sum, Floats));
  infinite |= (result & 0x7fffffffu) + 0x00800000u;
  return result;
}

template <class Vector>
TESSERA_INLINE bool any(const Vector& vector) {
  using Quarter = uint64_t __attribute__((vector_size(16)));
  std::array<Quarter, sizeof(Vector) / sizeof(Quarter)> parts;
  std::memcpy(&parts, &vector, sizeof vector);
  for (size_t n = 1; n < parts.size(); ++n) parts[0] |= parts[n];
  return (parts[0][0] | parts[0][1]) != 0;
}

TESSERA_INLINE uint32_t any_bit(Words4 x) {
  const auto halves = as<std::array<uint64_t, 2>>(x);
  const uint64_t both = halves[0] | halves[1];
  return static_cast<uint32_t>(both | both >> 32);
}

// Halves that are normal numbers or zeros, as f32. `wrong`: others. `fields`: a bit for the exponent of each but zeros.
TESSERA_INLINE Words widened(Halves8 halves, Words& wrong, Words& fields) {
  const Words x = __builtin_convertvector(halves, Words);
  const Words magnitude = x & 0x7fff, field = magnitude >> 10;
  const Words zero = static_cast<Words>(magnitude == 0);
  wrong = static_cast<Words>((field == 0) | (field == 31)) & ~zero;
  fields = (Words{1, 1, 1, 1, 1, 1, 1, 1} << field) & ~zero;
  return (x & 0x8000) << 16 | (((magnitude + (112u << 10)) << 13) & ~zero);
}

// Results that are normal numbers, from what is one, and zeros.
TESSERA_INLINE uint64_t narrowed(Words4 x, Words4& wrong) {
  const Words4 magnitude = x & 0x7fffffff;
  const auto zero = static_cast<Words4>(magnitude == 0);
  wrong |= static_cast<Words4>(magnitude - 0x38800000u >= 0x47000000u - 0x38800000u) & ~zero;
  const Words4 rounded = (magnitude - 0x38000000u + 0xfff + (magnitude >> 13 & 1)) >> 13;
  return as<uint64_t>(__builtin_convertvector((x >> 16 & 0x8000) | (rounded & ~zero), Halves4));
}

}  // namespace

void take_weights(const Weights& weights, unsigned phase, HostWeights& taken) {
  taken.exponents = 0;
  for (unsigned unit = 0; unit < 16; ++unit) {
    const uint64_t word = weights[4 * unit + phase];
    taken.exponents |= exponents_of(word);
    for (unsigned lane = 0; lane < 4; ++lane) taken.lanes[lane][unit] = to_double(word >> (16 * lane));
  }
  const bool finite = (taken.exponents & kNotFinite) == 0;
  taken.room = finite ? static_cast<float>(kMostRange) - static_cast<float>(range_of(taken.exponents))
                      : std::numeric_limits<float>::quiet_NaN();
}

bool step_on_host(unsigned phase, uint64_t x, uint64_t p, const HostWeights& weights, Accumulators& accumulators,
                  uint64_t& r) {
  static const bool wide = has_wide_vectors();
  return wide ? step_by_wide_vectors(phase, x, p, weights, accumulators, r)
              : step_by_vectors(phase, x, p, weights, accumulators, r);
}

TESSERA_BY_HOST bool step_by_vectors(unsigned phase, uint64_t x, uint64_t p, const HostWeights& weights,
                                     Accumulators& accumulators, uint64_t& r) {
  const bool swap = phase == 0;
  const uint32_t* row = (swap ? accumulators.s : accumulators.a).data();
  const uint32_t* chain = (swap ? accumulators.a : accumulators.s).data();

  Words odd_in, fields;
  const auto in = as<std::array<Words4, 2>>(widened(as<Halves8>(std::array<uint64_t, 2>{x, p}), odd_in, fields));
  if (!sums_are_exact(any_bit(as<std::array<Words4, 2>>(fields)[0]), weights.exponents)) return false;
  const Words4 entering = in[1];
  Words4 odd_out{};
  const uint64_t leaving = narrowed(load<Words4>(chain), odd_out);
  const auto factors = as<std::array<double, 4>>(__builtin_convertvector(as<Floats4>(in[0]), Doubles4));
  Longs wrong{};
  Words infinite{};
  const Words low = sums_of(factors, weights, 0, load<Floats>(row), wrong, infinite);
  const Words high = sums_of(factors, weights, 8, load<Floats>(row + 8), wrong, infinite);
  if (any(wrong) || any(infinite & 0x80000000u) || any(odd_in) || any(odd_out)) return false;

  const std::array<Words4, 4> shifted = {load<Words4>(chain + 4), load<Words4>(chain + 8), load<Words4>(chain + 12),
                                         entering};
  std::memcpy(accumulators.a.data(), &low, sizeof low);
  std::memcpy(accumulators.a.data() + 8, &high, sizeof high);
  for (unsigned n = 0; n < 4; ++n) std::memcpy(accumulators.s.data() + 4 * n, &shifted[n], sizeof shifted[n]);
  r = leaving;
  return true;
}

}  // namespace tessera::model
