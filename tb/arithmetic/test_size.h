// How many cases the tests of this folder run, and from which seed.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::tb {

bool nightly();

// `commit` cases, or `nightly` ones in the nightly tier, or TESSERA_ARITHMETIC_CASES.
uint64_t case_count(uint64_t commit, uint64_t nightly);

// TESSERA_SEED, or a fixed number; printed on the first call.
uint64_t arithmetic_seed();

}  // namespace tessera::tb
