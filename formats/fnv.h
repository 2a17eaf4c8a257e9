// FNV-1a, 64 bits: the project's hash where a hash names a thing (a machine, an instruction table) or finds damage. It
// is no defence against malice; names of cache entries are SHA-256.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tessera::formats {

class Fnv {
 public:
  static constexpr uint64_t kBasis = 0xcbf29ce484222325u;
  static constexpr uint64_t kPrime = 0x100000001b3u;

  constexpr Fnv& byte(uint8_t value) {
    hash_ = (hash_ ^ value) * kPrime;
    return *this;
  }
  constexpr Fnv& text(std::string_view value) {
    for (const char c : value) byte(static_cast<uint8_t>(c));
    return *this;
  }
  // All bytes of the number, lowest first.
  template <class T>
  constexpr Fnv& number(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) byte(static_cast<uint8_t>(static_cast<uint64_t>(value) >> 8 * i));
    return *this;
  }
  constexpr uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = kBasis;
};

// Digest of a file's body, which any one changed byte changes: FNV-1a in steps of eight bytes, each folded so that high
// bits reach low ones, and single bytes at the end.
inline uint64_t digest(std::span<const uint8_t> bytes) {
  uint64_t hash = Fnv::kBasis;
  size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + i, 8);
    hash = (hash ^ word) * Fnv::kPrime;
    hash ^= hash >> 29;
  }
  for (; i < bytes.size(); ++i) hash = (hash ^ bytes[i]) * Fnv::kPrime;
  return hash;
}

}  // namespace tessera::formats
