// Time to make the demo's engine on 16 tiles with its codelets cached, and to compile one codelet file with an empty
// cache.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Target.hpp>
#include <random>

#include "figure.h"
#include "tests/programs/digits/network.h"

namespace {

double seconds_of(const std::function<void()>& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const std::string kCodelets = std::string(DIGITS_FOLDER) + "/codelets.cpp";

double compile_codelets() {
  poplar::Graph graph(poplar::Target::createIPUTarget(1, 16, "ipu2"));
  return seconds_of([&] { graph.addCodelets(kCodelets); });
}

double construct_engine() {
  poplar::Graph graph(poplar::Target::createIPUTarget(1, 16, "ipu2"));
  const Network network = build_network(graph, kCodelets, 15, 1.0f);
  return seconds_of([&] { poplar::Engine engine(graph, network.programs); });
}

}  // namespace

int main() {
  const auto cache =
      std::filesystem::temp_directory_path() / ("tessera-bench-cache-" + std::to_string(std::random_device()()));
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const double cold = compile_codelets();
  construct_engine();
  double warm = construct_engine() + compile_codelets();
  for (int i = 0; i < 2; ++i) warm = std::min(warm, construct_engine() + compile_codelets());
  std::filesystem::remove_all(cache);
  bool ok = print_figure("codelet-cold-compile", cold, "s", Goal::kAtMost, 2.0);
  ok &= print_figure("engine-construction-16-tiles", warm, "s", Goal::kAtMost, 2.0, {{"codelets", "cached"}});
  return ok ? 0 : 1;
}
