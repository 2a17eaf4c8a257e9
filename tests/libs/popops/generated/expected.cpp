#include "tests/libs/popops/generated/expected.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace popops_test {

Elements elements(const Case& c, std::size_t tensor) {
  const Shown shown = c.show(tensor);
  Elements out{shown.type, shown.shape, {}};
  for (const Place& place : shown.places) out.values.push_back(c.variables[place.variable].values[place.element]);
  return out;
}

double unit_in_last_place(Type type, double value) {
  const int digits = type == HALF ? 11 : 24, least = type == HALF ? -24 : -149, most = type == HALF ? 5 : 104;
  if (value == 0 || !std::isfinite(value)) return std::ldexp(1.0, least);
  return std::ldexp(1.0, std::clamp(std::ilogb(value) - digits + 1, least, most));
}

double nearest(Type type, double value) {
  if (type == FLOAT) return static_cast<double>(static_cast<float>(value));
  if (type != HALF) return value;
  if (!std::isfinite(value) || value == 0) return value;
  const double unit = unit_in_last_place(HALF, value);
  const double whole = std::nearbyint(value / unit) * unit;
  return std::fabs(whole) >= 65536 ? std::copysign(INFINITY, value) : std::copysign(whole, value);
}

namespace {

std::string text_of(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// Infinity as the number that would follow the largest.
double on_the_line(Type type, double value) {
  const double beyond = type == HALF ? 65536 : std::ldexp(1, 128);
  return std::isnan(value) ? value : std::clamp(value, -beyond, beyond);
}

bool right(const Expected& expected, std::size_t i, double got) {
  const double wanted = expected.values[i];
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
  if (wanted == 0 && got == 0) return std::signbit(wanted) == std::signbit(got);
  if (wanted == got) return true;
  if (expected.slack.empty() || std::isinf(wanted)) return false;
  return std::fabs(on_the_line(expected.type, got) - on_the_line(expected.type, wanted)) <= expected.slack[i];
}

}  // namespace

std::string compare(const Expected& expected, const Values& got) {
  if (got.size() != expected.values.size())
    return std::to_string(got.size()) + " elements, not " + std::to_string(expected.values.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (right(expected, i, got[i])) continue;
    std::string text =
        "element " + std::to_string(i) + " is " + text_of(got[i]) + ", not " + text_of(expected.values[i]);
    if (!expected.slack.empty()) text += " within " + text_of(expected.slack[i]);
    return text;
  }
  return "";
}

}  // namespace popops_test
