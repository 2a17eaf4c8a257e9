// A start from the host cancels the sync that is under way (docs/reference/exchange.md, Sync controller): in every
// cycle from before its requests to behind its acknowledgement, on the engine's fabric and on the RTL's.
#include <catch2/catch.hpp>

#include <memory>
#include <tuple>
#include <vector>

#include "sim/engine/chip_engine.h"
#include "sim/engine/fabric_pins.h"
#include "sim/model/tile.h"
#include "tb/chip/chip_programs.h"

using namespace tessera;
using namespace tessera::test;
using chip::DebugSpace;
using chip::FabricChoice;
using chip::StopReason;

namespace {

constexpr uint64_t kLimit = 1'000'000;
constexpr unsigned kStarted = 1;

using Engine = chip::ChipEngine<model::ModelTile>;

std::unique_ptr<Engine> chip_with(FabricChoice fabric, const spec::Machine& m) {
  auto chip = std::make_unique<Engine>(m);
  if (auto pins = chip::make_fabric_pins(fabric, m)) chip->use_fabric(std::move(pins));
  return chip;
}

// Some work, `zones` one after the other, end.
ChipProgram syncs_program(const spec::Machine& m, const std::vector<int>& zones) {
  ChipProgram program;
  for (unsigned t = 0; t < m.tiles(); ++t) {
    TileProgram p{Places(m)};
    p.delay(2 + t % 3);
    for (const int zone : zones) p.sync(zone);
    p.add(TileProgram::Op::Ebreak);
    program.push_back(p);
  }
  return program;
}

void start_again(Engine& chip, unsigned tile, const ChipProgram& program) {
  chip.debug_write(tile, DebugSpace::kControl, 0, spec::DebugControl::kStart, program[tile].places().code);
}

uint32_t mark_of(Engine& chip, unsigned tile) {
  return chip.debug_read(tile, DebugSpace::kCsr, 0, static_cast<uint32_t>(spec::Csr::Xmark));
}

}  // namespace

TEST_CASE("a host sync that is notified, or answered, is over when the host starts a tile, and comes again") {
  const auto m = spec::load_machine("mk2-16");
  const bool answered = GENERATE(false, true);
  const auto fabric = GENERATE(FabricChoice::kEngine, FabricChoice::kRtl);
  const auto chip = chip_with(fabric, m);
  const ChipProgram program = syncs_program(m, {4});
  load_and_start(*chip, program);
  chip::Stop stop = chip->run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kHostSync);
  if (answered) {
    chip->mark(stop.cycle + 5, 0x1111);
    stop = chip->run(stop.cycle + m.external_acknowledge, 0);
    REQUIRE(stop.reason == StopReason::kLimit);
  }
  start_again(*chip, kStarted, program);
  const uint64_t started = chip->cycle();
  CHECK_THROWS_WITH(chip->mark(started + 1, 0x1111), "mark: no host sync is pending");
  stop = chip->run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kHostSync);
  CHECK(stop.cycle > started + m.external_request + 6);
  CHECK(mark_of(*chip, 0) == 0);
  chip->mark(chip->cycle() + 9, 0x2222);
  REQUIRE(chip->run(kLimit, 0).reason == StopReason::kException);
  for (unsigned t = 0; t < m.tiles(); ++t) CHECK(mark_of(*chip, t) == 0x2222);
}

TEST_CASE("in whatever cycle of a sync the host starts a tile, both fabrics do the same, and the sync comes again") {
  const auto m = spec::load_machine("mk2-4");
  const int zone = GENERATE(2, 3, 4);
  const ChipProgram program = syncs_program(m, {zone});
  using Seen = std::vector<std::tuple<StopReason, uint64_t, uint32_t>>;
  unsigned again = 0;
  const unsigned last =
      80 + (zone == 2 ? m.sync_request + m.sync_acknowledge : 2 * (m.external_request + m.external_acknowledge));
  for (unsigned at = 0; at < last; ++at) {
    Seen seen[2];
    bool ended[2];
    for (const bool rtl : {false, true}) {
      const auto chip = chip_with(rtl ? FabricChoice::kRtl : FabricChoice::kEngine, m);
      load_and_start(*chip, program);
      const uint64_t limit = chip->cycle() + at;
      const auto go_on = [&](uint64_t end) {
        for (;;) {
          const chip::Stop stop = chip->run(end, 0);
          seen[rtl].emplace_back(stop.reason, stop.cycle, mark_of(*chip, kStarted));
          if (stop.reason != StopReason::kHostSync) return;
          if (end != kLimit && stop.cycle + 20 > end) return;
          chip->mark(stop.cycle + 20, static_cast<uint16_t>(seen[rtl].size()));
        }
      };
      go_on(limit);
      start_again(*chip, kStarted, program);
      go_on(kLimit);
      ended[rtl] = chip->exception(kStarted).cause != 0;
    }
    INFO("zone " << zone << ", start in cycle " << at);
    CHECK(seen[0] == seen[1]);
    CHECK(ended[0] == ended[1]);
    again += ended[0];
  }
  // Behind the acknowledgement the others have ended, and the tile waits for ever.
  CHECK(again > last / 3);
  CHECK(again < last);
}
