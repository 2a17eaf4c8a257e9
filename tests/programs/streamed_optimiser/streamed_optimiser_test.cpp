// Adam with its moments in streaming memory: a layer's moments are on the tiles while its weights are updated, and the
// next layer's take their place. Weights and moments are those of a program that has all of them on the tiles, bit for
// bit, with a gateway or without, on model and RTL.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <poplar/DeviceManager.hpp>
#include <poplar/Engine.hpp>
#include <string>
#include <tessera/machine.hpp>
#include <vector>

namespace {

using namespace poplar;
using namespace poplar::program;

constexpr unsigned kLayers = 5, kWeights = 330, kSteps = 4;

// Spreads a tensor over the tiles, `each` elements to one.
void spread(Graph& graph, const Tensor& t) {
  const std::size_t tiles = graph.getTarget().getNumTiles(), each = (t.numElements() + tiles - 1) / tiles;
  for (unsigned tile = 0; tile * each < t.numElements(); ++tile)
    graph.setTileMapping(t.slice(tile * each, std::min((tile + 1) * each, t.numElements())), tile);
}

struct Moments {
  Tensor first, second;
};

Moments add_moments(Graph& graph, const std::string& name) {
  const Moments moments{graph.addVariable(FLOAT, {kWeights}, name + "/first"),
                        graph.addVariable(FLOAT, {kWeights}, name + "/second")};
  for (const Tensor& t : {moments.first, moments.second}) spread(graph, t);
  return moments;
}

Program update(Graph& graph, const Tensor& weights, const Tensor& target, const Moments& moments) {
  const ComputeSet set = graph.addComputeSet("adam");
  const auto mapping = graph.getTileMapping(weights);
  for (unsigned tile = 0; tile < mapping.size(); ++tile)
    for (const Interval& part : mapping[tile]) {
      const auto of = [&](const Tensor& t) { return t.slice(part.begin(), part.end()); };
      const VertexRef v = graph.addVertex(set, "Adam",
                                          {{"weights", of(weights)},
                                           {"target", of(target)},
                                           {"first", of(moments.first)},
                                           {"second", of(moments.second)}});
      graph.setInitialValue(v["rate"], 0.05f);
      graph.setTileMapping(v, tile);
    }
  return Execute(set);
}

enum class State { kOnTiles, kStreamed };

struct Trained {
  std::vector<float> weights;
  std::vector<float> moments;  // of each layer the first, then the second
  std::uint64_t memory = 0, cycles = 0;
};

Trained train(const char* machine, const char* backend, State state) {
  ::setenv("TESSERA_MACHINE", machine, 1);
  ::setenv("TESSERA_BACKEND", backend, 1);
  const Device device = std::move(DeviceManager().getDevices(TargetType::IPU, 1).at(0));
  REQUIRE(device.attach());
  Graph graph(device);
  REQUIRE(graph.addCodelets(STREAMED_OPTIMISER_FOLDER "/codelets.cpp"));
  const bool streamed = state == State::kStreamed;
  const RemoteBuffer buffer = graph.addRemoteBuffer("moments", FLOAT, 2 * kWeights, kLayers);
  const Moments current = add_moments(graph, "current");
  Sequence step;
  for (unsigned layer = 0; layer < kLayers; ++layer) {
    const std::string name = "layer" + std::to_string(layer);
    const Tensor weights = graph.addVariable(FLOAT, {kWeights}, name + "/weights"),
                 target = graph.addVariable(FLOAT, {kWeights}, name + "/target");
    for (const Tensor& t : {weights, target}) spread(graph, t);
    std::vector<float> first(kWeights), goal(kWeights);
    for (unsigned i = 0; i < kWeights; ++i) {
      first[i] = std::sin(static_cast<float>(i + layer));
      goal[i] = std::cos(static_cast<float>(i * layer));
    }
    graph.setInitialValue(weights, ArrayRef<float>(first));
    graph.setInitialValue(target, ArrayRef<float>(goal));
    graph.createHostRead(name, weights);
    const Moments own = streamed ? current : add_moments(graph, name);
    const Tensor both = concat(own.first, own.second);
    if (!streamed) {
      graph.setInitialValue(both, ArrayRef<float>(std::vector<float>(2 * kWeights, 0.0f)));
      graph.createHostRead(name + "/moments", both);
    }
    const Tensor row = graph.addConstant(UNSIGNED_INT, {1}, layer);
    graph.setTileMapping(row, 0);
    if (streamed) step.add(Copy(buffer, both, row));
    step.add(update(graph, weights, target, own));
    if (streamed) step.add(Copy(both, buffer, row));
  }
  Engine engine(graph, Repeat(kSteps, step));
  engine.load(device);
  engine.run();
  Trained trained;
  trained.memory = tessera::memoryHash(device);
  trained.cycles = tessera::machineCounters(device).cycles;
  for (unsigned layer = 0; layer < kLayers; ++layer) {
    const std::string name = "layer" + std::to_string(layer);
    std::vector<float> weights(kWeights), moments(2 * kWeights);
    engine.readTensor(name, weights.data(), weights.data() + weights.size());
    if (streamed)
      engine.copyFromRemoteBuffer<float>("moments", ArrayRef<float>(moments), layer);
    else
      engine.readTensor(name + "/moments", moments.data(), moments.data() + moments.size());
    trained.weights.insert(trained.weights.end(), weights.begin(), weights.end());
    trained.moments.insert(trained.moments.end(), moments.begin(), moments.end());
  }
  return trained;
}

TEST_CASE("moments in streaming memory train the same weights as moments on the tiles") {
  const Trained tiles = train("mk2-4", "model", State::kOnTiles);
  CHECK(tiles.weights.at(0) != std::sin(0.0f));       // it has learnt
  for (const char* machine : {"mk2-4x4", "mk2-4"}) {  // of the gateway, of the host
    INFO(machine);
    const Trained streamed = train(machine, "model", State::kStreamed);
    CHECK(streamed.weights == tiles.weights);
    CHECK(streamed.moments == tiles.moments);
  }
}

TEST_CASE("streamed moments are the same on RTL and model") {
  const Trained model = train("mk2-4x4", "model", State::kStreamed), rtl = train("mk2-4x4", "rtl", State::kStreamed);
  CHECK(rtl.weights == model.weights);
  CHECK(rtl.moments == model.moments);
  CHECK(rtl.memory == model.memory);
  CHECK(rtl.cycles == model.cycles);
}

}  // namespace
