// Taking out of a recipe what nothing uses; what is left is numbered anew.
#pragma once

#include "tests/compiler/random_graphs/recipe.h"

namespace tessera::test {

// Functions that nobody calls, and streams that nobody copies from or to: an engine refuses to connect those.
void remove_unreachable(Recipe& recipe);
// These, and compute sets, handles and variables.
void remove_unused(Recipe& recipe);

}  // namespace tessera::test
