// Damaged copies of a file, seeded: cut off, bits turned over, grown, zeroed in part, two parts exchanged.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tessera::test {

struct Damaged {
  std::vector<uint8_t> bytes;
  std::string how;  // "bits 17 and 4711 turned over"
};
// Never equal to `whole`, which is not empty.
Damaged damage(const std::vector<uint8_t>& whole, std::mt19937_64& random);

}  // namespace tessera::test
