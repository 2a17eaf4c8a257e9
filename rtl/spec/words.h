// The words of words.def as C++: ExchangeEvent, PacketHeader, DebugSelect, ... Each is a plain struct of its fields
// with
//   encode()              the word; std::out_of_range names a field whose value does not fit
//   Id::decode(word)      its fields; reserved bits are passed over
//   Id::Layout::FIELD     where a field lies (BitField), to read or change it alone: Layout::count.with(word, 3)
// A word of more than 64 bits is an array of 32-bit words, the lowest first; decode() takes its address.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "rtl/spec/bit_field.h"
#include "rtl/spec/numbers.h"

namespace tessera::spec {

[[noreturn]] inline void refuse_field(const char* word, const char* field, uint64_t value, unsigned width) {
  throw std::out_of_range(std::string(word) + "::" + field + ": " + std::to_string(value) + " does not fit " +
                          std::to_string(width) + " bits");
}

#define WORD(Id, prefix, bits, text)                                            \
  struct Id {                                                                   \
    static constexpr unsigned kBits = bits;                                     \
    constexpr WordValue<bits> encode() const;                                   \
    [[gnu::always_inline]] static constexpr Id decode(WordArgument<bits> word); \
    constexpr bool operator==(const Id&) const = default;                       \
    struct Layout;
#define FIELD(name, high, low, meaning) FieldValue<(high) - (low) + 1> name = 0;
#define END_WORD(Id) \
  }                  \
  ;
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD

#define WORD(Id, prefix, bits, text) \
  struct Id::Layout {                \
    static constexpr unsigned kWordBits = bits;
#define FIELD(name, high, low, meaning)                 \
  static constexpr BitField name{high, low};            \
  static_assert((high) >= (low) && (high) < kWordBits); \
  static_assert(kWordBits <= 64 || !name.is_pair() || ((low) % 32 == 0 && name.width() == 64));
#define END_WORD(Id) \
  }                  \
  ;
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD

#define WORD(Id, prefix, bits, text)             \
  constexpr WordValue<bits> Id::encode() const { \
    constexpr const char* name_of_word = #Id;    \
    WordValue<bits> word{};
#define FIELD(name, high, low, meaning)                                                                    \
  if (uint64_t{name} > Layout::name.most()) refuse_field(name_of_word, #name, name, Layout::name.width()); \
  word = Layout::name.with(word, name);
#define END_WORD(Id) \
  return word;       \
  }
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD

#define WORD(Id, prefix, bits, text)                 \
  constexpr Id Id::decode(WordArgument<bits> word) { \
    Id fields;
#define FIELD(name, high, low, meaning) fields.name = static_cast<decltype(fields.name)>(Layout::name.take(word));
#define END_WORD(Id) \
  return fields;     \
  }
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD

}  // namespace tessera::spec
