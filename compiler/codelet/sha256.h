// SHA-256 as lower-case hexadecimal, by nettle: names cache entries by content and detects damaged files.
#pragma once

#include <nettle/sha2.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::compiler {

class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }
  void update(std::string_view text);
  // Length first, so that two neighbouring fields cannot be confused with one.
  void update_field(std::string_view text);
  // Ends the message; the object is as new.
  std::string hex();

 private:
  sha256_ctx context_;
};

std::string sha256(std::string_view text);

}  // namespace tessera::compiler
