// The RTL's structs (words_pkg) and the C++ codecs (words.h) put and find every field of every word at the same bits.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "Vwords_probe.h"
#include "rtl/spec/words.h"

namespace {

using namespace tessera::spec;

constexpr unsigned kRounds = 2000, kWordRoom = Observe::kBits / 32;  // the widest

template <unsigned bits>
WordArgument<bits> first_bits(const uint32_t* words) {
  if constexpr (bits > 64)
    return words;
  else
    return static_cast<WordArgument<bits>>((words[0] | uint64_t{words[1]} << 32) & ~uint64_t{0} >> (64 - bits));
}

template <class Word>
bool equal(const Word& word, const uint32_t* words) {
  if constexpr (std::is_unsigned_v<Word>)
    return word == (words[0] | uint64_t{words[1]} << 32);
  else
    return std::equal(word.begin(), word.end(), words);
}

}  // namespace

TEST_CASE("a field taken from a word is the same in RTL and C++") {
  Vwords_probe dut;
  std::mt19937 random(1);
  unsigned fields = 0, wrong = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < kWordRoom; ++i) dut.word_i[i] = static_cast<uint32_t>(random());
    dut.eval();
    unsigned n = 0;
#define WORD(Id, prefix, bits, text) \
  {                                  \
    const Id word = Id::decode(first_bits<bits>(&dut.word_i[0]));
#define FIELD(name, high, low, meaning)                                                          \
  wrong += uint64_t{word.name} != (dut.taken_o[2 * n] | uint64_t{dut.taken_o[2 * n + 1]} << 32); \
  ++n;
#define END_WORD(Id) }
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD
    fields = n;
  }
  CHECK(wrong == 0);
  CHECK(fields * 2 * 32 == 8 * sizeof dut.taken_o);
}

TEST_CASE("a word made of fields is the same in RTL and C++") {
  Vwords_probe dut;
  std::mt19937 random(2);
  unsigned wrong = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (unsigned i = 0; i < sizeof dut.fields_i / 4; ++i) dut.fields_i[i] = static_cast<uint32_t>(random());
    dut.eval();
    unsigned n = 0, w = 0;
#define WORD(Id, prefix, bits, text) \
  {                                  \
    using Word = Id;                 \
    Word word;
#define FIELD(name, high, low, meaning)                                                                          \
  word.name = static_cast<decltype(word.name)>((dut.fields_i[2 * n] | uint64_t{dut.fields_i[2 * n + 1]} << 32) & \
                                               Word::Layout::name.most());                                       \
  ++n;
#define END_WORD(Id)                                           \
  wrong += !equal(word.encode(), &dut.put_o[kWordRoom * w++]); \
  }
#include "rtl/spec/words.def"
#undef WORD
#undef FIELD
#undef END_WORD
  }
  CHECK(wrong == 0);
}
