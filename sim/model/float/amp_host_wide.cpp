// step_on_host() with AVX-512: half precision, masks and vectors of eight doubles.
#include "sim/model/float/amp_host.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#include <immintrin.h>

#include <limits>

#define TESSERA_WIDE __attribute__((target("arch=x86-64-v4")))

namespace tessera::model {
namespace {

constexpr int kNotFinite = 0x99;  // classes of fpclass: NaNs and infinities

// How far the exponents of the four lie apart; of zeros there are none, and less than nothing if all are.
TESSERA_WIDE inline float range_of(__m128 x) {
  const __m128 exponents = _mm_getexp_ps(x);  // of zero -infinity
  const __mmask8 zeros = _mm_cmp_ps_mask(x, _mm_setzero_ps(), _CMP_EQ_OQ);
  const __m128 none = _mm_set1_ps(-std::numeric_limits<float>::infinity());
  const __m128 down = _mm_mask_mov_ps(_mm_sub_ps(_mm_setzero_ps(), exponents), zeros, none);
  __m256 both = _mm256_insertf128_ps(_mm256_castps128_ps256(exponents), down, 1);
  both = _mm256_max_ps(both, _mm256_permute_ps(both, 0x4e));
  both = _mm256_max_ps(both, _mm256_permute_ps(both, 0xb1));
  return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(both), _mm256_extractf128_ps(both, 1)));
}

// Of eight units; false where a sum that is not exact seems to lie halfway between two f32.
TESSERA_WIDE inline bool add(const __m512d (&x)[4], const HostWeights& weights, unsigned first, const uint32_t* c,
                             __m256& result) {
  const auto weight = [&](unsigned lane) TESSERA_WIDE { return _mm512_load_pd(&weights.lanes[lane][first]); };
  // Exact in whatever order, and fused or not.
  __m512d products = _mm512_mul_pd(x[0], weight(0));
  products = _mm512_fmadd_pd(x[1], weight(1), products);
  products = _mm512_fmadd_pd(x[2], weight(2), products);
  products = _mm512_fmadd_pd(x[3], weight(3), products);
  const __m512d addend = _mm512_cvtps_pd(_mm256_loadu_ps(reinterpret_cast<const float*>(c)));
  const __m512d sum = _mm512_add_pd(products, addend);
  const __m512d part = _mm512_sub_pd(sum, products);
  const __m512d error = _mm512_add_pd(_mm512_sub_pd(products, _mm512_sub_pd(sum, part)), _mm512_sub_pd(addend, part));
  const __m512i below = _mm512_and_epi64(_mm512_castpd_si512(sum), _mm512_set1_epi64(0x1fffffff));
  const __mmask8 halfway = _mm512_cmpeq_epi64_mask(below, _mm512_set1_epi64(0x10000000));
  result = _mm512_cvtpd_ps(sum);
  return _mm512_mask_cmp_pd_mask(halfway, error, _mm512_setzero_pd(), _CMP_NEQ_UQ) == 0;
}

}  // namespace

TESSERA_WIDE bool step_by_wide_vectors(unsigned phase, uint64_t x, uint64_t p, const HostWeights& weights,
                                       Accumulators& accumulators, uint64_t& r) {
  // Exact, whatever they are; flags are due for NaNs alone.
  const __m256 in = _mm256_cvtph_ps(_mm_set_epi64x(static_cast<int64_t>(p), static_cast<int64_t>(x)));
  const __m128 inputs = _mm256_castps256_ps128(in), entering = _mm256_extractf128_ps(in, 1);
  if (_mm256_fpclass_ps_mask(in, kNotFinite) != 0 || !(range_of(inputs) <= weights.room)) return false;

  const bool swap = phase == 0;
  const uint32_t* row = (swap ? accumulators.s : accumulators.a).data();
  const __m512 chain = _mm512_loadu_ps((swap ? accumulators.a : accumulators.s).data());
  const __m512d four = _mm512_broadcast_f64x4(_mm256_cvtps_pd(inputs));
  const __m512d lanes[4] = {_mm512_permutex_pd(four, 0x00), _mm512_permutex_pd(four, 0x55),
                            _mm512_permutex_pd(four, 0xaa), _mm512_permutex_pd(four, 0xff)};
  __m256 low, high;
  if (!add(lanes, weights, 0, row, low) || !add(lanes, weights, 8, row + 8, high)) return false;
  const __m512 sums = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
  // Results below the largest f16's half a place, so that none overflows.
  const __m128 leaving = _mm512_castps512_ps128(chain);
  const __m128 magnitude = _mm_andnot_ps(_mm_set1_ps(-0.0f), leaving);
  if (_mm512_fpclass_ps_mask(sums, kNotFinite) != 0 || _mm_cmp_ps_mask(magnitude, _mm_set1_ps(65520), _CMP_NLT_UQ) != 0)
    return false;

  r = static_cast<uint64_t>(_mm_cvtsi128_si64(_mm_cvtps_ph(leaving, _MM_FROUND_TO_NEAREST_INT)));
  const __m512i shifted =
      _mm512_alignr_epi32(_mm512_castsi128_si512(_mm_castps_si128(entering)), _mm512_castps_si512(chain), 4);
  _mm512_storeu_ps(accumulators.a.data(), sums);
  _mm512_storeu_si512(accumulators.s.data(), shifted);
  return true;
}

bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("x86-64-v4");
  return has;
}

}  // namespace tessera::model
#else
namespace tessera::model {

bool step_by_wide_vectors(unsigned, uint64_t, uint64_t, const HostWeights&, Accumulators&, uint64_t&) { return false; }
bool has_wide_vectors() { return false; }

}  // namespace tessera::model
#endif
