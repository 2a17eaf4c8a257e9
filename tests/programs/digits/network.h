// Softmax regression on handwritten digits as a Poplar graph, spread over all tiles of the target.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <string>
#include <vector>

struct Network {
  static constexpr unsigned kPixels = 64, kClasses = 10, kWeights = kClasses * (kPixels + 1);
  static constexpr unsigned kBatch = 96;

  // Programs, in the order the engine gets them.
  enum Program : unsigned { kTrainEpoch, kClassifyBatch };
  std::vector<poplar::program::Program> programs;
};

// Streams: "images" (kBatch x 64 floats), "labels" (kBatch ints), "loss" (1 float, an epoch's sum), "classes" (kBatch
// ints). Host read handle: "weights". `step` is the learning rate for the mean gradient of a batch.
Network build_network(poplar::Graph& graph, const std::string& codelets, unsigned batches_per_epoch, float step);
