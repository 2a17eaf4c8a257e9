// Reading and writing fields of the flat buses that verilated modules have as ports. Bit 0 is the port's bit 0; fields
// are at most 64 bits.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <type_traits>

namespace tessera::test {

template <class Port>
void set_bit(Port& port, unsigned bit, bool value) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>((port & ~(uint64_t{1} << bit)) | uint64_t{value} << bit);
  } else {
    const uint32_t mask = 1u << (bit & 31);
    port[bit / 32] = (port[bit / 32] & ~mask) | (value ? mask : 0);
  }
}

template <class Port>
bool get_bit(const Port& port, unsigned bit) {
  if constexpr (std::is_integral_v<Port>)
    return static_cast<uint64_t>(port) >> bit & 1;
  else
    return port[bit / 32] >> (bit & 31) & 1;
}

template <class Port>
void set_field(Port& port, unsigned lsb, unsigned width, uint64_t value) {
  for (unsigned i = 0; i < width; ++i) set_bit(port, lsb + i, value >> i & 1);
}

template <class Port>
uint64_t get_field(const Port& port, unsigned lsb, unsigned width) {
  uint64_t value = 0;
  for (unsigned i = 0; i < width; ++i) value |= uint64_t{get_bit(port, lsb + i)} << i;
  return value;
}

}  // namespace tessera::test
