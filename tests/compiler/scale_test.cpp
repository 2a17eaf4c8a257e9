// The digits program's graph on all 1,472 tiles: the compiler's passes at size, and the result on model tiles.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <iostream>

#include "compiler/passes/compile.h"
#include "tests/compiler/codelet_source.h"
#include "tests/compiler/program_runner.h"

using namespace tessera;
using namespace tessera::test;

namespace {

constexpr std::size_t kBatch = 96, kPixels = 64, kWeights = 650;

TensorRef over(GraphBuilder& b, const std::string& name, std::size_t shards, std::size_t each, std::uint32_t tiles) {
  std::vector<std::pair<std::size_t, std::uint32_t>> parts;
  for (std::size_t s = 0; s < shards; ++s) parts.push_back({each, static_cast<std::uint32_t>(s * tiles / shards)});
  return b.variable(name, ElementType::kFloat, parts);
}

// One sample per shard; the "gradient" of weight w on a shard is its weight plus pixel w mod 64, so that results are
// easily known.
GraphBuilder digits_like(std::uint32_t tiles, ProgramRef& train) {
  GraphBuilder b(tiles);
  add_codelets(b, R"(
    struct Gradient : Vertex {
      Input<Vector<float>> weights, images; Output<Vector<float>> rows; unsigned first;
      void compute() { for (unsigned i = 0; i < rows.size(); ++i) rows[i] = weights[first + i] + images[(first + i) % 64]; }
    };
    struct Update : Vertex {
      Input<Vector<float>> gradients; InOut<Vector<float>> weights;
      void compute() {
        for (unsigned i = 0; i < weights.size(); ++i) {
          float sum = 0;
          for (unsigned t = 0; t < gradients.size() / weights.size(); ++t) sum += gradients[t * weights.size() + i];
          weights[i] = sum;
        }
      }
    };)");
  const TensorRef local = over(b, "localWeights", kBatch, kWeights, tiles);
  const TensorRef images = over(b, "images", kBatch, kPixels, tiles);
  const TensorRef gradients = over(b, "gradients", kBatch, kWeights, tiles);
  const TensorRef weights = over(b, "weights", kWeights, 1, tiles);
  const auto gradient = add_compute_set(b, "gradient"), update = add_compute_set(b, "update");
  for (std::size_t s = 0; s < kBatch; ++s) {
    for (std::size_t v = 0; v < 6; ++v) {
      const std::size_t begin = v * kWeights / 6, end = (v + 1) * kWeights / 6;
      const auto vertex = add_vertex(b, gradient, "Gradient", static_cast<std::uint32_t>(s * tiles / kBatch),
                                     {{"weights", slice(local, s * kWeights, (s + 1) * kWeights)},
                                      {"images", slice(images, s * kPixels, (s + 1) * kPixels)},
                                      {"rows", slice(gradients, s * kWeights + begin, s * kWeights + end)}});
      set_state(b, vertex, "first", static_cast<std::uint32_t>(begin));
    }
  }
  const std::array<std::size_t, 2> matrix{kBatch, kWeights};
  for (std::size_t w = 0; w < kWeights; ++w) {
    const TensorRef column{ElementType::kFloat, gradients.view.reshape(matrix).slice(1, w, w + 1).flatten()};
    add_vertex(b, update, "Update", static_cast<std::uint32_t>(w * tiles / kWeights),
               {{"gradients", column}, {"weights", slice(weights, w, w + 1)}});
  }
  b.graph.streams.push_back({"images", ElementType::kFloat, kBatch * kPixels, true, {}});
  b.handles("weights", weights);
  const std::array<std::size_t, 2> row{1, kWeights};
  const TensorRef shared{ElementType::kFloat, weights.view.reshape(row).broadcast(0, kBatch).flatten()};
  train = program(graph::Repeat{2, sequence({program(graph::CopyFromStream{0, images}), copy(shared, local),
                                             execute(gradient), execute(update)})});
  return b;
}

void check_training(const char* name) {
  const spec::Machine machine = spec::load_machine(name);
  ProgramRef train;
  const GraphBuilder b = digits_like(machine.tiles(), train);
  const auto begin = std::chrono::steady_clock::now();
  image::Executable executable = compiler::compile(b.graph, {train}, machine);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::cout << name << ": compiled in " << seconds.count() << " s\n";
  ProgramRunner runner(std::move(executable), machine);
  runner.write("weights", std::vector<float>(kWeights, 1.0f));
  float first = 0;
  runner.run(0, [&](const image::Stream&, std::vector<std::uint8_t>& data) {
    std::vector<float> pixels(kBatch * kPixels);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = first + static_cast<float>(i % kPixels);
    std::copy_n(reinterpret_cast<const std::uint8_t*>(pixels.data()), data.size(), data.begin());
    first += 1;
  });
  const std::vector<float> weights = runner.read<float>("weights");
  for (std::size_t w = 0; w < kWeights; ++w) {
    const float pixel = static_cast<float>(w % kPixels), once = 96 * (1 + pixel);
    CHECK(weights[w] == 96 * (once + pixel + 1));
  }
}

}  // namespace

TEST_CASE("a training step of the digits graph on 16 tiles") { check_training("mk2-16"); }
TEST_CASE("a training step of the digits graph on 1,472 tiles") { check_training("mk2"); }
TEST_CASE("a training step of the digits graph on the 1,216 tiles of mk1") { check_training("mk1"); }
