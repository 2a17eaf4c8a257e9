// The host's half against an independent reference: the sorted table of all halves, searched for the nearest.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <poplar/HalfFloat.hpp>
#include <poplar/TypeConversion.hpp>
#include <random>
#include <vector>

namespace {

// Value of a half by its definition: sign, exponent, fraction.
double value_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

constexpr std::uint16_t kLargest = 0x7bff;
constexpr std::uint16_t kInfinity = 0x7c00;

// Nearest to a magnitude, ties to even; infinity from half a step above the largest on.
std::uint16_t nearest(double magnitude) {
  if (magnitude >= 65520.0) return kInfinity;
  std::uint16_t low = 0;
  std::uint16_t high = kLargest;
  while (low < high) {  // the last half that is not above
    const std::uint16_t middle = static_cast<std::uint16_t>((low + high + 1) / 2);
    if (value_of(middle) <= magnitude) {
      low = middle;
    } else {
      high = static_cast<std::uint16_t>(middle - 1);
    }
  }
  if (low == kLargest) return low;
  const double below = magnitude - value_of(low);
  const double above = value_of(static_cast<std::uint16_t>(low + 1)) - magnitude;
  if (below < above || (below == above && low % 2 == 0)) return low;
  return static_cast<std::uint16_t>(low + 1);
}

std::uint16_t expected(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  return static_cast<std::uint16_t>(sign | nearest(std::fabs(value)));
}

}  // namespace

TEST_CASE("every half goes to float and back unchanged") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const poplar::half h = poplar::half::fromBits(static_cast<std::uint16_t>(bits));
    if ((bits & 0x7fff) > kInfinity) {
      REQUIRE(std::isnan(float(h)));
      continue;
    }
    if ((bits & 0x7fff) < kInfinity) REQUIRE(double(float(h)) == value_of(static_cast<std::uint16_t>(bits)));
    REQUIRE(poplar::half(float(h)).bits() == bits);
  }
}

TEST_CASE("floats and doubles round once, to nearest even") {
  constexpr unsigned kSeed = 5;
  INFO("seed " << kSeed);
  std::mt19937_64 random(kSeed);
  for (unsigned i = 0; i < 300000; ++i) {
    const std::uint16_t bits = static_cast<std::uint16_t>(random() & 0xffff);
    if ((bits & 0x7fff) >= kLargest) continue;
    // Between two neighbouring halves: near them, near the middle, and anywhere.
    const double low = value_of(bits);
    const double step = value_of(static_cast<std::uint16_t>(bits + 1)) - low;
    const double places[] = {0, 0.5, 1, std::ldexp(double(random() >> 11), -53)};
    const double nudge[] = {0, std::ldexp(step, -30), -std::ldexp(step, -30)};
    const double value = low + step * places[random() % 4] + nudge[random() % 3];
    INFO(value);
    REQUIRE(poplar::half(value).bits() == expected(value));
    const float single = static_cast<float>(value);
    REQUIRE(poplar::half(single).bits() == expected(single));
  }
  CHECK(poplar::half(65519.99).bits() == kLargest);
  CHECK(poplar::half(65520.0).bits() == kInfinity);
  CHECK(poplar::half(-1e300).bits() == (0x8000 | kInfinity));
  CHECK(poplar::half(1e-300).bits() == 0);
  CHECK(poplar::half(std::ldexp(1.0, -25)).bits() == 0);
  CHECK(poplar::half(std::ldexp(1.0000001, -25)).bits() == 1);
}

TEST_CASE("half arithmetic equals the exact result rounded once") {
  constexpr unsigned kSeed = 11;
  INFO("seed " << kSeed);
  std::mt19937 random(kSeed);
  const auto finite = [&] {
    std::uint16_t bits;
    do {
      bits = static_cast<std::uint16_t>(random());
    } while ((bits & 0x7fff) > kLargest);
    return poplar::half::fromBits(bits);
  };
  for (unsigned i = 0; i < 200000; ++i) {
    const poplar::half a = finite();
    const poplar::half b = finite();
    const double x = value_of(a.bits());
    const double y = value_of(b.bits());
    // Sums and products of two halves are exact in double; zero results carry no sign information in value_of.
    if (x + y != 0) REQUIRE((a + b).bits() == expected(x + y));
    if (x - y != 0) REQUIRE((a - b).bits() == expected(x - y));
    REQUIRE((a * b).bits() == expected(x * y));
    if (y != 0) REQUIRE((a / b).bits() == expected(x / y));
  }
}

TEST_CASE("half mixes with other arithmetic types without ambiguity") {
  poplar::half h(1.5f);
  CHECK(std::is_same<decltype(h + h), poplar::half>::value);
  CHECK(std::is_same<decltype(h + 1), poplar::half>::value);
  CHECK(std::is_same<decltype(2.0f * h), float>::value);
  CHECK(std::is_same<decltype(h / 2.0), double>::value);
  CHECK(float(h + 1) == 2.5f);
  CHECK(2.0f * h == 3.0f);
  CHECK(h < 2);
  CHECK(h == 1.5);
  h += 1;
  CHECK(float(-h) == -2.5f);
  CHECK(sizeof(poplar::half) == 2);
  CHECK(float((std::numeric_limits<poplar::half>::max)()) == 65504.0f);
}

TEST_CASE("host arrays go to elements of a type and back") {
  using namespace poplar;
  const std::vector<double> values = {0, -1.5, 300.25, 1e30, -7.75};
  std::uint16_t halves[5];
  convertToDeviceType(HALF, ArrayRef<double>(values), halves);
  CHECK(std::vector<unsigned>(halves, halves + 5) == std::vector<unsigned>{0, 0xbe00, 0x5cb1, 0x7c00, 0xc7c0});
  std::vector<double> wide(5);
  convertFromDeviceType(HALF, halves, ArrayRef<double>(wide));
  CHECK(wide == std::vector<double>{0, -1.5, 300.25, std::numeric_limits<double>::infinity(), -7.75});
  std::vector<int> whole(3);
  convertFromDeviceType(HALF, halves, ArrayRef<int>(whole));
  CHECK(whole == std::vector<int>{0, -1, 300});

  signed char bytes[2];
  convertToDeviceType(SIGNED_CHAR, ArrayRef<int>({-2, 300}), bytes);
  CHECK(bytes[0] == -2);
  CHECK(bytes[1] == 44);  // 300 modulo 256
  long longs[2];
  convertFromDeviceType(SIGNED_CHAR, bytes, ArrayRef<long>(longs));
  CHECK(longs[0] == -2);
  const std::uint64_t most = ~std::uint64_t{0};
  double real[1];
  convertFromDeviceType(UNSIGNED_LONGLONG, &most, ArrayRef<double>(real));
  CHECK(real[0] == 18446744073709551616.0);
  const std::int32_t negative = -5;  // a LONG has four bytes on the tile
  convertFromDeviceType(LONG, &negative, ArrayRef<double>(real));
  CHECK(real[0] == -5.0);
  bool flags[2];
  convertFromDeviceType(SIGNED_CHAR, bytes, ArrayRef<bool>(flags));
  CHECK((flags[0] && flags[1]));
}
