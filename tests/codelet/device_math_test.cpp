// The device's mathematics, compiled for the host, against the host's double functions: error in units of the last
// place.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

extern "C" {
float device_expf(float), device_exp2f(float), device_expm1f(float), device_logf(float), device_log2f(float),
    device_log10f(float), device_log1pf(float), device_sinf(float), device_cosf(float), device_tanf(float),
    device_asinf(float), device_acosf(float), device_atanf(float), device_sinhf(float), device_coshf(float),
    device_tanhf(float), device_erff(float), device_cbrtf(float), device_floorf(float), device_ceilf(float),
    device_truncf(float), device_roundf(float), device_rintf(float), device_logbf(float), device_powf(float, float),
    device_atan2f(float, float), device_hypotf(float, float), device_fmodf(float, float),
    device_remainderf(float, float), device_nextafterf(float, float), device_fdimf(float, float),
    device_ldexpf(float, int), device_frexpf(float, int*), device_modff(float, float*);
}

namespace {

constexpr unsigned kSeed = 20261121;
constexpr int kCases = 200000;

float float_of(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, 4);
  return x;
}

// Distance of `got` from the exact value in units of the last place of a float of that size; 0 for two NaNs.
double ulps(float got, double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : 1e30;
  const auto rounded = static_cast<float>(exact);
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : 1e30;
  if (got == 0 && rounded == 0) return std::signbit(got) == std::signbit(rounded) ? 0 : 1e30;
  const double unit = std::ldexp(1.0, std::max(std::ilogb(exact == 0 ? 1e-45 : exact) - 23, -149));
  return std::fabs(got - exact) / unit;
}

struct Unary {
  const char* name;
  float (*device)(float);
  double (*exact)(double);
  double bound;  // ulp
};

// Arguments that functions treat apart, then every kind of bit pattern, then the range where most programs are.
std::vector<float> arguments() {
  std::vector<float> values = {0.0f,
                               -0.0f,
                               1.0f,
                               -1.0f,
                               0.5f,
                               -0.5f,
                               INFINITY,
                               -INFINITY,
                               NAN,
                               0x1p-149f,
                               0x1p-126f,
                               88.72f,
                               88.73f,
                               -103.97f,
                               -104.0f,
                               1.5f,
                               8191.0f,
                               8192.0f,
                               8193.0f,
                               0x1p24f,
                               0x1p23f,
                               0x1p127f,
                               0x1.fffffep127f,
                               2.5f,
                               0x1p-25f,
                               -0x1p-25f,
                               128.0f,
                               127.9999f,
                               -149.0f,
                               -150.0f,
                               -126.0f,
                               3.5f,
                               1.5707964f,
                               3.1415927f,
                               0x1.921fb6p+60f,
                               16367173.0f * 0x1p72f};
  std::mt19937 random(kSeed);
  for (int i = 0; i < kCases; ++i) values.push_back(float_of(random()));
  std::uniform_real_distribution<float> near(-100.0f, 100.0f), small(-1.5f, 1.5f);
  for (int i = 0; i < kCases; ++i) values.push_back(near(random));
  for (int i = 0; i < kCases; ++i) values.push_back(small(random));
  return values;
}

}  // namespace

TEST_CASE("unary functions stay within their stated error") {
  const Unary functions[] = {
      {"expf", device_expf, std::exp, 2},       {"exp2f", device_exp2f, std::exp2, 2},
      {"expm1f", device_expm1f, std::expm1, 2}, {"logf", device_logf, std::log, 2},
      {"log2f", device_log2f, std::log2, 2},    {"log10f", device_log10f, std::log10, 2},
      {"log1pf", device_log1pf, std::log1p, 2}, {"sinf", device_sinf, std::sin, 2},
      {"cosf", device_cosf, std::cos, 2},       {"tanf", device_tanf, std::tan, 4},
      {"asinf", device_asinf, std::asin, 3},    {"acosf", device_acosf, std::acos, 3},
      {"atanf", device_atanf, std::atan, 3},    {"sinhf", device_sinhf, std::sinh, 3},
      {"coshf", device_coshf, std::cosh, 3},    {"tanhf", device_tanhf, std::tanh, 3},
      {"erff", device_erff, std::erf, 2},       {"cbrtf", device_cbrtf, std::cbrt, 1},
      {"floorf", device_floorf, std::floor, 0}, {"ceilf", device_ceilf, std::ceil, 0},
      {"truncf", device_truncf, std::trunc, 0}, {"roundf", device_roundf, std::round, 0},
      {"rintf", device_rintf, std::rint, 0},    {"logbf", device_logbf, std::logb, 0},
  };
  const std::vector<float> values = arguments();
  for (const Unary& f : functions) {
    double worst = 0;
    float where = 0;
    for (float x : values) {
      const double error = ulps(f.device(x), f.exact(static_cast<double>(x)));
      if (error > worst) worst = error, where = x;
    }
    INFO(f.name << ": " << worst << " ulp at " << std::hexfloat << where << ", seed " << std::dec << kSeed);
    CHECK(worst <= f.bound);
  }
}

TEST_CASE("binary functions stay within their stated error") {
  struct Binary {
    const char* name;
    float (*device)(float, float);
    double (*exact)(double, double);
    double bound;
  };
  const Binary functions[] = {
      {"powf", device_powf, std::pow, 2},       {"atan2f", device_atan2f, std::atan2, 3},
      {"hypotf", device_hypotf, std::hypot, 2}, {"fmodf", device_fmodf, std::fmod, 0},
      {"fdimf", device_fdimf, std::fdim, 0.5},  {"remainderf", device_remainderf, std::remainder, 0},
  };
  const float corners[] = {0.0f,     -0.0f,          1.0f,      -1.0f,         2.0f,          -3.0f,
                           0.5f,     INFINITY,       -INFINITY, NAN,           0x1p-149f,     0x1p127f,
                           -0x1p24f, 0x1.fffffep23f, -2.5f,     0x1.000002p0f, 0x1.fffffep-1f};
  std::vector<std::pair<float, float>> pairs;
  for (float x : corners) {
    for (float y : corners) pairs.emplace_back(x, y);
  }
  std::mt19937 random(kSeed);
  std::uniform_real_distribution<float> base(0.0f, 10.0f), exponent(-40.0f, 40.0f), about_one(0.99f, 1.01f);
  for (int i = 0; i < kCases; ++i) {
    pairs.emplace_back(float_of(random()), float_of(random()));
    pairs.emplace_back(base(random), exponent(random));
    pairs.emplace_back(about_one(random), exponent(random) * 100);
  }
  for (const Binary& f : functions) {
    double worst = 0;
    std::pair<float, float> where;
    for (const auto& [x, y] : pairs) {
      const double error = ulps(f.device(x, y), f.exact(static_cast<double>(x), static_cast<double>(y)));
      if (error > worst) worst = error, where = {x, y};
    }
    INFO(f.name << ": " << worst << " ulp at " << std::hexfloat << where.first << ", " << where.second);
    CHECK(worst <= f.bound);
  }
}

TEST_CASE("floats come apart and together exactly") {
  for (float x : arguments()) {
    int device = 0, host = 0;
    const float mantissa = device_frexpf(x, &device);
    CHECK(ulps(mantissa, std::frexp(static_cast<double>(x), &host)) == 0);
    if (std::isfinite(x)) REQUIRE(device == host);
    for (int n : {0, 1, -1, 100, -100, 250, -250, 280, -280, 100000, -100000}) {
      if (ulps(device_ldexpf(x, n), static_cast<double>(std::ldexp(x, n))) != 0) FAIL("ldexpf of " << x << " by " << n);
    }
    float whole = 0;
    double exact_whole = 0;
    const float part = device_modff(x, &whole);
    const double exact_part = std::modf(static_cast<double>(x), &exact_whole);
    if (ulps(part, exact_part) != 0 || ulps(whole, exact_whole) != 0) FAIL("modff of " << x);
    if (ulps(device_nextafterf(x, 1.0f), static_cast<double>(std::nextafter(x, 1.0f))) != 0)
      FAIL("nextafterf of " << x);
  }
}
