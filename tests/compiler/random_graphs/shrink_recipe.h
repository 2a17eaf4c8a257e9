// A failing recipe made small: what it does not need in order to fail is taken away, until nothing more can go.
#pragma once

#include <functional>

#include "tests/compiler/random_graphs/recipe.h"

namespace tessera::test {

// `fails` says whether a recipe still fails in the way that matters; false for one that is not legal.
Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails);

}  // namespace tessera::test
