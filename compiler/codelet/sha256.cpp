#include "compiler/codelet/sha256.h"

namespace tessera::compiler {

void Sha256::update(std::string_view text) {
  sha256_update(&context_, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
}

void Sha256::update_field(std::string_view text) {
  update(std::to_string(text.size()) + ":");
  update(text);
}

std::string Sha256::hex() {
  std::uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context_, sizeof digest, digest);
  std::string text;
  for (const std::uint8_t byte : digest) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[byte >> shift & 15];
  }
  return text;
}

std::string sha256(std::string_view text) {
  Sha256 digest;
  digest.update(text);
  return digest.hex();
}

}  // namespace tessera::compiler
