// Random variables and views of them.
#pragma once

#include <set>

#include "tb/random/random.h"
#include "tests/compiler/random_graphs/recipe.h"
#include "tests/compiler/random_graphs/view_elements.h"

namespace tessera::test {

// Adds to a recipe what it needs: a kind that has no variable yet gets one.
class ViewGenerator {
 public:
  ViewGenerator(Random& random, Recipe& recipe) : random_(random), recipe_(recipe) {}

  // Of up to some dozen elements, rarely some hundreds; its number.
  unsigned add_variable(Kind kind);
  unsigned add_variable(Kind kind, const Shape& shape);
  // Nothing but the one who reserved it writes it.
  void reserve(unsigned variable) { reserved_.insert(variable); }

  View any(Kind kind, bool written);                           // of any shape
  View vector(Kind kind, bool written, std::size_t elements);  // of rank 1
  std::uint64_t value(Kind kind);
  Values values(Kind kind, std::size_t elements);
  std::size_t elements(const View& view) const { return show(recipe_, view).elements.size(); }

 private:
  View base(Kind kind, bool written);
  void add_op(View& view, Shown& shown, bool written);
  ViewOp random_op(const Shown& shown, bool written);
  View partner(const Shown& shown, unsigned dimension, bool written);
  std::vector<Piece> mapping(std::size_t elements);

  Random& random_;
  Recipe& recipe_;
  std::set<unsigned> reserved_;
};

}  // namespace tessera::test
