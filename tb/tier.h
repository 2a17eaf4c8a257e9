// How much a test does: by $TESSERA_TIER, which `./run test` sets.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tessera::test {

inline uint64_t in_tier(uint64_t commit, uint64_t nightly) {
  const char* tier = std::getenv("TESSERA_TIER");
  return tier != nullptr && std::string_view(tier) == "nightly" ? nightly : commit;
}

}  // namespace tessera::test
