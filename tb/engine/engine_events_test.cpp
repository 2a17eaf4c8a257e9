// What the engine tells observers, with scripted tiles: every cycle is computed from docs/reference/{exchange,edge}.md.
#include <catch2/catch.hpp>

#include "mock_tile.h"
#include "rtl/spec/words.h"
#include "sim/engine/chip_engine.h"
#include "tb/chip/event_list.h"

using namespace tessera;
using test::Action;
using test::EventList;
using test::MockTile;
using Engine = chip::ChipEngine<MockTile>;
using Lines = EventList::Lines;

namespace {

constexpr uint64_t kLimit = 1000000;
constexpr uint64_t kStart = 0x4C000;

Action sync(uint8_t zone, bool value = true) { return {.kind = Action::kSync, .zone = zone, .value = value}; }

struct EchoBus : chip::HostBus {
  void write(uint64_t, uint32_t, std::span<const uint32_t>) override {}
  uint64_t read(uint64_t cycle, uint32_t, std::span<uint32_t> words) override {
    for (auto& word : words) word = 0xab;
    return cycle + 700;
  }
};

}  // namespace

TEST_CASE("syncs, words and the exception are told in the cycle in which the ports show them") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  EventList events(m.tiles());
  engine.observe(&events);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {sync(2, t != 1), {}};
  engine.tile(3).script = {sync(2), {.kind = Action::kCompute, .cycles = 400}, {.kind = Action::kExcept}};
  engine.tile(0).phases = {{.send_delay = 5, .send_count = 1}};
  engine.tile(3).phases = {
      {.receive_delay = static_cast<unsigned>(5 + m.receive_offset(0, 3)), .receive_count = 1, .source = 0}};
  engine.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, kStart);
  engine.run(kLimit, 0);

  const uint64_t request = 1 + 6, ack = request + m.sync_request + m.sync_acknowledge, p = ack + 1;
  const uint64_t on_port = p + 5 + 2, arrives = on_port + m.latency(0, 3);
  CHECK(events.debug_times() == Lines{"0 debug until 1"});
  CHECK(events.of_chip() == Lines{"0 debug 2047 4 0 0 4c000",
                                  fmt::format("{} acknowledge 2 false 0 {} {}", ack, request, p),
                                  fmt::format("{} superstep 0", ack)});
  CHECK(events.of(1) == Lines{fmt::format("{} sync request 2 false", request)});
  CHECK(events.of(0) == Lines{fmt::format("{} sync request 2 true", request), fmt::format("{} exchanging true", p),
                              fmt::format("{} exchanging false", p + 6), fmt::format("{} sent 0", on_port)});
  CHECK(events.of(3) == Lines{fmt::format("{} sync request 2 true", request), fmt::format("{} exchanging true", p),
                              fmt::format("{} selected 0", arrives - m.select_latency(3)),
                              fmt::format("{} selected 2047", arrives - m.select_latency(3) + 1),
                              fmt::format("{} received 0 from 0", arrives),
                              fmt::format("{} exchanging false", arrives + 1), "0 excepted 2 context 0 pc 0 value 3"});
}

TEST_CASE("packets are told word by word, the host sync once") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  EchoBus bus;
  engine.attach(&bus);
  EventList events(m.tiles());
  engine.observe(&events);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {sync(4)};
  engine.tile(2).script = {
      {.kind = Action::kPacket,
       .words = {spec::PacketHeader{.words = 1, .tile = 2, .kind = spec::PacketKind::kReadHost}.encode(), 0x40,
                 0x84000}},
      {.kind = Action::kAwait, .awaited = 3},
      sync(4)};
  engine.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, kStart);
  const auto stop = engine.run(kLimit, 0);
  REQUIRE(stop.reason == chip::StopReason::kHostSync);

  const uint64_t grant = 7 + 2 * m.edge_latency, out = grant + 3;
  const uint64_t in = grant + 1 + 3 + m.edge_latency + 700 + m.edge_latency;
  const auto& tile = events.of(2);
  REQUIRE(tile.size() == 8);
  CHECK(Lines(tile.begin(), tile.begin() + 7) ==
        Lines{"7 packet request", fmt::format("{} packet out 20040001 false", out),
              fmt::format("{} packet out 40 false", out + 1), fmt::format("{} packet out 84000 true", out + 2),
              fmt::format("{} packet in 30040001 true", in), fmt::format("{} packet in 84000 false", in + 1),
              fmt::format("{} packet in ab false", in + 2)});
  CHECK(events.of_chip().back() == fmt::format("{} host sync", stop.cycle));
  engine.run(kLimit, 0);
  CHECK(events.of_chip().back() == fmt::format("{} host sync", stop.cycle));
  CHECK(events.of_chip().size() == 2);
  CHECK(events.debug_times() == Lines{"0 debug until 1"});
}

TEST_CASE("who is wanted is asked again at each superstep") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  struct FromSecond : EventList {
    using EventList::EventList;
    bool begun = false;
    bool wants(unsigned tile) const override { return begun && tile == 1; }
    void superstep(uint64_t index, uint64_t cycle) override {
      begun = true;
      EventList::superstep(index, cycle);
    }
  } events(m.tiles());
  engine.observe(&events);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {sync(2), sync(2, false), {}};
  engine.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, kStart);
  engine.run(kLimit, 0);
  CHECK(events.of(0).empty());
  CHECK(events.of(1).size() == 1);
  CHECK(events.of_chip().size() == 5);
  CHECK(events.debug_times() == Lines{"0 debug until 1"});
}
