#include "tb/arithmetic/test_size.h"
#include "tb/tier.h"

#include <cstdio>
#include <cstdlib>

namespace tessera::tb {

namespace {

uint64_t number_from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 0);
}

}  // namespace

bool nightly() { return test::in_tier(0, 1) == 1; }

uint64_t case_count(uint64_t commit, uint64_t at_night) {
  return number_from_environment("TESSERA_ARITHMETIC_CASES", nightly() ? at_night : commit);
}

uint64_t arithmetic_seed() {
  static const uint64_t seed = [] {
    const uint64_t s = number_from_environment("TESSERA_SEED", 33);
    std::printf("seed TESSERA_SEED=%llu\n", static_cast<unsigned long long>(s));
    return s;
  }();
  return seed;
}

}  // namespace tessera::tb
