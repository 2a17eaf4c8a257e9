// The demo in small on the flat top and on the chip of tile instances: one batch of real digits trained, and a batch
// classified; the same ports of all tiles in every cycle.
#include <catch2/catch.hpp>
#include <poplar/Target.hpp>

#include "Vtile.h"
#include "card.h"
#include "chip/rtl_tile.h"
#include "compiler/passes/compile.h"
#include "data_set.h"
#include "network.h"
#include "port_recorder.h"
#include "sw/api/impl.h"

using namespace tessera;
using namespace tessera::test;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

image::Executable compile_digits(const spec::Machine& machine) {
  poplar::Graph graph(poplar::Target::createIPUTarget(1, machine.tiles(), "ipu2"));
  const Network network = build_network(graph, std::string(DIGITS_FOLDER) + "/codelets.cpp", 1, 1.0f);
  std::vector<graph::ProgramRef> programs;
  for (const auto& program : network.programs) programs.push_back(poplar::detail::Access::program(program));
  const poplar::Graph& read = graph;
  return compiler::compile(poplar::detail::Access::graph(read), programs, machine);
}

template <class T>
std::vector<uint32_t> words(const std::vector<T>& values, size_t count) {
  std::vector<uint32_t> copy(count);
  std::memcpy(copy.data(), values.data(), 4 * count);
  return copy;
}

template <class AnyChip>
StreamData train(Card<AnyChip>& card, const DataSet& digits) {
  StreamData data{{"images", words(digits.train_images, Network::kBatch * Network::kPixels)},
                  {"labels", words(digits.train_labels, Network::kBatch)}};
  card.run(Network::kTrainEpoch, data);
  card.run(Network::kClassifyBatch, data);
  card.transfer("weights", image::StreamUse::kHostRead, data);
  return data;
}

}  // namespace

TEST_CASE("digits train on the flat top as on the instanced chip, cycle by cycle") {
  const auto m = spec::load_machine("mk2-4");
  const DataSet digits = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", Network::kBatch);
  const image::Executable executable = compile_digits(m);

  Engine engine(m);
  PortRecorder<Engine> recorder(engine);
  engine.probe(&recorder);
  Card<Engine> engine_card(engine, m, executable);
  StreamData expected = train(engine_card, digits);

  FlatChip flat(m);
  PortComparison comparison(flat, recorder, m.tiles());
  Card<FlatChip> flat_card(flat, m, executable);
  StreamData results = train(flat_card, digits);
  INFO(comparison.first_difference());
  CHECK(comparison.different() == 0);
  CHECK(comparison.changes() > 500);
  CHECK(comparison.compared() > 20000);
  for (const char* handle : {"loss", "classes", "weights"}) {
    CHECK(!results[handle].empty());
    CHECK(results[handle] == expected[handle]);
  }
  // The first batch from zero weights: 96 times the logarithm of ten.
  float loss = 0;
  std::memcpy(&loss, expected["loss"].data(), 4);
  CHECK(loss == Approx(96 * 2.302585).epsilon(1e-4));
  CHECK(flat.cycle() == engine.cycle());
}
