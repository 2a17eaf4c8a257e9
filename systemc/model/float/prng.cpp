#include "systemc/model/float/prng.h"

namespace tessera::model {

Prng seeded(uint32_t seed) {
  const uint64_t s0 = uint64_t{~seed} << 32 | seed;
  return {s0, std::rotl(s0, 13)};
}

}  // namespace tessera::model
