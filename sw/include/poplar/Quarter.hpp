// Eight-bit floats on the host, and what says how they are read: 1-4-3 with bias 8 or 1-5-2 with bias 16, 0x80 the one
// NaN, no infinity, no negative zero; a value is scaled by 2^scale.
#pragma once

#include <cstdint>
#include <ostream>

#include <poplar/StandardHeaders.hpp>

namespace poplar {

class QuarterMetadata {
 public:
  enum class Format { F143, F152 };

  QuarterMetadata() : format_(Format::F143), scale_(0) {}
  QuarterMetadata(Format format, int scale);  // throws poplar_error for a scale that is not -32 to 31
  // As on the device: the format in bit 7 (1: F143), the scale in bits 0 to 5 as two's complement.
  explicit QuarterMetadata(std::uint8_t binary);

  Format getFormat() const { return format_; }
  int getScale() const { return scale_; }
  std::uint8_t getBinary() const;
  bool operator==(const QuarterMetadata& other) const { return format_ == other.format_ && scale_ == other.scale_; }
  bool operator!=(const QuarterMetadata& other) const { return !(*this == other); }

 private:
  Format format_;
  int scale_;
};

std::ostream& operator<<(std::ostream& os, QuarterMetadata::Format format);
std::ostream& operator<<(std::ostream& os, const QuarterMetadata& metadata);

class quarter {
 public:
  quarter() = default;
  // Rounded once, to nearest even; what is beyond the largest value, infinities too, gives the largest.
  quarter(double value, const QuarterMetadata& metadata);

  float toFloat(const QuarterMetadata& metadata) const;  // exact
  std::uint8_t bits() const { return bits_; }
  static quarter fromBits(std::uint8_t bits) {
    quarter q;
    q.bits_ = bits;
    return q;
  }

 private:
  std::uint8_t bits_;
};

}  // namespace poplar
