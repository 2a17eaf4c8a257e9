// Reading and writing fields of the flat buses that verilated modules have as ports. Bit 0 is the port's bit 0; fields
// are at most 64 bits.
#pragma once

#include <verilated.h>

#include <cstdint>
#include <type_traits>

#include "rtl/spec/bit_field.h"

namespace tessera::chip {

template <class Port>
void set_field(Port& port, unsigned lsb, unsigned width, uint64_t value) {
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  value &= mask;
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>((static_cast<uint64_t>(port) & ~(mask << lsb)) | value << lsb);
  } else {
    for (unsigned done = 0; done < width;) {
      const unsigned bit = (lsb + done) & 31, here = bit + width - done > 32 ? 32 - bit : width - done;
      const uint32_t part = here == 32 ? ~0u : ((1u << here) - 1) << bit;
      uint32_t& word = port[(lsb + done) / 32];
      word = (word & ~part) | (static_cast<uint32_t>(value >> done) << bit & part);
      done += here;
    }
  }
}

template <class Port>
uint64_t get_field(const Port& port, unsigned lsb, unsigned width) {
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<uint64_t>(port) >> lsb & mask;
  } else {
    uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
      const unsigned bit = (lsb + done) & 31, here = bit + width - done > 32 ? 32 - bit : width - done;
      value |= uint64_t{port[(lsb + done) / 32] >> bit} << done;
      done += here;
    }
    return value & mask;
  }
}

template <class Port>
bool any_bit(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    return port != 0;
  } else {
    for (const uint32_t word : port.m_storage)
      if (word != 0) return true;
    return false;
  }
}

template <class Port>
void clear(Port& port) {
  if constexpr (std::is_integral_v<Port>)
    port = 0;
  else
    for (uint32_t& word : port.m_storage) word = 0;
}

template <class Port>
void set_bit(Port& port, unsigned bit, bool value) {
  set_field(port, bit, 1, value);
}

template <class Port>
bool get_bit(const Port& port, unsigned bit) {
  return get_field(port, bit, 1) != 0;
}

// Of a port that holds words of one kind (rtl/spec/words.h) side by side: number `n`.
template <class Word, class Port>
void set_word(Port& port, unsigned n, const Word& word) {
  set_field(port, Word::kBits * n, Word::kBits, word.encode());
}

template <class Word, class Port>
Word get_word(const Port& port, unsigned n) {
  return Word::decode(static_cast<spec::WordValue<Word::kBits>>(get_field(port, Word::kBits * n, Word::kBits)));
}

}  // namespace tessera::chip
