#include "tests/compiler/random_graphs/element_kind.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "formats/half.h"

namespace tessera::test {
namespace {

std::uint64_t mask(Kind kind) {
  const unsigned bits = 8 * info(kind).bytes;
  return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

bool is_signed(Kind kind) {
  return kind == Kind::kChar || kind == Kind::kSignedChar || kind == Kind::kShort || kind == Kind::kInt ||
         kind == Kind::kLongLong;
}

std::uint64_t from_float(float value) { return std::isnan(value) ? 0x7fc00000 : std::bit_cast<std::uint32_t>(value); }
std::uint64_t from_half(double value) { return std::isnan(value) ? 0x7e00 : formats::half_from_double(value); }
// Exact for both.
double real(Kind kind, std::uint64_t bits) {
  return kind == Kind::kHalf ? formats::half_to_float(static_cast<std::uint16_t>(bits))
                             : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

}  // namespace

const KindInfo& info(Kind kind) {
  using poplar::TypeTraits;
  static const std::array<KindInfo, kNumKinds> table = {{
      {"BOOL", "bool", "unsigned char", 1, poplar::BOOL, TypeTraits::make<unsigned char>()},
      {"CHAR", "char", "signed char", 1, poplar::CHAR, TypeTraits::make<signed char>()},
      {"UNSIGNED_CHAR", "unsigned char", "unsigned char", 1, poplar::UNSIGNED_CHAR, TypeTraits::make<unsigned char>()},
      {"SIGNED_CHAR", "signed char", "signed char", 1, poplar::SIGNED_CHAR, TypeTraits::make<signed char>()},
      {"SHORT", "short", "short", 2, poplar::SHORT, TypeTraits::make<short>()},
      {"UNSIGNED_SHORT", "unsigned short", "unsigned short", 2, poplar::UNSIGNED_SHORT,
       TypeTraits::make<unsigned short>()},
      {"INT", "int", "int", 4, poplar::INT, TypeTraits::make<int>()},
      {"UNSIGNED_INT", "unsigned int", "unsigned", 4, poplar::UNSIGNED_INT, TypeTraits::make<unsigned>()},
      {"LONGLONG", "long long", "long long", 8, poplar::LONGLONG, TypeTraits::make<long long>()},
      {"UNSIGNED_LONGLONG", "unsigned long long", "unsigned long long", 8, poplar::UNSIGNED_LONGLONG,
       TypeTraits::make<unsigned long long>()},
      {"HALF", "half", "half", 2, poplar::HALF, TypeTraits::make<poplar::half>()},
      {"FLOAT", "float", "float", 4, poplar::FLOAT, TypeTraits::make<float>()},
  }};
  return table[static_cast<std::size_t>(kind)];
}

bool is_floating(Kind kind) { return kind == Kind::kHalf || kind == Kind::kFloat; }
bool is_integer(Kind kind) { return kind != Kind::kBool && !is_floating(kind); }
bool same_bits(Kind a, Kind b) { return a != Kind::kBool && b != Kind::kBool && info(a).bytes == info(b).bytes; }

std::uint64_t add(Kind kind, std::uint64_t a, std::uint64_t b) {
  if (kind == Kind::kHalf) return from_half(real(kind, a) + real(kind, b));  // the sum is exact in double
  if (kind == Kind::kFloat) return from_float(static_cast<float>(real(kind, a)) + static_cast<float>(real(kind, b)));
  return (a + b) & mask(kind);
}

std::uint64_t multiply(Kind kind, std::uint64_t a, std::uint64_t b) {
  if (kind == Kind::kHalf) return from_half(real(kind, a) * real(kind, b));
  if (kind == Kind::kFloat) return from_float(static_cast<float>(real(kind, a)) * static_cast<float>(real(kind, b)));
  return (a * b) & mask(kind);
}

bool is_less(Kind kind, std::uint64_t a, std::uint64_t b) {
  if (is_floating(kind)) return real(kind, a) < real(kind, b);
  return is_signed(kind) ? as_integer(kind, a) < as_integer(kind, b) : a < b;
}

std::uint64_t widened(std::uint64_t half_bits) { return from_float(static_cast<float>(real(Kind::kHalf, half_bits))); }

std::uint64_t element(Kind kind, double value) {
  if (kind == Kind::kHalf) return from_half(value);
  if (kind == Kind::kFloat) return from_float(static_cast<float>(value));
  if (kind == Kind::kBool) return value != 0 ? 1 : 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & mask(kind);
}

std::int64_t as_integer(Kind kind, std::uint64_t bits) {
  const unsigned unused = 64 - 8 * info(kind).bytes;
  return is_signed(kind) ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
}

std::string literal(Kind kind, std::uint64_t bits) {
  if (is_floating(kind)) {
    const char* type = info(kind).host;
    const double value = real(kind, bits);
    if (!std::isfinite(value)) return fmt::format("from_bits<{}>({:#x})", type, bits);
    std::string text = fmt::format("{:.9g}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return kind == Kind::kHalf ? "half(" + text + "f)" : text + "f";
  }
  if (kind == Kind::kLongLong) return fmt::format("{}LL", as_integer(kind, bits));
  if (is_signed(kind)) return std::to_string(as_integer(kind, bits));
  return std::to_string(bits) + (kind == Kind::kUnsignedLongLong ? "ULL" : kind == Kind::kUnsigned ? "u" : "");
}

std::vector<std::uint8_t> to_bytes(Kind kind, const Values& values) {
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t value : values)
    for (unsigned i = 0; i < info(kind).bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  return bytes;
}

Values from_bytes(Kind kind, const std::vector<std::uint8_t>& bytes) {
  const unsigned size = info(kind).bytes;
  Values values(bytes.size() / size);
  for (std::size_t i = 0; i < bytes.size(); ++i) values[i / size] |= std::uint64_t{bytes[i]} << 8 * (i % size);
  return values;
}

}  // namespace tessera::test
