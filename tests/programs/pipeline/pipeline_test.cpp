// A pipeline of two stages on two chips, with gradients accumulated over the micro-batches of a batch, trains the same
// weights in every bit as the same graph on one chip.
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

constexpr unsigned kInputs = 12, kHidden = 8, kSamples = 6, kMicroBatches = 4, kBatches = 5;

struct Stage {
  Graph graph;  // of its tiles
  Tensor weights, gradient;
};

Stage make_stage(Graph graph, unsigned inputs, unsigned outputs, const std::string& name) {
  Stage stage{std::move(graph), {}, {}};
  stage.weights = stage.graph.addVariable(FLOAT, {inputs * outputs}, name + "/weights");
  stage.gradient = stage.graph.addVariable(FLOAT, {inputs * outputs}, name + "/gradient");
  std::vector<float> first(inputs * outputs);
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = 0.3f * std::sin(static_cast<float>(i + outputs));
  stage.graph.setInitialValue(stage.weights, ArrayRef<float>(first));
  stage.graph.setInitialValue(stage.gradient, ArrayRef<float>(std::vector<float>(first.size(), 0.0f)));
  for (const Tensor& t : {stage.weights, stage.gradient}) stage.graph.setTileMapping(t, 1);
  return stage;
}

std::vector<Tensor> of_micro_batches(Graph& graph, unsigned elements, unsigned tile, const std::string& name) {
  std::vector<Tensor> tensors;
  for (unsigned m = 0; m < kMicroBatches; ++m) {
    tensors.push_back(graph.addVariable(FLOAT, {elements}, name + std::to_string(m)));
    graph.setTileMapping(tensors.back(), tile);
  }
  return tensors;
}

VertexRef add_vertex(Graph& graph, ComputeSet set, const std::string& name, unsigned tile) {
  const VertexRef vertex = graph.addVertex(set, name);
  graph.setTileMapping(vertex, tile);
  return vertex;
}

void add_step(Stage& stage, ComputeSet set) {
  const VertexRef step = add_vertex(stage.graph, set, "Step", 1);
  stage.graph.connect(step["weights"], stage.weights);
  stage.graph.connect(step["gradient"], stage.gradient);
  stage.graph.setInitialValue(step["rate"], 0.01f);
}

// In turn t the first stage sends micro-batch t on, the second works on t - 1, and the first takes back the error of
// t - 2.
Program train_batch(Graph& graph, Stage& first, Stage& second) {
  const std::vector<Tensor> in = of_micro_batches(first.graph, kSamples * kInputs, 0, "in"),
                            hidden = of_micro_batches(first.graph, kSamples * kHidden, 0, "hidden"),
                            error = of_micro_batches(first.graph, kSamples * kHidden, 0, "error"),
                            arrived = of_micro_batches(second.graph, kSamples * kHidden, 0, "arrived"),
                            target = of_micro_batches(second.graph, kSamples, 0, "target"),
                            back = of_micro_batches(second.graph, kSamples * kHidden, 0, "back");
  const DataStream inputs = graph.addHostToDeviceFIFO("inputs", FLOAT, kMicroBatches * kSamples * kInputs);
  const DataStream targets = graph.addHostToDeviceFIFO("targets", FLOAT, kMicroBatches * kSamples);
  Sequence batch({Copy(inputs, concat(in)), Copy(targets, concat(target))});
  for (unsigned t = 0; t < kMicroBatches + 2; ++t) {
    const ComputeSet turn = graph.addComputeSet("turn" + std::to_string(t));
    const auto with_samples = [](Graph& g, const VertexRef& v) { g.setInitialValue(v["samples"], kSamples); };
    if (t < kMicroBatches) {
      const VertexRef v = add_vertex(first.graph, turn, "Forward", 0);
      first.graph.connect(v["in"], in[t]);
      first.graph.connect(v["weights"], first.weights);
      first.graph.connect(v["out"], hidden[t]);
      with_samples(first.graph, v);
    }
    if (t >= 1 && t <= kMicroBatches) {
      const VertexRef v = add_vertex(second.graph, turn, "LastLayer", 0);
      second.graph.connect(v["in"], arrived[t - 1]);
      second.graph.connect(v["weights"], second.weights);
      second.graph.connect(v["target"], target[t - 1]);
      second.graph.connect(v["gradient"], second.gradient);
      second.graph.connect(v["back"], back[t - 1]);
      with_samples(second.graph, v);
    }
    if (t >= 2) {
      const VertexRef v = add_vertex(first.graph, turn, "Accumulate", 1);
      first.graph.connect(v["in"], in[t - 2]);
      first.graph.connect(v["out"], hidden[t - 2]);
      first.graph.connect(v["error"], error[t - 2]);
      first.graph.connect(v["gradient"], first.gradient);
      with_samples(first.graph, v);
    }
    batch.add(Execute(turn));
    if (t < kMicroBatches) batch.add(Copy(hidden[t], arrived[t]));
    if (t >= 1 && t <= kMicroBatches) batch.add(Copy(back[t - 1], error[t - 1]));
  }
  const ComputeSet steps = graph.addComputeSet("steps");
  add_step(first, steps);
  add_step(second, steps);
  batch.add(Execute(steps));
  return batch;
}

struct Trained {
  std::vector<float> first, second;
  std::uint64_t memory = 0, cycles = 0;
};

Trained train(const char* machine, const char* backend, unsigned chips) {
  ::setenv("TESSERA_MACHINE", machine, 1);
  ::setenv("TESSERA_BACKEND", backend, 1);
  const Device device = std::move(DeviceManager().getDevices(TargetType::IPU, chips).at(0));
  REQUIRE(device.attach());
  Graph graph(device);
  REQUIRE(graph.addCodelets(PIPELINE_FOLDER "/codelets.cpp"));
  const unsigned tiles = graph.getTarget().getTilesPerIPU();
  Stage first = make_stage(graph.createVirtualGraph(0, tiles), kInputs, kHidden, "first");
  Stage second = make_stage(graph.createVirtualGraph((chips - 1) * tiles, chips * tiles), kHidden, 1, "second");
  graph.createHostRead("first", first.weights);
  graph.createHostRead("second", second.weights);
  Engine engine(graph, Repeat(kBatches, train_batch(graph, first, second)));
  engine.load(device);
  std::vector<float> inputs(kBatches * kMicroBatches * kSamples * kInputs), targets(inputs.size() / kInputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = std::cos(static_cast<float>(i) * 0.7f);
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = inputs[i * kInputs] + 0.5f * inputs[i * kInputs + 3];
  engine.connectStream("inputs", inputs.data(), inputs.data() + inputs.size());
  engine.connectStream("targets", targets.data(), targets.data() + targets.size());
  engine.run();
  Trained trained{std::vector<float>(kInputs * kHidden), std::vector<float>(kHidden), 0, 0};
  engine.readTensor("first", trained.first.data(), trained.first.data() + trained.first.size());
  engine.readTensor("second", trained.second.data(), trained.second.data() + trained.second.size());
  trained.memory = tessera::memoryHash(device);
  trained.cycles = tessera::machineCounters(device).cycles;
  return trained;
}

TEST_CASE("a pipeline of two chips trains the weights of one chip") {
  const Trained one = train("mk2-4", "model", 1);
  CHECK(one.first.at(5) != 0.3f * std::sin(static_cast<float>(5 + kHidden)));  // it has learnt
  for (const char* backend : {"model", "rtl"}) {
    INFO(backend);
    const Trained two = train("mk2-4x2", backend, 2);
    CHECK(two.first == one.first);
    CHECK(two.second == one.second);
  }
}

TEST_CASE("a pipeline of two chips is the same on RTL and model") {
  const Trained model = train("mk2-4x2", "model", 2), rtl = train("mk2-4x2", "rtl", 2);
  CHECK(rtl.memory == model.memory);
  CHECK(rtl.cycles == model.cycles);
}

}  // namespace
