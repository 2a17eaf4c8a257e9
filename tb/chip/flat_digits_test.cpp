// The demo in small on the flat top and on the chip of tile instances: one batch of real digits trained, and a batch
// classified; the same ports of all tiles in every cycle.
#include <catch2/catch.hpp>

#include "Vtile_state.h"
#include "digits_card.h"
#include "port_recorder.h"
#include "sim/engine/fabric_pins.h"
#include "sim/engine/rtl_tile.h"

using namespace tessera;
using namespace tessera::test;
using Engine = chip::ChipEngine<chip::RtlTile<Vtile>>;

namespace {

template <class AnyChip>
StreamData train(Card<AnyChip>& card, const DataSet& digits) {
  StreamData data = digits_streams(digits);
  card.run(Network::kTrainEpoch, data);
  card.run(Network::kClassifyBatch, data);
  card.transfer("weights", image::StreamUse::kHostRead, data);
  return data;
}

}  // namespace

TEST_CASE("digits train on the flat top as on the instanced chip, cycle by cycle") {
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  const DataSet digits = read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", Network::kBatch);
  const image::Executable executable = compile_digits(m);

  const auto fabric = GENERATE(chip::FabricChoice::kEngine, chip::FabricChoice::kRtl);
  Engine engine(m);
  if (auto pins = chip::make_fabric_pins(fabric, m)) engine.use_fabric(std::move(pins));
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
