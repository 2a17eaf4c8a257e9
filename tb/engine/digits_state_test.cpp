// The digits demo in small with its state taken, brought back and handed from backend to backend on the way.

#include "restless_chip.h"
#include "sim/engine/model_chip.h"
#include "sim/engine/switch_chip.h"
#include "sim/port/chip.h"
#include "snapshot_walk.h"
#include "tb/chip/digits_card.h"
#include "tb/tier.h"

using namespace tessera;
using namespace tessera::test;
using chip::Backend;

namespace {

constexpr unsigned kBatches = 4;

bool nightly() { return test::in_tier(0, 1) == 1; }

const DataSet& digits() {
  static const DataSet data =
      read_digits(std::string(DIGITS_FOLDER) + "/data/optdigits.csv.gz", kBatches * Network::kBatch);
  return data;
}

struct Trained {
  StreamData data;
  uint64_t cycle = 0, memory = 0;
  decltype(account({})) counters;
  bool operator==(const Trained&) const = default;
};

Trained train(chip::Chip& chip, const image::Executable& executable) {
  Card<chip::Chip> card(chip, chip.machine(), executable);
  Trained trained;
  trained.data = digits_streams(digits(), kBatches);
  card.run(Network::kTrainEpoch, trained.data);
  card.run(Network::kClassifyBatch, trained.data);
  card.transfer("weights", image::StreamUse::kHostRead, trained.data);
  trained.cycle = chip.cycle();
  trained.memory = chip.memory_hash();
  trained.counters = account(chip.counters());
  chip.attach(nullptr);
  return trained;
}

}  // namespace

TEST_CASE("Training goes on from 1000 random stops on the model, and from some on RTL") {
  const auto m = spec::load_machine("mk2-4");
  const auto executable = compile_digits(m, kBatches);
  const auto expected = train(*chip::make_model_chip(m), executable);
  REQUIRE(!expected.data.at("weights").empty());
  RestlessChip model(chip::make_model_chip(m), expected.cycle / 520, 200, 1);
  CHECK(train(model, executable) == expected);
  CHECK(model.stops() > 1000);
  CHECK(model.told() > 200'000);
  RestlessChip rtl(chip::make_chip(Backend::kRtl, m), nightly() ? 300 : 6000, 300, 2);
  CHECK(train(rtl, executable) == expected);
  CHECK(rtl.stops() > 5);
}

TEST_CASE("Training changes backend at random supersteps") {
  const auto m = spec::load_machine(GENERATE("mk2-4", "mk2-16"));
  const auto executable = compile_digits(m, kBatches);
  EventList expected_events(m.tiles());
  const auto plain = chip::make_model_chip(m);
  plain->observe(&expected_events);
  const auto expected = train(*plain, executable);
  const uint64_t supersteps = plain->counters().supersteps;
  REQUIRE(supersteps > 8);
  std::mt19937 random(m.tiles());
  const auto check = [&](Backend first, Backend second, uint64_t from, uint64_t count) {
    INFO("from superstep " << from << " of " << supersteps);
    const auto chip =
        chip::make_switch_chip(chip::make_chip(first, m), [&] { return chip::make_chip(second, m); }, from, count);
    EventList events(m.tiles());
    chip->observe(&events);
    CHECK(train(*chip, executable) == expected);
    CHECK(events.difference(expected_events) == "");
  };
  for (int i = 0; i < (nightly() ? 20 : m.tiles() > 4 ? 2 : 3); ++i)
    check(Backend::kModel, Backend::kRtl, 1 + random() % (supersteps - 2), 2 + random() % 3);
  for (int i = 0; i < (nightly() ? 10 : 1); ++i)
    check(Backend::kRtl, Backend::kModel, 1 + random() % (supersteps / 2), ~0ull);
}
