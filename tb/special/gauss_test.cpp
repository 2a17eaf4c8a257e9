// The Gaussian draw against the normal distribution itself; its statistics are tested where the generators are.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>

#include "sim/model/float/special_lane.h"
#include "tb/float/check.h"
#include "tb/special/special_operands.h"

namespace tessera::tb {
namespace {

using model::SpecialFunction;

constexpr double kBound = 1.3e-6;  // docs/reference/special.md

float draw(uint32_t random) {
  return std::bit_cast<float>(model::special_lane(SpecialFunction::Gauss, false, random).value);
}

// How far a draw is from the quantile it stands for, to first order: the difference in probability over the density.
double distance(uint32_t random) {
  const double x = draw(random);
  const bool upper = random >> 31 != 0;
  const double tail = ((upper ? ~random : random) + 0.5) / 4294967296.0;
  const double outward = upper ? x : -x;
  const double got = 0.5 * std::erfc(outward / std::sqrt(2.0));
  const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * 3.14159265358979323846);
  return std::fabs(got - tail) / density;
}

TEST_CASE("Gaussian draws are the quantiles of the normal distribution") {
  OperandStream random(test_seed() + 7);
  double worst = 0;
  uint32_t worst_at = 0;
  const auto check = [&](uint32_t bits) {
    const double d = distance(bits);
    if (!(d <= worst)) {
      worst = d;
      worst_at = bits;
    }
  };
  for (uint32_t i = 0; i < 32; ++i) {
    for (int step = -300; step <= 300; ++step) check((uint32_t{1} << i) + static_cast<uint32_t>(step));
  }
  const uint64_t count = special_cases(1000000, 100000000);
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random.bits());
    check(bits >> random.below(28));  // every octave of the lower tail
    check(~(bits >> random.below(28)));
  }
  std::printf("worst distance from the quantile %.3g at %08x\n", worst, worst_at);
  REQUIRE(worst < kBound);
  REQUIRE(worst > 1e-9);
}

TEST_CASE("Gaussian draws are symmetric and grow with their random number") {
  float last = -100;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4099) {
    const float x = draw(static_cast<uint32_t>(bits));
    if (x < last - 2e-6f) FAIL("draw " << bits << " falls");
    if (x != -draw(~static_cast<uint32_t>(bits))) FAIL("draw " << bits << " is not symmetric");
    last = x;
  }
  REQUIRE(draw(0) < -6.2f);
  REQUIRE(draw(0) > -6.4f);
}

TEST_CASE("half-precision Gaussian draws are the same numbers, rounded once") {
  OperandStream random(test_seed() + 8);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random.bits());
    const uint32_t half = model::special_lane(SpecialFunction::Gauss, true, bits).value;
    const double magnitude = std::ldexp((half & 0x7c00) != 0 ? 1024 + (half & 0x3ff) : half & 0x3ff,
                                        std::max<int>(static_cast<int>(half >> 10 & 31), 1) - 25);
    const double value = half >> 15 != 0 ? -magnitude : magnitude;
    const double x = draw(bits);
    int exponent = 0;
    std::frexp(x, &exponent);
    const double ulp = std::ldexp(1.0, std::max(exponent - 11, -24));
    if (!(std::fabs(value - x) <= 0.5001 * ulp)) FAIL("random " << bits << " gives " << half << " for " << x);
  }
}

}  // namespace
}  // namespace tessera::tb
