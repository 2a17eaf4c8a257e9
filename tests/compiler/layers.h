// Networks of layers written naively, without a thought of phases.
#pragma once

#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"

namespace tessera::test {

// out = bias + weights * in, of kWidth integers, in each layer. Weights and biases lie on other tiles than those that
// compute with them; handle "out".
struct Layers {
  enum class Data {
    kCopied,   // each layer has copies of its own for weights, biases and inputs
    kInPlace,  // vertices are connected to data of other tiles, and their outputs lie on other tiles
  };
  static constexpr unsigned kLayers = 20, kWidth = 64;
  // The least number of exchange phases: every output of a layer is computed from all of the layer before, whose parts
  // lie on all tiles, so that no two layers can take their inputs in one phase, and each needs one. Weights and biases
  // are there from the beginning and depend on nothing: they need no phase of their own. The inputs of the first layer
  // come from one tile and have to go to all: a phase, too.
  // In place the outputs of the last layer have to go to their tiles, one more; those of other layers go there while
  // they go to the next.
  static constexpr unsigned least_phases(Data data) { return kLayers + (data == Data::kInPlace ? 1 : 0); }

  Layers(std::uint32_t tiles, Data data);

  GraphBuilder builder;
  ProgramRef program;
};

// What running a program once takes, on model tiles.
struct PhaseCount {
  std::uint64_t phases = 0, cycles = 0;
  std::vector<std::uint32_t> out;
};
PhaseCount count_phases(const Layers& layers, const spec::Machine& machine, const compiler::Optimisations& optimise);
// Of the host.
std::vector<std::uint32_t> expected_out();

}  // namespace tessera::test
