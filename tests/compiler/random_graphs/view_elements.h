// Which elements a view of a recipe shows, one by one, by the indexing of the tests alone.
#pragma once

#include "tests/compiler/random_graphs/recipe.h"
#include "tests/poplar/index_model.h"

namespace tessera::test {

struct Shown {
  Kind kind;
  Shape shape;
  std::vector<index_model::Element> elements;  // row-major
};

// Throws Invalid where an operation does not fit.
Shown show(const Recipe& recipe, const View& view);
// What an operation makes of what is shown.
Shown apply(const Recipe& recipe, const ViewOp& op, Shown shown);

bool has_aliases(const Shown& shown);
bool overlap(const Shown& a, const Shown& b);

}  // namespace tessera::test
