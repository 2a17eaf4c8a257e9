// Seconds of processor time to check a compute set of 200,000 vertices, each connected to a row of one tensor.
#include "compiler/graph/validate.h"

#include <ctime>

#include "tests/bench/figure.h"
#include "tests/poplar/sample_graph.h"

int main() {
  sample::Sample s;
  constexpr std::size_t kVertices = 200000;
  const tessera::graph::TensorRef x = s.variable("x", {kVertices, 4});
  for (std::size_t i = 0; i < kVertices; ++i)
    s.vertex(1, {{0, tessera::graph::kWholeField, {x.type, x.view.index(i)}}});
  const std::clock_t start = std::clock();
  sample::validate(s.graph, {sample::execute()});
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return print_figure("ground_validate", seconds, "s", Goal::kAtMost, 5, {{"vertices", kVertices}}) ? 0 : 1;
}
