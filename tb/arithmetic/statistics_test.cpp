// Statistics of what programs get from the generator: uniform and Gaussian draws, stochastic rounding, masks.
//
// The streams are those that the workers have after reset, so a run always sees the same draws; the level of 0.001 is a
// bound on bad luck that was had once, not on every run.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

#include "rtl/spec/instructions.h"
#include "sim/model/float/amp.h"
#include "sim/model/float/packed.h"
#include "sim/model/float/prng.h"
#include "sim/model/float/special.h"
#include "tb/arithmetic/distribution.h"
#include "tb/arithmetic/exact_number.h"
#include "tb/arithmetic/test_size.h"

namespace tessera::tb {
namespace {

using model::FloatControl;
using model::Prng;
using spec::Opcode;

constexpr double kLevel = 0.001;

uint64_t draw(Prng& prng) {
  const uint64_t result = peek(prng);
  advance(prng);
  return result;
}

void require_likely(const char* what, double p) {
  std::printf("%-60s p = %.4f\n", what, p);
  INFO(what);
  REQUIRE(p > kLevel);
  REQUIRE(p < 1 - kLevel);  // too good is not random either
}

double half_value(uint32_t bits) {
  const Decoded d = decode_number(kF16, bits);
  return std::ldexp(static_cast<double>(d.significand), d.exponent) * (d.negative ? -1 : 1);
}

std::vector<double> even(size_t bins) { return std::vector<double>(bins, 1.0 / static_cast<double>(bins)); }

TEST_CASE("the tests reject samples that are a little wrong") {
  Prng prng = model::seeded(99);
  std::vector<uint64_t> counts(256);
  std::vector<float> uniform, normal;
  for (int i = 0; i < 1000000; ++i) {
    const uint64_t r = draw(prng);
    counts[r % 251 == 0 ? 17 : r >> 56]++;  // one value too often
    uniform.push_back(static_cast<float>(r >> 40) * 0x1p-24f * 1.003f);
    const uint64_t lanes = model::special_execute(Opcode::F32v2grand, 0, r).value;
    normal.push_back(std::bit_cast<float>(static_cast<uint32_t>(lanes)) * 1.01f);
  }
  REQUIRE(chi_square_p(counts, even(256)) < 1e-6);
  REQUIRE(kolmogorov_smirnov_p(uniform, [](double x) { return std::min(x, 1.0); }) < 1e-3);
  REQUIRE(kolmogorov_smirnov_p(normal, normal_cdf) < 1e-3);
}

TEST_CASE("random integers are uniform in every byte, for every worker") {
  for (uint32_t worker = 0; worker < 6; ++worker) {
    Prng prng = model::seeded(worker);
    std::vector<std::vector<uint64_t>> bytes(8, std::vector<uint64_t>(256));
    std::vector<uint64_t> successive(4096);
    uint64_t before = 0;
    const uint64_t count = case_count(2000000, 10000000);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t r = draw(prng);
      for (unsigned b = 0; b < 8; ++b) ++bytes[b][r >> 8 * b & 255];
      ++successive[(before >> 58) << 6 | r >> 58];  // six bits of this draw and the one before
      before = r;
    }
    double worst = 1;
    for (const auto& counts : bytes) worst = std::min(worst, chi_square_p(counts, even(256)));
    std::printf("worker %u: smallest p of eight bytes %.4f, successive draws %.4f\n", worker, worst,
                chi_square_p(successive, even(4096)));
    REQUIRE(worst > kLevel);
    REQUIRE(chi_square_p(successive, even(4096)) > kLevel);
  }
}

TEST_CASE("uniform numbers pass chi-square and Kolmogorov-Smirnov") {
  const uint64_t count = case_count(2000000, 10000000);
  Prng prng = model::seeded(0);
  std::vector<uint64_t> counts(1000);
  std::vector<float> sample;
  sample.reserve(count);
  uint64_t outside = 0;
  double sum = 0;
  for (uint64_t i = 0; i < count; i += 2) {
    const uint64_t lanes = model::packed_execute(Opcode::F32v2sufromui, draw(prng), 0, 0, {}).value;
    for (unsigned lane = 0; lane < 2; ++lane) {
      const float x = std::bit_cast<float>(static_cast<uint32_t>(lanes >> 32 * lane));
      outside += !(x >= -0.5f && x <= 0.5f);
      counts[std::min(static_cast<size_t>((static_cast<double>(x) + 0.5) * 1000), size_t{999})]++;
      sample.push_back(x);
      sum += static_cast<double>(x);
    }
  }
  REQUIRE(outside == 0);
  require_likely("f32v2sufromui of urand64: chi-square, 1000 bins", chi_square_p(counts, even(1000)));
  require_likely("f32v2sufromui of urand64: Kolmogorov-Smirnov",
                 kolmogorov_smirnov_p(sample, [](double x) { return x + 0.5; }));
  REQUIRE(std::fabs(sum) < 4 * std::sqrt(static_cast<double>(count) / 12));
}

TEST_CASE("uniform f16 have the probabilities of their rounding") {
  // The probability of every f16: how many of the 65536 integers are rounded to it.
  std::vector<double> probabilities(65536);
  for (uint32_t u = 0; u < 65536; ++u) {
    const double exact = (u + 0.5) / 65536 - 0.5;
    const uint64_t value = model::packed_execute(Opcode::F16v4sufromui, u, 0, 0, {}).value & 0xffff;
    // Within half a last place; for numbers below a half that is at most 2^-13.
    REQUIRE(std::fabs(half_value(static_cast<uint32_t>(value)) - exact) <= 0x1p-13);
    probabilities[value] += 1.0 / 65536;
  }
  Prng prng = model::seeded(1);
  std::vector<uint64_t> counts(65536);
  const uint64_t count = case_count(2000000, 10000000);
  for (uint64_t i = 0; i < count; i += 4) {
    const uint64_t lanes = model::packed_execute(Opcode::F16v4sufromui, draw(prng), 0, 0, {}).value;
    for (unsigned lane = 0; lane < 4; ++lane) ++counts[lanes >> 16 * lane & 0xffff];
  }
  // Sets of values, each expected often enough.
  std::vector<uint64_t> binned(1);
  std::vector<double> expected(1);
  for (uint32_t v = 0; v < 65536; ++v) {
    binned.back() += counts[v];
    expected.back() += probabilities[v];
    if (expected.back() >= 0.001) {
      binned.push_back(0);
      expected.push_back(0);
    }
  }
  require_likely("f16v4sufromui of urand64: chi-square", chi_square_p(binned, expected));
}

TEST_CASE("Gaussian numbers pass chi-square and Kolmogorov-Smirnov") {
  constexpr size_t kBins = 200;
  const uint64_t count = case_count(2000000, 10000000);
  Prng prng = model::seeded(2);
  std::vector<uint64_t> counts(kBins);
  std::vector<float> sample;
  sample.reserve(count);
  double sum = 0, squares = 0, fourth = 0;
  for (uint64_t i = 0; i < count; i += 2) {
    const uint64_t lanes = model::special_execute(Opcode::F32v2grand, 0, draw(prng)).value;
    for (unsigned lane = 0; lane < 2; ++lane) {
      const float x = std::bit_cast<float>(static_cast<uint32_t>(lanes >> 32 * lane));
      const auto y = static_cast<double>(x);
      counts[std::min(static_cast<size_t>(normal_cdf(y) * kBins), kBins - 1)]++;  // bins of equal probability
      sample.push_back(x);
      sum += y;
      squares += y * y;
      fourth += y * y * y * y;
    }
  }
  const auto n = static_cast<double>(count);
  std::printf("Gaussian: mean %.6f variance %.6f fourth moment %.5f\n", sum / n, squares / n, fourth / n);
  REQUIRE(std::fabs(sum / n) < 4 / std::sqrt(n));
  REQUIRE(std::fabs(squares / n - 1) < 4 * std::sqrt(2 / n));
  REQUIRE(std::fabs(fourth / n - 3) < 4 * std::sqrt(96 / n));
  require_likely("f32v2grand: chi-square, 200 bins", chi_square_p(counts, even(kBins)));
  require_likely("f32v2grand: Kolmogorov-Smirnov", kolmogorov_smirnov_p(sample, normal_cdf));
}

TEST_CASE("Gaussian f16 have the probabilities of their rounding intervals") {
  const uint64_t count = case_count(2000000, 10000000);
  Prng prng = model::seeded(3);
  std::vector<uint64_t> counts(65536);
  for (uint64_t i = 0; i < count; i += 2) {
    const uint64_t lanes = model::special_execute(Opcode::F16v2grand, 0, draw(prng)).value;
    for (unsigned lane = 0; lane < 2; ++lane) ++counts[lanes >> 16 * lane & 0xffff];
  }
  // From the most negative number to the largest; the two zeros are one.
  std::vector<uint64_t> binned(1);
  std::vector<double> expected(1);
  double reached = 0;
  for (int step = -0x7bff; step <= 0x7bff; ++step) {
    const auto bits = static_cast<uint32_t>(step < 0 ? 0x8000 - step : step);
    binned.back() += counts[bits] + (step == 0 ? counts[0x8000] : 0);
    const double here = half_value(bits);
    const auto next_bits = static_cast<uint32_t>(step + 1 < 0 ? 0x8000 - (step + 1) : step + 1);
    const double boundary = step == 0x7bff ? 1e9 : (here + half_value(next_bits)) / 2;
    const double p = normal_cdf(boundary);
    expected.back() = p - reached;
    if (expected.back() >= 0.005 && p < 0.997) {
      reached = p;
      binned.push_back(0);
      expected.push_back(0);
    }
  }
  require_likely("f16v2grand: chi-square", chi_square_p(binned, expected));
}

TEST_CASE("stochastic rounding is unbiased") {
  // Errors in units of the last place, over all the fractions that come, and for some fractions alone.
  Prng prng = model::seeded(4);
  FloatControl control;
  control.stochastic = true;
  const auto rounded = [&](uint32_t low, uint32_t high) {
    control.random = draw(prng);
    return model::packed_execute(Opcode::F32v2tof16, uint64_t{high} << 32 | low, 0, 0, control).value;
  };
  const uint64_t count = case_count(1000000, 10000000);
  double error = 0, variance = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const auto mantissa = static_cast<uint32_t>(draw(prng)) & 0x7fffff;
    const uint32_t x = 0x3f800000u | mantissa;
    const uint64_t result = rounded(x, x | 0x80000000u);
    const double fraction = (mantissa & 0x1fff) / 8192.0;
    const double floor = 1024 + (mantissa >> 13);
    for (unsigned lane = 0; lane < 2; ++lane) {
      error += std::fabs(half_value(result >> 16 * lane & 0xffff)) * 1024 - floor - fraction;
      variance += fraction * (1 - fraction);
    }
  }
  std::printf("stochastic rounding: mean error %.2f standard errors\n", error / std::sqrt(variance));
  REQUIRE(std::fabs(error) < 4 * std::sqrt(variance));

  for (const uint32_t rest : {1u, 5u, 0x800u, 0x1000u, 0x1555u, 0x1fffu}) {
    uint64_t up = 0;
    const uint64_t n = count / 4;
    for (uint64_t i = 0; i < n; ++i) {
      const uint64_t result = rounded(0x40400000u | rest, 0x3e000000u | rest);
      up += (result & 0xffff) != 0x4200;
      up += (result >> 16 & 0xffff) != 0x3000;
    }
    const double p = rest / 8192.0;
    const double expected = 2 * p * static_cast<double>(n);
    INFO("fraction " << p);
    REQUIRE(std::fabs(static_cast<double>(up) - expected) < 4 * std::sqrt(expected * (1 - p)));
  }
}

TEST_CASE("of all random numbers exactly the fraction's share rounds up") {
  Prng prng = model::seeded(7);
  FloatControl control;
  control.stochastic = true;
  for (uint64_t i = 0; i < case_count(20, 200); ++i) {
    const uint32_t x = 0x33800000u + static_cast<uint32_t>(draw(prng)) % (0x477fe000u - 0x33800000u);
    const Decoded d = decode_number(kF32, x);
    const int unit = std::max(d.exponent + 23 - 10, -24);
    const double scaled = std::ldexp(static_cast<double>(d.significand), d.exponent - unit);
    const double share = std::floor((scaled - std::floor(scaled)) * 65536);
    uint64_t up = 0;
    for (uint32_t r = 0; r < 65536; ++r) {
      control.random = r;
      const uint64_t result = model::packed_execute(Opcode::F32v2tof16, x, 0, 0, control).value & 0xffff;
      up += half_value(static_cast<uint32_t>(result)) > std::ldexp(std::floor(scaled), unit);
    }
    INFO("x = " << x);
    REQUIRE(static_cast<double>(up) == share);
  }
}

TEST_CASE("results of matrix steps are rounded without bias") {
  Prng prng = model::seeded(5);
  FloatControl control;
  control.stochastic = true;
  const model::Weights weights{};
  double error = 0, variance = 0;
  for (uint64_t i = 0; i < case_count(500000, 2500000); ++i) {
    model::Accumulators acc;
    double exact = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
      const auto mantissa = static_cast<uint32_t>(draw(prng)) & 0x7fffff;
      acc.s[lane] = 0x3f800000u | mantissa;
      const double fraction = (mantissa & 0x1fff) / 8192.0;
      exact += 1024 + mantissa / 8192.0;
      variance += fraction * (1 - fraction);
    }
    control.random = draw(prng);
    const uint64_t r = model::amp_execute(Opcode::F16v4hihov4amp, 1, 0, 0, control, weights, acc).value;
    for (unsigned lane = 0; lane < 4; ++lane) error += half_value(r >> 16 * lane & 0xffff) * 1024;
    error -= exact;
  }
  std::printf("matrix steps: mean error %.2f standard errors\n", error / std::sqrt(variance));
  REQUIRE(std::fabs(error) < 4 * std::sqrt(variance));
}

TEST_CASE("masks keep lanes with the probability asked for") {
  Prng prng = model::seeded(6);
  const uint64_t count = case_count(500000, 5000000);
  for (const uint64_t p : {0x0ull, 0x1ull, 0x100ull, 0x4000ull, 0x8000ull, 0xc000ull, 0xffffull, 0x10000ull}) {
    const double probability = std::min(static_cast<double>(p), 65536.0) / 65536;
    std::vector<uint64_t> patterns(16), pairs(4);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t lanes = model::random_mask(0x0001000100010001u, p, draw(prng), 16);
      ++patterns[(lanes | lanes >> 15 | lanes >> 30 | lanes >> 45) & 15];
      const uint64_t words = model::random_mask(0x0000000100000001u, p, draw(prng), 32);
      ++pairs[(words | words >> 31) & 3];
    }
    INFO("p = " << p);
    const auto n = static_cast<double>(count);
    for (unsigned lane = 0; lane < 4; ++lane) {
      uint64_t kept = 0, kept32 = 0;
      for (unsigned i = 0; i < 16; ++i) kept += (i >> lane & 1) != 0 ? patterns[i] : 0;
      for (unsigned i = 0; i < 4; ++i) kept32 += (i >> (lane % 2) & 1) != 0 ? pairs[i] : 0;
      const double bound = 4 * std::sqrt(n * probability * (1 - probability));
      REQUIRE(std::fabs(static_cast<double>(kept) - n * probability) <= bound);
      REQUIRE(std::fabs(static_cast<double>(kept32) - n * probability) <= bound);
    }
    if (probability < 0.1 || probability > 0.9) continue;
    std::vector<double> expected;  // lanes are independent
    for (unsigned i = 0; i < 16; ++i) {
      const int kept = std::popcount(i);
      expected.push_back(std::pow(probability, kept) * std::pow(1 - probability, 4 - kept));
    }
    require_likely("rmask: patterns of four lanes", chi_square_p(patterns, expected));
  }
}

}  // namespace
}  // namespace tessera::tb
