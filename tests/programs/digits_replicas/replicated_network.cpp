#include "tests/programs/digits_replicas/replicated_network.h"

#include <algorithm>
#include <gcl/Collectives.hpp>
#include <popops/Reduce.hpp>
#include <popops/codelets.hpp>

using poplar::ComputeSet;
using poplar::FLOAT;
using poplar::INT;
using poplar::Tensor;
namespace program = poplar::program;

poplar::program::Program build_replicated_network(poplar::Graph& graph, const std::string& codelets,
                                                  unsigned batches_per_epoch, float step) {
  constexpr unsigned kPixels = kNetworkPixels, kClasses = kNetworkClasses, kWeights = kNetworkWeights;
  graph.addCodelets(codelets);
  popops::addCodelets(graph);
  const unsigned batch = kGlobalBatch / graph.getReplicationFactor(), tiles = graph.getTarget().getNumTiles();
  unsigned shards = std::min(batch, tiles);
  while (batch % shards != 0) --shards;
  const unsigned samples = batch / shards;

  const Tensor weights = graph.addVariable(FLOAT, {kWeights}, "weights");
  const Tensor local_weights = graph.addVariable(FLOAT, {shards, kWeights}, "localWeights");
  const Tensor images = graph.addVariable(FLOAT, {shards, samples, kPixels}, "images");
  const Tensor labels = graph.addVariable(INT, {shards, samples}, "labels");
  const Tensor errors = graph.addVariable(FLOAT, {shards, samples, kClasses}, "errors");
  const Tensor gradients = graph.addVariable(FLOAT, {shards, kWeights}, "gradients");
  const Tensor losses = graph.addVariable(FLOAT, {shards}, "losses");
  const Tensor epoch_loss = graph.addVariable(FLOAT, {1}, "epochLoss");
  const Tensor zero = graph.addConstant<float>(FLOAT, {1}, 0.0f, "zero");
  graph.setTileMapping(epoch_loss, 0);
  graph.setTileMapping(zero, 0);
  graph.setInitialValue(weights, poplar::ArrayRef<float>(std::vector<float>(kWeights, 0.0f)));

  const ComputeSet error_set = graph.addComputeSet("errors"), gradient_set = graph.addComputeSet("gradient"),
                   update_set = graph.addComputeSet("update");
  for (unsigned s = 0; s < shards; ++s) {
    const unsigned tile = s * tiles / shards;
    for (const Tensor& t : {local_weights[s], images[s], labels[s], errors[s], gradients[s], losses[s]})
      graph.setTileMapping(t, tile);
    graph.setTileMapping(graph.addVertex(error_set, "Errors",
                                         {{"weights", local_weights[s]},
                                          {"images", images[s].flatten()},
                                          {"labels", labels[s]},
                                          {"errors", errors[s].flatten()},
                                          {"loss", losses[s]}}),
                         tile);
    const auto gradient =
        graph.addVertex(gradient_set, "Gradient",
                        {{"images", images[s].flatten()}, {"errors", errors[s].flatten()}, {"rows", gradients[s]}});
    graph.setInitialValue(gradient["first"], 0u);
    graph.setTileMapping(gradient, tile);
  }
  const unsigned parts = std::min(kWeights, tiles);
  for (unsigned part = 0; part < parts; ++part)
    graph.setTileMapping(weights.slice(part * kWeights / parts, (part + 1) * kWeights / parts), part);

  const auto image_stream = graph.addHostToDeviceFIFO("images", FLOAT, batch * kPixels);
  const auto label_stream = graph.addHostToDeviceFIFO("labels", INT, batch);
  const auto loss_stream = graph.addDeviceToHostFIFO("loss", FLOAT, 1);
  graph.createHostRead("weights", weights);

  program::Sequence step_program({
      program::Copy(image_stream, images.flatten()),
      program::Copy(label_stream, labels.flatten()),
      program::Copy(weights.expand({0}).broadcast(shards, 0), local_weights),
      program::Execute(error_set),
      program::Execute(gradient_set),
  });
  const Tensor own =
      popops::reduce(graph, gradients, {0}, popops::ReduceParams(popops::Operation::ADD), step_program, "own");
  const Tensor all = gcl::allReduceCrossReplica(graph, own, gcl::CollectiveOperator::ADD, step_program, "all");
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned begin = part * kWeights / parts, end = (part + 1) * kWeights / parts;
    const auto update = graph.addVertex(update_set, "Update",
                                        {{"gradients", all.slice(begin, end)}, {"weights", weights.slice(begin, end)}});
    graph.setInitialValue(update["step"], step / static_cast<float>(kGlobalBatch));
    graph.setTileMapping(update, part);
  }
  graph.setTileMapping(graph.addVertex(update_set, "AddLoss", {{"values", losses}, {"total", epoch_loss[0]}}), 0);
  step_program.add(program::Execute(update_set));
  return program::Sequence({program::Copy(zero, epoch_loss), program::Repeat(batches_per_epoch, step_program),
                            program::Copy(epoch_loss, loss_stream)});
}
