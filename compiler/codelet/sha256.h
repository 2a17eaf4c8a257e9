// SHA-256 (FIPS 180-4), as lower-case hexadecimal: names cache entries by content and detects damaged files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::compiler {

class Sha256 {
 public:
  void update(const void* data, std::size_t size);
  void update(std::string_view text) { update(text.data(), text.size()); }
  // Length first, so that two neighbouring fields cannot be confused with one.
  void update_field(std::string_view text);
  // Ends the message; the object is spent.
  std::string hex();

 private:
  void block(const std::uint8_t* bytes);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;
};

std::string sha256(std::string_view text);

}  // namespace tessera::compiler
