// Random recipes: legal, and with a result that is known.
#pragma once

#include "tests/compiler/random_graphs/recipe.h"

namespace tessera::test {

// The same for the same seed, on every machine.
Recipe random_recipe(std::uint64_t seed);

}  // namespace tessera::test
