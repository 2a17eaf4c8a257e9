// Softmax regression on handwritten digits (tests/programs/digits), a part of each batch for each replica of the graph.
#pragma once

#include <poplar/Graph.hpp>
#include <poplar/Program.hpp>
#include <string>

constexpr unsigned kGlobalBatch = 96, kNetworkPixels = 64, kNetworkClasses = 10;
constexpr unsigned kNetworkWeights = kNetworkClasses * (kNetworkPixels + 1);

// The program trains an epoch. Streams, of each replica: "images" (kGlobalBatch / replicas x 64 floats), "labels" (as
// many ints), "loss" (1 float, an epoch's sum). Host read handle: "weights". `step` is the learning rate for the mean
// gradient of a batch of all replicas.
poplar::program::Program build_replicated_network(poplar::Graph& graph, const std::string& codelets,
                                                  unsigned batches_per_epoch, float step);
