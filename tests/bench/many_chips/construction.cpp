// Time to make the engine of the digits on 16 replicas, a chip of mk2-16 each, against one chip's with the same
// batches.
#include <algorithm>
#include <chrono>
#include <poplar/Engine.hpp>
#include <poplar/Graph.hpp>
#include <poplar/Target.hpp>

#include "tests/bench/figure.h"
#include "tests/programs/digits_replicas/replicated_network.h"

namespace {

double seconds_of(unsigned replicas) {
  poplar::Graph graph(poplar::Target::createIPUTarget(replicas, "mk2-16"), poplar::replication_factor(replicas));
  const auto program = build_replicated_network(graph, DIGITS_FOLDER "/codelets.cpp", 15, 1.0f);
  const auto start = std::chrono::steady_clock::now();
  poplar::Engine engine(graph, program);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  seconds_of(1);  // compiles the codelets
  double one = seconds_of(1), sixteen = seconds_of(16);
  for (int turn = 0; turn < 4; ++turn) {
    one = std::min(one, seconds_of(1));
    sixteen = std::min(sixteen, seconds_of(16));
  }
  return print_figure("engine-construction-16-chips", sixteen / one, "of one chip's", Goal::kAtMost, 3.0,
                      {{"seconds", sixteen}, {"seconds of one chip", one}})
             ? 0
             : 1;
}
