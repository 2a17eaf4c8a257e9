#include "network.h"

#include <algorithm>

using poplar::ComputeSet;
using poplar::FLOAT;
using poplar::Graph;
using poplar::INT;
using poplar::Tensor;
using poplar::VertexRef;
namespace program = poplar::program;

namespace {

// Groups of samples: one vertex each, up to six (one a worker) on a tile, over as many tiles as there are groups.
struct Placement {
  unsigned groups, samples;
  std::vector<unsigned> tile;  // of each group
};

Placement place_groups(unsigned tiles, unsigned batch) {
  unsigned groups = std::min(batch, tiles * 6);
  while (batch % groups != 0) --groups;
  Placement placement{groups, batch / groups, {}};
  for (unsigned g = 0; g < groups; ++g)
    placement.tile.push_back(static_cast<unsigned>(static_cast<uint64_t>(g) * tiles / groups));
  return placement;
}

}  // namespace

Network build_network(Graph& graph, const std::string& codelets, unsigned batches_per_epoch, float step) {
  constexpr unsigned kBatch = Network::kBatch, kPixels = Network::kPixels, kWeights = Network::kWeights;
  graph.addCodelets(codelets);
  const unsigned tiles = graph.getTarget().getNumTiles();
  const Placement placement = place_groups(tiles, kBatch);
  const unsigned groups = placement.groups, samples = placement.samples;

  Tensor weights = graph.addVariable(FLOAT, {kWeights}, "weights");
  Tensor images = graph.addVariable(FLOAT, {groups, samples * kPixels}, "images");
  Tensor labels = graph.addVariable(INT, {groups, samples}, "labels");
  Tensor classes = graph.addVariable(INT, {groups, samples}, "classes");
  Tensor gradients = graph.addVariable(FLOAT, {groups, kWeights}, "gradients");
  Tensor losses = graph.addVariable(FLOAT, {groups}, "losses");
  Tensor epoch_loss = graph.addVariable(FLOAT, {1}, "epochLoss");
  Tensor zero = graph.addConstant<float>(FLOAT, {1}, 0.0f, "zero");
  graph.setTileMapping(epoch_loss, 0);
  graph.setTileMapping(zero, 0);
  graph.setInitialValue(weights, poplar::ArrayRef<float>(std::vector<float>(kWeights, 0.0f)));

  // Each tile with groups gets a copy of all weights.
  std::vector<unsigned> copy_of_group;
  std::vector<unsigned> copy_tiles;
  for (unsigned g = 0; g < groups; ++g) {
    if (copy_tiles.empty() || copy_tiles.back() != placement.tile[g]) copy_tiles.push_back(placement.tile[g]);
    copy_of_group.push_back(static_cast<unsigned>(copy_tiles.size()) - 1);
  }
  const unsigned copies = static_cast<unsigned>(copy_tiles.size());
  Tensor local_weights = graph.addVariable(FLOAT, {copies, kWeights}, "localWeights");
  for (unsigned c = 0; c < copies; ++c) graph.setTileMapping(local_weights[c], copy_tiles[c]);

  ComputeSet gradient_set = graph.addComputeSet("gradient");
  ComputeSet classify_set = graph.addComputeSet("classify");
  for (unsigned g = 0; g < groups; ++g) {
    const unsigned tile = placement.tile[g];
    for (const Tensor& t : {images[g], labels[g], classes[g], gradients[g], losses[g]}) graph.setTileMapping(t, tile);
    const Tensor own_weights = local_weights[copy_of_group[g]];
    VertexRef gradient = graph.addVertex(gradient_set, "Gradient",
                                         {{"weights", own_weights},
                                          {"images", images[g]},
                                          {"labels", labels[g]},
                                          {"gradient", gradients[g]},
                                          {"loss", losses[g]}});
    graph.setTileMapping(gradient, tile);
    VertexRef classify = graph.addVertex(classify_set, "Classify",
                                         {{"weights", own_weights}, {"images", images[g]}, {"classes", classes[g]}});
    graph.setTileMapping(classify, tile);
  }

  // Weights and their update are spread evenly over all tiles, and over the six workers of each.
  ComputeSet update_set = graph.addComputeSet("update");
  const unsigned parts = std::min(kWeights, tiles * 6);
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned begin = part * kWeights / parts, end = (part + 1) * kWeights / parts;
    const unsigned tile = static_cast<unsigned>(static_cast<uint64_t>(part) * tiles / parts);
    graph.setTileMapping(weights.slice(begin, end), tile);
    VertexRef update = graph.addVertex(
        update_set, "Update",
        {{"partials", gradients.slice(begin, end, 1).flatten()}, {"weights", weights.slice(begin, end)}});
    graph.setInitialValue(update["step"], step / static_cast<float>(kBatch));
    graph.setTileMapping(update, tile);
  }
  VertexRef add_loss = graph.addVertex(update_set, "AddLoss", {{"values", losses}, {"total", epoch_loss[0]}});
  graph.setTileMapping(add_loss, 0);

  auto image_stream = graph.addHostToDeviceFIFO("images", FLOAT, kBatch * kPixels);
  auto label_stream = graph.addHostToDeviceFIFO("labels", INT, kBatch);
  auto loss_stream = graph.addDeviceToHostFIFO("loss", FLOAT, 1);
  auto class_stream = graph.addDeviceToHostFIFO("classes", INT, kBatch);
  graph.createHostRead("weights", weights);

  program::Copy share_weights(weights.expand({0}).broadcast(copies, 0), local_weights);
  Network network;
  network.programs.push_back(program::Sequence({
      program::Copy(zero, epoch_loss),
      program::Repeat(batches_per_epoch, program::Sequence({
                                             program::Copy(image_stream, images.flatten()),
                                             program::Copy(label_stream, labels.flatten()),
                                             share_weights,
                                             program::Execute(gradient_set),
                                             program::Execute(update_set),
                                         })),
      program::Copy(epoch_loss, loss_stream),
  }));
  network.programs.push_back(program::Sequence({
      program::Copy(image_stream, images.flatten()),
      share_weights,
      program::Execute(classify_set),
      program::Copy(classes.flatten(), class_stream),
  }));
  return network;
}
