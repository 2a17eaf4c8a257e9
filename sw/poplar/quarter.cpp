#include <poplar/Quarter.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <poplar/exceptions.hpp>

namespace poplar {
namespace {

constexpr std::uint8_t kNan = 0x80, kLargest = 0x7f, kFormatBit = 0x80, kScaleMask = 0x3f;

struct Shape {
  int fraction_bits, least_exponent;  // of a normal value
};

Shape shape_of(QuarterMetadata::Format format) {
  return format == QuarterMetadata::Format::F143 ? Shape{3, -7} : Shape{2, -15};
}

}  // namespace

QuarterMetadata::QuarterMetadata(Format format, int scale) : format_(format), scale_(scale) {
  if (scale < -32 || scale > 31)
    throw poplar_error("QuarterMetadata: scale " + std::to_string(scale) + " is not from -32 to 31");
}

QuarterMetadata::QuarterMetadata(std::uint8_t binary)
    : format_((binary & kFormatBit) != 0 ? Format::F143 : Format::F152), scale_(binary & kScaleMask) {
  if (scale_ > 31) scale_ -= 64;
}

std::uint8_t QuarterMetadata::getBinary() const {
  return static_cast<std::uint8_t>((format_ == Format::F143 ? kFormatBit : 0) | (scale_ & kScaleMask));
}

std::ostream& operator<<(std::ostream& os, QuarterMetadata::Format format) {
  return os << (format == QuarterMetadata::Format::F143 ? "F143" : "F152");
}

std::ostream& operator<<(std::ostream& os, const QuarterMetadata& metadata) {
  return os << metadata.getFormat() << " scale " << metadata.getScale();
}

quarter::quarter(double value, const QuarterMetadata& metadata) {
  const Shape shape = shape_of(metadata.getFormat());
  if (std::isnan(value)) {
    bits_ = kNan;
    return;
  }
  const std::uint8_t sign = std::signbit(value) ? 0x80 : 0;
  bits_ = sign | kLargest;
  if (std::isinf(value)) return;
  const double magnitude = std::ldexp(std::fabs(value), -metadata.getScale());
  if (magnitude > 1e6) return;  // beyond both formats
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
  const int power = magnitude == 0 || exponent - 1 < shape.least_exponent ? shape.least_exponent : exponent - 1;
  const double units = std::ldexp(magnitude, shape.fraction_bits - power);
  const int whole = static_cast<int>(units);
  const double rest = units - whole;
  const int rounded = whole + (rest > 0.5 || (rest == 0.5 && (whole & 1) != 0) ? 1 : 0);
  // The hidden bit of a normal value adds one to the exponent field, as does a carry out of the fraction.
  const int bits = ((power - shape.least_exponent) << shape.fraction_bits) + rounded;
  if (bits > kLargest) return;
  bits_ = bits == 0 ? 0 : static_cast<std::uint8_t>(sign | bits);
}

float quarter::toFloat(const QuarterMetadata& metadata) const {
  if (bits_ == kNan) return std::numeric_limits<float>::quiet_NaN();
  const Shape shape = shape_of(metadata.getFormat());
  const int field = (bits_ & kLargest) >> shape.fraction_bits, fraction = bits_ & ((1 << shape.fraction_bits) - 1);
  const int significand = field == 0 ? fraction : fraction | 1 << shape.fraction_bits;
  const int power = shape.least_exponent + (field == 0 ? 0 : field - 1) - shape.fraction_bits + metadata.getScale();
  const float magnitude = std::ldexp(static_cast<float>(significand), power);
  return (bits_ & 0x80) != 0 ? -magnitude : magnitude;
}

}  // namespace poplar
