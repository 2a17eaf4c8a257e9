// Random compute sets: vertices that do not get in each other's way.
#pragma once

#include <vector>

#include "tests/compiler/random_graphs/codelets.h"
#include "tests/compiler/random_graphs/generate_views.h"

namespace tessera::test {

class VertexGenerator {
 public:
  // Vertices come from few codelets, one of some dozen choices.
  VertexGenerator(Random& random, Recipe& recipe, ViewGenerator& views);

  unsigned add_compute_set();  // its number
  // A compute set that counts a new variable down: `left` is it, `more` and `done` say whether it is above 0.
  unsigned add_count_down(const View& left, const View& more, const View& done);
  // A vertex of each codelet that this recipe may have, with variables of its own. Compiled with every recipe, though
  // it need not run, so that recipes of one choice of codelets link the same text, which is found again from then on.
  unsigned add_whole_palette();

 private:
  Vertex vertex(unsigned tile);
  View edge(Kind kind, bool written, std::size_t size);
  std::size_t edge_size(const Codelet& does, std::size_t all);

  Random& random_;
  Recipe& recipe_;
  ViewGenerator& views_;
  std::vector<Instance> palette_;
  std::vector<View> inputs_;  // of the vertices so far
};

}  // namespace tessera::test
