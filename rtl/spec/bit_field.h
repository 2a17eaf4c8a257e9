// Bits high..low of a word: how the codecs of words.h reach a field. All is inlined by force: a codec of twenty fields
// with constant places is then a few shifts, where the compiler's own judgement leaves twenty calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tessera::spec {

struct BitField {
  unsigned high, low;

  [[gnu::always_inline]] constexpr unsigned width() const { return high - low + 1; }
  // The largest value.
  [[gnu::always_inline]] constexpr uint64_t most() const { return ~uint64_t{0} >> (64 - width()); }

  [[gnu::always_inline]] constexpr uint64_t take(uint64_t word) const { return word >> low & most(); }
  // The word with this field changed.
  template <class Word>
    requires std::is_unsigned_v<Word>
  [[gnu::always_inline]] constexpr Word with(Word word, uint64_t value) const {
    return static_cast<Word>((word & ~(most() << low)) | (value & most()) << low);
  }

  // Of a word of several, the lowest first: the field stands in one of them, or is two whole ones.
  [[gnu::always_inline]] constexpr uint64_t take(const uint32_t* words) const {
    const uint64_t first = words[low / 32];
    return (is_pair() ? first | uint64_t{words[high / 32]} << 32 : first >> low % 32) & most();
  }
  template <size_t count>
  [[gnu::always_inline]] constexpr std::array<uint32_t, count> with(std::array<uint32_t, count> words,
                                                                    uint64_t value) const {
    const unsigned at = low / 32;
    words[at] = is_pair() ? static_cast<uint32_t>(value) : BitField{high % 32, low % 32}.with(words[at], value);
    if (is_pair()) words[high / 32] = static_cast<uint32_t>(value >> 32);
    return words;
  }
  [[gnu::always_inline]] constexpr bool is_pair() const { return high / 32 != low / 32; }
};

template <unsigned bits>
using WordValue =
    std::conditional_t<(bits <= 32), uint32_t,
                       std::conditional_t<(bits <= 64), uint64_t, std::array<uint32_t, (bits + 31) / 32>>>;
// What decode() takes: the word, or the address of its 32-bit words.
template <unsigned bits>
using WordArgument = std::conditional_t<(bits <= 64), WordValue<bits>, const uint32_t*>;
template <unsigned width>
using FieldValue = std::conditional_t<width == 1, bool, std::conditional_t<(width <= 32), uint32_t, uint64_t>>;

}  // namespace tessera::spec
