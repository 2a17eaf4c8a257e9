// Memory of tiles against the most that random runs of random programs want at the same time.
#include "tests/bench/figure.h"
#include "tests/compiler/random_lives.h"

int main() {
  constexpr unsigned kPrograms = 500;
  const tessera::test::MemoryUse use = tessera::test::measure_memory(kPrograms);
  if (!use.overlap.empty()) {
    std::cerr << use.overlap << "\n";
    return 1;
  }
  const nlohmann::json context = {{"programs", kPrograms}, {"tiles", use.tiles}, {"of all apart", use.of_apart}};
  print_figure("memory-mean", use.mean, "times the bound", Goal::kAtMost, 1.15, context);
  print_figure("memory-worst", use.worst, "times the bound", Goal::kAtMost, 1.4, context);
}
