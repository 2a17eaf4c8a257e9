#include "tests/damage/damage.h"

#include <algorithm>

namespace tessera::test {
namespace {

using Bytes = std::vector<uint8_t>;

size_t below(size_t limit, std::mt19937_64& random) { return random() % std::max<size_t>(limit, 1); }

std::string cut(Bytes& bytes, std::mt19937_64& random) {
  bytes.resize(below(bytes.size(), random));
  return "cut off after " + std::to_string(bytes.size()) + " bytes";
}

std::string flip(Bytes& bytes, std::mt19937_64& random) {
  std::string how = "turned over:";
  for (size_t left = 1 + below(4, random); left > 0; --left) {
    const size_t bit = below(8 * bytes.size(), random);
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
    how += " bit " + std::to_string(bit);
  }
  return how;
}

std::string grow(Bytes& bytes, std::mt19937_64& random) {
  const size_t at = below(bytes.size() + 1, random), count = 1 + below(64, random);
  Bytes more(count);
  for (uint8_t& byte : more) byte = static_cast<uint8_t>(random());
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), more.begin(), more.end());
  return std::to_string(count) + " bytes more at " + std::to_string(at);
}

std::string zero(Bytes& bytes, std::mt19937_64& random) {
  const size_t at = below(bytes.size(), random), count = 1 + below(std::min<size_t>(4096, bytes.size() - at), random);
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count, uint8_t{0});
  return std::to_string(count) + " zeros at " + std::to_string(at);
}

std::string swap(Bytes& bytes, std::mt19937_64& random) {
  const size_t count = 1 + below(std::min<size_t>(512, bytes.size() / 2), random);
  const size_t first = below(bytes.size() - count, random), second = below(bytes.size() - count, random);
  for (size_t i = 0; i < count; ++i) std::swap(bytes[first + i], bytes[second + i]);
  return std::to_string(count) + " bytes at " + std::to_string(first) + " and " + std::to_string(second) + " exchanged";
}

}  // namespace

Damaged damage(const std::vector<uint8_t>& whole, std::mt19937_64& random) {
  static constexpr auto kWays = {cut, flip, grow, zero, swap};
  for (;;) {
    Damaged made{whole, ""};
    made.how = (*(kWays.begin() + below(kWays.size(), random)))(made.bytes, random);
    if (made.bytes != whole) return made;
  }
}

}  // namespace tessera::test
