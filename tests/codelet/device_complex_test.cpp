// The device's products and quotients of complex floats, compiled for the host, against long double.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <random>

extern "C" {
float _Complex device_mulsc3(float a, float b, float c, float d);
float _Complex device_divsc3(float a, float b, float c, float d);
}

namespace {

constexpr unsigned kSeed = 11;

std::complex<float> product(float a, float b, float c, float d) {
  const float _Complex r = device_mulsc3(a, b, c, d);
  return {__real__ r, __imag__ r};
}
std::complex<float> quotient(float a, float b, float c, float d) {
  const float _Complex r = device_divsc3(a, b, c, d);
  return {__real__ r, __imag__ r};
}
bool infinite(std::complex<float> z) { return std::isinf(z.real()) || std::isinf(z.imag()); }

}  // namespace

TEST_CASE("complex products and quotients of numbers of any size") {
  INFO("seed " << kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_real_distribution<float> mantissa(-2, 2);
  for (int i = 0; i < 200000; ++i) {
    const auto number = [&](int range) {
      return std::ldexp(mantissa(random), static_cast<int>(random() % static_cast<unsigned>(range)) - range / 2);
    };
    const float a = number(60), b = number(60), c = number(60), d = number(60);
    const long double la = a, lb = b, lc = c, ld = d;
    const auto p = product(a, b, c, d);
    // Each part is a sum of two products: its error is that of the larger one.
    const long double step = 0x1p-23L;
    REQUIRE(std::abs(p.real() - (la * lc - lb * ld)) <= step * (std::abs(la * lc) + std::abs(lb * ld)));
    REQUIRE(std::abs(p.imag() - (la * ld + lb * lc)) <= step * (std::abs(la * ld) + std::abs(lb * lc)));
    const long double square = lc * lc + ld * ld;
    if (square == 0) continue;
    const auto q = quotient(a, b, c, d);
    const long double tiny = 0x1p-148L;
    REQUIRE(std::abs(q.real() - (la * lc + lb * ld) / square) <=
            4 * step * (std::abs(la * lc) + std::abs(lb * ld)) / square + tiny);
    REQUIRE(std::abs(q.imag() - (lb * lc - la * ld) / square) <=
            4 * step * (std::abs(lb * lc) + std::abs(la * ld)) / square + tiny);
  }
  // c * c alone would overflow, or vanish.
  CHECK(quotient(0x1p100f, 0, 0x1p100f, 0).real() == 1);
  CHECK(quotient(0x1p-100f, 0, 0x1p-100f, 0).real() == 1);
}

TEST_CASE("complex infinities and zeros as C's Annex G has them") {
  const float inf = INFINITY, nan = NAN;
  CHECK(infinite(product(inf, nan, 1, 1)));
  CHECK(infinite(product(1, 1, nan, inf)));
  CHECK(infinite(product(0x1p100f, 0x1p100f, 0x1p100f, 0x1p100f)));
  CHECK(infinite(quotient(1, 1, 0, 0)));
  CHECK(infinite(quotient(inf, nan, 1, 1)));
  const auto zero = quotient(1, 1, inf, inf);
  CHECK((zero.real() == 0 && zero.imag() == 0));
  const auto undefined = product(nan, nan, 1, 1);
  CHECK((std::isnan(undefined.real()) && std::isnan(undefined.imag())));
  CHECK(std::isnan(quotient(0, 0, 0, 0).real()));
}
