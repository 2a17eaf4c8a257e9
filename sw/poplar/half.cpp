#include <poplar/HalfFloat.hpp>

#include <cstring>

#include "formats/half.h"

namespace poplar {
namespace detail {

std::uint16_t doubleToHalfBits(double value) { return tessera::formats::half_from_double(value); }
std::uint16_t floatToHalfBits(float value) { return doubleToHalfBits(static_cast<double>(value)); }
float halfBitsToFloat(std::uint16_t bits) { return tessera::formats::half_to_float(bits); }

}  // namespace detail

namespace {

template <class From, class To, class Convert>
void convert(const void* src, void* dst, std::size_t elements, Convert of) {
  for (std::size_t i = 0; i < elements; ++i) {
    From from;
    std::memcpy(&from, static_cast<const char*>(src) + i * sizeof from, sizeof from);
    const To to = of(from);
    std::memcpy(static_cast<char*>(dst) + i * sizeof to, &to, sizeof to);
  }
}

}  // namespace

void copyFloatToDeviceHalf(const Target&, const float* src, void* dst, std::size_t numElements) {
  convert<float, std::uint16_t>(src, dst, numElements, tessera::formats::half_from_double);
}

void copyDeviceHalfToFloat(const Target&, const void* src, float* dst, std::size_t numElements) {
  convert<std::uint16_t, float>(src, dst, numElements, tessera::formats::half_to_float);
}

void copyDoubleToDeviceHalf(const Target&, const double* src, void* dst, std::size_t numElements) {
  convert<double, std::uint16_t>(src, dst, numElements, tessera::formats::half_from_double);
}

void copyDeviceHalfToDouble(const Target&, const void* src, double* dst, std::size_t numElements) {
  convert<std::uint16_t, double>(src, dst, numElements, tessera::formats::half_to_float);
}

}  // namespace poplar
