#include "tb/special/special_operands.h"
#include "tb/tier.h"

#include <bit>
#include <cstdlib>

namespace tessera::tb {

uint64_t special_cases(uint64_t commit, uint64_t nightly) {
  const char* cases = std::getenv("TESSERA_SPECIAL_CASES");
  if (cases != nullptr && *cases != '\0') return std::strtoull(cases, nullptr, 0);
  return test::in_tier(commit, nightly);
}

const std::vector<uint32_t>& special_boundaries() {
  static const std::vector<uint32_t> all = [] {
    std::vector<uint32_t> out;
    for (uint32_t top = 0; top < 512; ++top) {  // sign and exponent
      for (const uint32_t fraction :
           {0u, 1u, 2u, 3u, 0x3ffffeu, 0x3fffffu, 0x400000u, 0x400001u, 0x7ffffeu, 0x7fffffu}) {
        out.push_back(top << 23 | fraction);
      }
    }
    for (uint32_t exponent = 117; exponent < 136; ++exponent) {
      for (uint32_t turn = 0; turn < 256; ++turn) {  // sign and segment
        const uint32_t at = (turn & 1) << 31 | exponent << 23 | (turn >> 1) << 16;
        out.insert(out.end(), {at, at - 1, at + 1});
      }
    }
    for (const float threshold : {17.3287f, 34.6574f, 87.33655f, 88.02969f, 88.72284f, 103.2789f, 103.9721f, 126.0f,
                                  127.0f, 128.0f, 149.0f, 150.0f, 0.6931472f, 1.4426950f, 1.4142135f}) {
      for (int step = -40; step <= 40; ++step) {
        const uint32_t near = std::bit_cast<uint32_t>(threshold) + static_cast<uint32_t>(step);
        out.insert(out.end(), {near, near | 0x80000000u});
      }
    }
    return out;
  }();
  return all;
}

uint32_t SpecialOperands::next() {
  const auto& boundaries = special_boundaries();
  if (taken_ < boundaries.size()) return boundaries[taken_++];
  const uint64_t bits = random_.bits();
  const uint32_t x = static_cast<uint32_t>(bits);
  if (bits >> 62 == 0) return x;
  return (x & 0x807fffffu) | (101 + random_.below(35)) << 23;
}

}  // namespace tessera::tb
