#include "tests/libs/popops/generated/data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace popops_test {

double fraction(std::mt19937_64& random) { return std::ldexp(static_cast<double>(random() >> 11), -53); }

double lowest(Type type) {
  return with_type(type, [](auto t) { return to_double(std::numeric_limits<decltype(t)>::lowest()); });
}
double highest(Type type) {
  return with_type(type, [](auto t) { return to_double(std::numeric_limits<decltype(t)>::max()); });
}

namespace {

Values ramp(Type type, std::size_t n) {
  Values out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = rounded(type, static_cast<double>(i % 100 + 1));
  return out;
}

double of_any_magnitude(Type type, std::mt19937_64& random) {
  const int least = type == HALF ? -26 : -151, most = type == HALF ? 17 : 129;
  const int exponent = least + static_cast<int>(random() % static_cast<std::uint64_t>(most - least));
  const double value = std::ldexp(1 + fraction(random), exponent);
  const double kept = std::min(rounded(type, value), highest(type));
  return random() % 2 == 0 ? kept : -kept;
}

double special(Type type, std::mt19937_64& random, bool finite) {
  if (!is_float(type)) {
    const double ends[] = {lowest(type), highest(type), 0, lowest(type) + 1, highest(type) - 1, 1};
    return rounded(type, ends[random() % 6]);
  }
  const double least = type == HALF ? std::ldexp(1, -24) : std::ldexp(1, -149);
  const double values[] = {0.0, -0.0, 1, -1, highest(type), -highest(type), least, -least, INFINITY, -INFINITY, NAN};
  return values[random() % (finite ? 8 : 11)];
}

Data values_of(Type type, bool finite) {
  return [=](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
    if (kind == 0) return ramp(type, n);
    Values out(n);
    const double low = std::max(lowest(type), -100.0), high = std::min(highest(type), 100.0);
    for (double& v : out) {
      if (kind == 3 && random() % 3 == 0)
        v = special(type, random, finite);
      else if (kind == 1)
        v = std::floor(low + fraction(random) * (high - low + 1));
      else if (is_float(type))
        v = random() % 4 == 0 ? of_any_magnitude(type, random) : rounded(type, low + fraction(random) * (high - low));
      else
        v = std::floor(lowest(type) + fraction(random) * (highest(type) - lowest(type) + 1));
    }
    return out;
  };
}

}  // namespace

Data any_values(Type type) { return values_of(type, false); }
Data finite_values(Type type) { return values_of(type, true); }

Data between(Type type, double low, double high) {
  return [=](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
    Values out(n);
    for (std::size_t i = 0; i < n; ++i) {
      if (kind == 0)
        out[i] = low + static_cast<double>(i % 16) / 16 * (high - low);
      else if (kind == 3 && random() % 4 == 0)
        out[i] = random() % 2 == 0 ? low : high;
      else if (kind == 3 && random() % 4 == 0 && low <= 0 && high >= 0)
        out[i] = random() % 2 == 0 || low == 0 ? 0.0 : -0.0;
      else
        out[i] = low + fraction(random) * (high - low);
      out[i] = is_float(type) ? rounded(type, out[i]) : std::floor(out[i]) + 0.0;  // an integer has no -0
      if (out[i] < low || out[i] > high) out[i] = rounded(type, std::ceil(low));
    }
    return out;
  };
}

Data whole(double low, double high) {
  return [=](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
    Values out(n);
    for (std::size_t i = 0; i < n; ++i)
      out[i] = low + (kind == 0 ? std::fmod(static_cast<double>(i), high - low + 1)
                                : std::floor(fraction(random) * (high - low + 1)));
    return out;
  };
}

Data distinct() {
  return [](std::mt19937_64& random, std::uint32_t kind, std::size_t n) {
    Values out(n);
    std::iota(out.begin(), out.end(), 0);
    if (kind == 0) return out;
    for (std::size_t i = n; i > 1; --i) std::swap(out[i - 1], out[random() % i]);
    return out;
  };
}

}  // namespace popops_test
