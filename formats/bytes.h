// Numbers, texts and lists as bytes: what files, messages and tables of this project are made of.
//
// Little-endian numbers of their own width; varints (LEB128: 7 bits a byte, lowest first, bit 7 set in all but the
// last), signed ones in zigzag; a text or a list is a varint count and its elements.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::formats {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

using Bytes = std::vector<uint8_t>;

template <class T>
concept Number = std::is_integral_v<T> || std::is_enum_v<T>;

inline uint64_t zigzag(int64_t value) { return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63); }
inline int64_t unzigzag(uint64_t value) { return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1)); }

inline void put_raw(Bytes& out, const void* data, size_t size) {
  const size_t at = out.size();
  out.resize(at + size);
  if (size != 0) std::memcpy(out.data() + at, data, size);
}
template <Number T>
void put_number(Bytes& out, T value) {
  put_raw(out, &value, sizeof value);
}
inline void put_varint(Bytes& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<uint8_t>(value));
}
inline void put_signed(Bytes& out, int64_t value) { put_varint(out, zigzag(value)); }
// The low `bytes` of value, lowest first.
inline void put_low(Bytes& out, uint64_t value, unsigned bytes) {
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  out.insert(out.end(), first, first + bytes);
}
template <Number T>
void put_list(Bytes& out, std::span<const T> values) {
  put_varint(out, values.size());
  put_raw(out, values.data(), values.size_bytes());
}
inline void put_text(Bytes& out, std::string_view text) { put_list(out, std::span<const char>(text)); }

// The number that stands there.
template <Number T>
T number_at(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// The functions above as a class, for messages written in one expression and for io() (formats/archive.h).
class ByteWriter {
 public:
  static constexpr bool kReading = false;

  template <Number T>
  ByteWriter& number(T value) {
    put_number(bytes_, value);
    return *this;
  }
  ByteWriter& varint(uint64_t value) {
    put_varint(bytes_, value);
    return *this;
  }
  ByteWriter& signed_varint(int64_t value) {
    put_signed(bytes_, value);
    return *this;
  }
  ByteWriter& raw(const void* data, size_t size) {
    put_raw(bytes_, data, size);
    return *this;
  }
  ByteWriter& text(std::string_view value) {
    put_text(bytes_, value);
    return *this;
  }
  ByteWriter& words(std::span<const uint32_t> values) {
    put_list(bytes_, values);
    return *this;
  }
  ByteWriter& block(std::span<const uint8_t> values) {
    put_list(bytes_, values);
    return *this;
  }
  const Bytes& bytes() const { return bytes_; }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

// The bytes are not what was written: cut off, too long, or with contents that cannot be. what() speaks of "it".
struct DamagedBytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Reads what was written above. Never reads past the end: throws DamagedBytes. The bytes outlive the reader.
class ByteReader {
 public:
  static constexpr bool kReading = true;

  ByteReader() = default;
  explicit ByteReader(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool empty() const { return at_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  uint8_t byte() {
    if (at_ == end_) cut_off();
    return *at_++;
  }
  template <Number T>
  T number() {
    if constexpr (std::is_same_v<T, bool>) {
      return byte() != 0;
    } else {
      T value;
      raw(&value, sizeof value);
      return value;
    }
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t part = byte();
      value |= static_cast<uint64_t>(part & 0x7f) << shift;
      if (part < 0x80) return value;
    }
    throw DamagedBytes("it holds a number of more than 64 bits");
  }
  int64_t signed_varint() { return unzigzag(varint()); }
  uint64_t low(unsigned bytes) {
    if (left() < bytes) cut_off();
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= static_cast<uint64_t>(*at_++) << 8 * i;
    return value;
  }
  std::span<const uint8_t> take(uint64_t bytes) {
    if (left() < bytes) cut_off();
    const std::span<const uint8_t> taken(at_, bytes);
    at_ += bytes;
    return taken;
  }
  void raw(void* to, uint64_t bytes) {
    const auto from = take(bytes);
    if (bytes != 0) std::memcpy(to, from.data(), bytes);
  }
  // How many elements of at least `least_bytes` each follow.
  size_t count(size_t least_bytes = 1) {
    const uint64_t n = varint();
    if (n > left() / least_bytes) cut_off();
    return n;
  }
  template <Number T>
  std::vector<T> list() {
    std::vector<T> values(count(sizeof(T)));
    raw(values.data(), values.size() * sizeof(T));
    return values;
  }
  std::string text() {
    const auto bytes = take(count());
    return {bytes.begin(), bytes.end()};
  }
  std::vector<uint32_t> words() { return list<uint32_t>(); }
  Bytes block() { return list<uint8_t>(); }
  // Call after the last item.
  void end() const {
    if (at_ != end_) throw DamagedBytes("it is longer than its contents");
  }

 private:
  [[noreturn]] static void cut_off() { throw DamagedBytes("its bytes end too early"); }

  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
};

}  // namespace tessera::formats
