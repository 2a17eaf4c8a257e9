// A half by its bits: IEEE 754 binary16.
#pragma once

#include <poplar/HalfFloat.hpp>

#include <cstdint>
#include <cstring>

namespace poplar {

class IeeeHalf {
 public:
  IeeeHalf() = default;
  explicit IeeeHalf(float value) : value_(static_cast<half>(value)) {}
  static IeeeHalf fromBits(unsigned short bits) {
    IeeeHalf out;
    out.value_ = __builtin_bit_cast(half, bits);
    return out;
  }
  unsigned short bit16() const { return __builtin_bit_cast(unsigned short, value_); }
  half toHalf() const { return value_; }
  operator float() const { return static_cast<float>(value_); }

 private:
  half value_;
};

}  // namespace poplar
