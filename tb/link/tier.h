// How much the tests of this folder do.
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
