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

constexpr unsigned kWorkers = 6;

// The batch lies on `tiles.size()` tiles, `samples` on each.
struct Shards {
  unsigned samples;
  std::vector<unsigned> tiles;
};

Shards shard_batch(unsigned tiles, unsigned batch) {
  unsigned shards = std::min(batch, tiles);
  while (batch % shards != 0) --shards;
  Shards made{batch / shards, {}};
  for (unsigned s = 0; s < shards; ++s)
    made.tiles.push_back(static_cast<unsigned>(static_cast<uint64_t>(s) * tiles / shards));
  return made;
}

}  // namespace

Network build_network(Graph& graph, const std::string& codelets, unsigned batches_per_epoch, float step) {
  constexpr unsigned kBatch = Network::kBatch, kPixels = Network::kPixels, kClasses = Network::kClasses,
                     kWeights = Network::kWeights;
  graph.addCodelets(codelets);
  const unsigned tiles = graph.getTarget().getNumTiles();
  const Shards shards = shard_batch(tiles, kBatch);
  const unsigned copies = static_cast<unsigned>(shards.tiles.size());
  const unsigned samples = shards.samples;
  // Samples of a tile go to up to six vertices, one a worker.
  const unsigned vertices = std::min(kWorkers, samples);

  Tensor weights = graph.addVariable(FLOAT, {kWeights}, "weights");
  Tensor local_weights = graph.addVariable(FLOAT, {copies, kWeights}, "localWeights");
  Tensor images = graph.addVariable(FLOAT, {copies, samples, kPixels}, "images");
  Tensor labels = graph.addVariable(INT, {copies, samples}, "labels");
  Tensor classes = graph.addVariable(INT, {copies, samples}, "classes");
  Tensor errors = graph.addVariable(FLOAT, {copies, samples, kClasses}, "errors");
  Tensor gradients = graph.addVariable(FLOAT, {copies, kWeights}, "gradients");
  Tensor losses = graph.addVariable(FLOAT, {copies, vertices}, "losses");
  Tensor epoch_loss = graph.addVariable(FLOAT, {1}, "epochLoss");
  Tensor zero = graph.addConstant<float>(FLOAT, {1}, 0.0f, "zero");
  graph.setTileMapping(epoch_loss, 0);
  graph.setTileMapping(zero, 0);
  graph.setInitialValue(weights, poplar::ArrayRef<float>(std::vector<float>(kWeights, 0.0f)));

  ComputeSet error_set = graph.addComputeSet("errors");
  ComputeSet gradient_set = graph.addComputeSet("gradient");
  ComputeSet classify_set = graph.addComputeSet("classify");
  const auto place = [&](const VertexRef& vertex, unsigned tile) { graph.setTileMapping(vertex, tile); };
  for (unsigned s = 0; s < copies; ++s) {
    const unsigned tile = shards.tiles[s];
    for (const Tensor& t : {local_weights[s], images[s], labels[s], classes[s], errors[s], gradients[s], losses[s]})
      graph.setTileMapping(t, tile);
    for (unsigned v = 0; v < vertices; ++v) {
      const unsigned begin = v * samples / vertices, end = (v + 1) * samples / vertices;
      const Tensor own_images = images[s].slice(begin, end).flatten();
      place(graph.addVertex(error_set, "Errors",
                            {{"weights", local_weights[s]},
                             {"images", own_images},
                             {"labels", labels[s].slice(begin, end)},
                             {"errors", errors[s].slice(begin, end).flatten()},
                             {"loss", losses[s][v]}}),
            tile);
      place(graph.addVertex(
                classify_set, "Classify",
                {{"weights", local_weights[s]}, {"images", own_images}, {"classes", classes[s].slice(begin, end)}}),
            tile);
    }
    // Rows of the gradient: one per pixel and the bias.
    for (unsigned v = 0; v < kWorkers; ++v) {
      const unsigned begin = v * (kPixels + 1) / kWorkers, end = (v + 1) * (kPixels + 1) / kWorkers;
      VertexRef gradient = graph.addVertex(gradient_set, "Gradient",
                                           {{"images", images[s].flatten()},
                                            {"errors", errors[s].flatten()},
                                            {"rows", gradients[s].slice(begin * kClasses, end * kClasses)}});
      graph.setInitialValue(gradient["first"], begin);
      place(gradient, tile);
    }
  }

  // Weights and their update are spread evenly over all tiles, and over the six workers of each.
  ComputeSet update_set = graph.addComputeSet("update");
  const unsigned parts = std::min(kWeights, tiles * kWorkers);
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned begin = part * kWeights / parts, end = (part + 1) * kWeights / parts;
    const unsigned tile = static_cast<unsigned>(static_cast<uint64_t>(part) * tiles / parts);
    graph.setTileMapping(weights.slice(begin, end), tile);
    VertexRef update = graph.addVertex(
        update_set, "Update",
        {{"gradients", gradients.slice(begin, end, 1).flatten()}, {"weights", weights.slice(begin, end)}});
    graph.setInitialValue(update["step"], step / static_cast<float>(kBatch));
    place(update, tile);
  }
  place(graph.addVertex(update_set, "AddLoss", {{"values", losses.flatten()}, {"total", epoch_loss[0]}}), 0);

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
                                             program::Execute(error_set),
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
