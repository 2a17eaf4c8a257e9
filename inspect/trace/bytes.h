// Numbers in byte strings: LEB128 ("varint"), zigzag for signed ones, and little-endian words.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "inspect/trace/format.h"

namespace tessera::inspect::trace {

using Bytes = std::vector<uint8_t>;

inline void put_varint(Bytes& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}
inline uint64_t zigzag(int64_t value) { return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63); }
inline int64_t unzigzag(uint64_t value) { return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1)); }
inline void put_signed(Bytes& out, int64_t value) { put_varint(out, zigzag(value)); }

// The low `bytes` of value, lowest first.
inline void put_low(Bytes& out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(value >> 8 * i));
}
inline void put_text(Bytes& out, const std::string& text) {
  put_varint(out, text.size());
  out.insert(out.end(), text.begin(), text.end());
}

// Reads what the functions above wrote. Never reads past the end: throws DamagedBytes.
class ByteReader {
 public:
  ByteReader() = default;
  explicit ByteReader(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool empty() const { return at_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  uint8_t byte() {
    if (at_ == end_) fail();
    return *at_++;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t part = byte();
      value |= static_cast<uint64_t>(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    fail();
  }
  int64_t signed_varint() { return unzigzag(varint()); }
  uint64_t low(unsigned bytes) {
    if (left() < bytes) fail();
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(*at_++) << 8 * i;
    return value;
  }
  std::span<const uint8_t> take(uint64_t bytes) {
    if (left() < bytes) fail();
    const std::span<const uint8_t> taken(at_, bytes);
    at_ += bytes;
    return taken;
  }
  std::string text() {
    const auto bytes = take(varint());
    return {bytes.begin(), bytes.end()};
  }

 private:
  [[noreturn]] static void fail() { throw DamagedBytes("its bytes end too early"); }

  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
};

}  // namespace tessera::inspect::trace
