// Element types that random graphs have, and arithmetic on the bits of their elements as the host does it: what
// codelets must compute, worked out without them.
#pragma once

#include <cstdint>
#include <poplar/Type.hpp>
#include <poplar/TypeTraits.hpp>
#include <string>
#include <vector>

namespace tessera::test {

enum class Kind : std::uint8_t {
  kBool,
  kChar,
  kUnsignedChar,
  kSignedChar,
  kShort,
  kUnsignedShort,
  kInt,
  kUnsigned,
  kLongLong,
  kUnsignedLongLong,
  kHalf,
  kFloat,
};

constexpr unsigned kNumKinds = 12;

// Elements as their bits, in the lowest bytes.
using Values = std::vector<std::uint64_t>;

struct KindInfo {
  const char* api;     // poplar's constant
  const char* device;  // in the names of codelets
  const char* host;    // what holds an element on the host
  unsigned bytes;
  poplar::Type type;
  poplar::TypeTraits traits;  // of the host's type
};

const KindInfo& info(Kind kind);
bool is_integer(Kind kind);  // bool is none
bool is_floating(Kind kind);
// Elements of one can be read as the other: neither is bool, and both have the same size.
bool same_bits(Kind a, Kind b);

// Each rounds once, to nearest even; integers wrap; a NaN that comes out is RISC-V's.
std::uint64_t add(Kind kind, std::uint64_t a, std::uint64_t b);
std::uint64_t multiply(Kind kind, std::uint64_t a, std::uint64_t b);
bool is_less(Kind kind, std::uint64_t a, std::uint64_t b);
std::uint64_t widened(std::uint64_t half_bits);  // as float
// The element that `value` is converted to, rounded or wrapped.
std::uint64_t element(Kind kind, double value);
std::int64_t as_integer(Kind kind, std::uint64_t bits);  // of an integer or bool

// As C++ writes it in a list of the host's type.
std::string literal(Kind kind, std::uint64_t bits);

std::vector<std::uint8_t> to_bytes(Kind kind, const Values& values);
Values from_bytes(Kind kind, const std::vector<std::uint8_t>& bytes);

}  // namespace tessera::test
