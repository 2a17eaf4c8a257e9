// The chip engine with scripted tiles: every cycle number here is computed from docs/reference/{exchange,edge}.md.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include "mock_tile.h"
#include "rtl/spec/words.h"
#include "sim/engine/chip_engine.h"

using namespace tessera;
using test::Action;
using test::Arrival;
using test::MockTile;
using Engine = chip::ChipEngine<MockTile>;
using chip::StopReason;

namespace {

Action compute(uint64_t cycles) { return {.kind = Action::kCompute, .cycles = cycles}; }
Action sync(uint8_t zone, bool value = true) { return {.kind = Action::kSync, .zone = zone, .value = value}; }
Action packet(std::vector<uint32_t> words) { return {.kind = Action::kPacket, .words = std::move(words)}; }
Action await_words(unsigned words) { return {.kind = Action::kAwait, .awaited = words}; }

uint32_t header(uint32_t kind, unsigned tile, uint32_t words) {
  return spec::PacketHeader{.words = words, .tile = tile, .kind = kind}.encode();
}
uint32_t write_header(unsigned tile, uint32_t words) { return header(spec::PacketKind::kWriteHost, tile, words); }
uint32_t read_header(unsigned tile, uint32_t words) { return header(spec::PacketKind::kReadHost, tile, words); }

constexpr uint64_t kLimit = 1000000;

// Starts all tiles in cycle 0: the first action issues in cycle 1.
void start(Engine& engine) {
  engine.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, 0x4C000);
  REQUIRE(engine.cycle() == 1);
}

struct Bus : chip::HostBus {
  explicit Bus(const spec::Machine& m) : machine(m) {}
  const spec::Machine& machine;
  std::map<uint32_t, uint32_t> memory;
  std::vector<uint64_t> write_cycles, read_cycles;
  void write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override {
    write_cycles.push_back(cycle);
    for (size_t i = 0; i < words.size(); ++i) memory[address + 4 * static_cast<uint32_t>(i)] = words[i];
  }
  uint64_t read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) override {
    read_cycles.push_back(cycle);
    for (size_t i = 0; i < words.size(); ++i) words[i] = memory[address + 4 * static_cast<uint32_t>(i)];
    const uint64_t serial = (words.size() + machine.pcie_words_per_cycle - 1) / machine.pcie_words_per_cycle;
    return cycle + 2 * machine.pcie_latency + machine.host_turnaround + serial;
  }
};

}  // namespace

TEST_CASE("an internal sync is acknowledged to all tiles in one cycle after the last request") {
  const auto name = GENERATE("mk2-4", "mk2-16");
  const auto m = spec::load_machine(name);
  Engine engine(m);
  for (unsigned t = 0; t < m.tiles(); ++t)
    engine.tile(t).script = {compute(100 * (t % 3)), sync(2, t != 1), compute(10), {}};
  start(engine);
  REQUIRE(engine.run(kLimit, 0).reason == StopReason::kHalted);
  const uint64_t issued = 1 + 200;  // compute of the slowest tile ends
  const uint64_t a = issued + 6 + m.sync_request + m.sync_acknowledge;
  for (unsigned t = 0; t < m.tiles(); ++t) {
    CHECK(engine.tile(t).acks == std::vector<uint64_t>{a});
    CHECK(engine.tile(t).consensus == std::vector<bool>{false});
    CHECK(engine.tile(t).starts[2] == a + 1);
  }
  const auto c = engine.counters();
  CHECK(c.supersteps == 1);
  CHECK(c.cycles == engine.cycle());
  CHECK(c.compute + c.sync + c.exchange + c.transfer + c.host == c.cycles);
  CHECK(c.sync == a + 1 - (issued + 6));
  CHECK(c.evaluated + c.skipped == c.cycles * m.tiles());
  CHECK(c.evaluated < c.cycles * m.tiles());
}

TEST_CASE("words travel for exactly L cycles between all pairs of tiles") {
  const auto m = spec::load_machine("mk2-16");
  for (unsigned shift = 0; shift < m.tiles(); ++shift) {
    Engine engine(m);
    const unsigned count = 40;
    for (unsigned t = 0; t < m.tiles(); ++t) {
      const unsigned source = (t + shift) % m.tiles();
      engine.tile(t).script = {sync(2), compute(300), {}};
      engine.tile(t).phases = {{.send_delay = 3 * t,
                                .send_count = count,
                                .receive_delay = 3 * source + m.receive_offset(source, t),
                                .receive_count = count,
                                .source = source}};
    }
    start(engine);
    REQUIRE(engine.run(kLimit, 0).reason == StopReason::kHalted);
    for (unsigned t = 0; t < m.tiles(); ++t) {
      const unsigned source = (t + shift) % m.tiles();
      const uint64_t first = engine.tile(t).acks[0] + 1 + 3 * source + 2 + m.latency(source, t);
      std::vector<Arrival> expected;
      for (unsigned i = 0; i < count; ++i) expected.push_back({first + i, true, source << 16 | i});
      CHECK(engine.tile(t).received == expected);
    }
  }
}

TEST_CASE("a word received one cycle off is not valid") {
  const auto m = spec::load_machine("mk2-4");
  const int error = GENERATE(-1, 1);
  Engine engine(m);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {sync(2), compute(200), {}};
  engine.tile(0).phases = {{.send_delay = 5, .send_count = 1}};
  engine.tile(3).phases = {
      {.receive_delay = static_cast<unsigned>(5 + m.receive_offset(0, 3) + error), .receive_count = 1, .source = 0}};
  start(engine);
  engine.run(kLimit, 0);
  REQUIRE(engine.tile(3).received.size() == 1);
  CHECK_FALSE(engine.tile(3).received[0].valid);
}

TEST_CASE("packets leave in the order of request cycle and tile, and reach the host as specified") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  Bus bus(m);
  engine.attach(&bus);
  // Requests in cycles 27 (tile 3), 17 (tiles 1 and 2), 17 + 200 (tile 0); word 1 is the host address.
  const unsigned delay[] = {210, 10, 10, 20};
  for (unsigned t = 0; t < 4; ++t)
    engine.tile(t).script = {compute(delay[t]), packet({write_header(t, 2), 0x100 * t, 10 + t, 20 + t}), {}};
  start(engine);
  engine.run(kLimit, 0);
  uint64_t free = 0;
  std::vector<uint64_t> expected;
  for (unsigned t : {1u, 2u, 3u, 0u}) {
    const uint64_t grant = std::max<uint64_t>(free, 1 + delay[t] + 6 + m.edge_latency) + m.edge_latency;
    free = grant + 1 + 4 + m.edge_latency;
    expected.push_back(free);
    CHECK(engine.tile(t).starts[2] == grant + 1 + 4);
    CHECK(bus.memory[0x100 * t] == 10 + t);
    CHECK(bus.memory[0x100 * t + 4] == 20 + t);
  }
  CHECK(bus.write_cycles == expected);
}

TEST_CASE("host reads are answered to the tile that asked, one down packet after the other") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  Bus bus(m);
  for (uint32_t i = 0; i < 16; ++i) bus.memory[0x40 + 4 * i] = 0xa0 + i;
  engine.attach(&bus);
  for (unsigned t = 0; t < 4; ++t)
    engine.tile(t).script = {packet({read_header(t, 16), 0x40, 0x80000 + t}), await_words(18), {}};
  start(engine);
  // Between the last word of tile 3's request and the first of its answer.
  const uint64_t between = 7 + 2 * m.edge_latency + 4 * (3 + 1 + m.edge_latency) + 2 * m.pcie_latency;
  REQUIRE(engine.run(between, 0).reason == StopReason::kLimit);
  CHECK(engine.waits()[3].state == "awaits words of the host");
  REQUIRE(engine.run(kLimit, 0).reason == StopReason::kHalted);
  const auto c = engine.counters();
  CHECK(c.transfer > 2 * m.pcie_latency);
  CHECK(c.compute + c.sync + c.exchange + c.transfer + c.host == c.cycles);
  uint64_t free = 0, down_free = 0;
  for (unsigned t = 0; t < 4; ++t) {
    const uint64_t grant = std::max<uint64_t>(free, 7 + m.edge_latency) + m.edge_latency;
    free = grant + 1 + 3 + m.edge_latency;
    const uint64_t arrival = free + 2 * m.pcie_latency + m.host_turnaround + 3;
    const uint64_t b = std::max(arrival, down_free) + m.edge_latency;
    down_free = b - m.edge_latency + 18;
    std::vector<Arrival> expected = {{b, true, header(spec::PacketKind::kResponse, t, 16)},
                                     {b + 1, false, 0x80000 + t}};
    for (uint32_t i = 0; i < 16; ++i) expected.push_back({b + 2 + i, false, 0xa0 + i});
    CHECK(engine.tile(t).packets == expected);
  }
}

TEST_CASE("a host sync stops the run, and its mark reaches all tiles") {
  const auto m = spec::load_machine("mk2-16");
  Engine engine(m);
  for (unsigned t = 0; t < m.tiles(); ++t) engine.tile(t).script = {compute(t), sync(4), {}};
  start(engine);
  const auto stop = engine.run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kHostSync);
  const uint64_t n = 1 + 15 + 6 + m.external_request;
  CHECK(stop.cycle == n);
  CHECK(engine.cycle() == n);
  CHECK(engine.run(kLimit, 0).reason == StopReason::kHostSync);
  CHECK(engine.debug_read(5, chip::DebugSpace::kInteger, 0, 77) == (77 ^ 5));
  CHECK(engine.cycle() == n + 4);
  CHECK_THROWS(engine.mark(n + 3, 7));
  engine.mark(n + 50, 7);
  REQUIRE(engine.run(kLimit, 0).reason == StopReason::kHalted);
  for (unsigned t = 0; t < m.tiles(); ++t) {
    CHECK(engine.tile(t).acks == std::vector<uint64_t>{n + 50 + m.external_acknowledge});
    CHECK(engine.tile(t).marks == std::vector<uint16_t>{7});
  }
  const auto c = engine.counters();
  CHECK(c.host == 1 + n + 50 + m.external_acknowledge + 1 - 22);
  CHECK(c.compute + c.sync + c.exchange + c.transfer + c.host == c.cycles);
}

TEST_CASE("a host sync waits until no packet is in flight") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  Bus bus(m);
  engine.attach(&bus);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {sync(4)};
  engine.tile(2).script = {packet({read_header(2, 1), 0x40, 0x80000}), sync(4)};
  start(engine);
  const auto stop = engine.run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kHostSync);
  const uint64_t at_host = 7 + 2 * m.edge_latency + 1 + 3 + m.edge_latency;
  const uint64_t b = at_host + 2 * m.pcie_latency + m.host_turnaround + 1 + m.edge_latency;
  CHECK(stop.cycle == b + 3);
}

TEST_CASE("tiles in different zones are a deadlock that names who waits for what") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {sync(t == 2 ? 3 : 2)};
  start(engine);
  REQUIRE(engine.run(kLimit, 0).reason == StopReason::kDeadlock);
  CHECK(engine.waits()[1].state == "waits at internal sync");
  CHECK(engine.waits()[2].state == "waits at external sync");
}

TEST_CASE("an exception is reported when nothing else can move, for the lowest such tile") {
  const auto m = spec::load_machine("mk2-4");
  Engine engine(m);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {compute(10), {.kind = Action::kExcept}};
  engine.tile(0).script = {compute(5000), sync(2)};
  start(engine);
  const auto stop = engine.run(kLimit, 0);
  REQUIRE(stop.reason == StopReason::kException);
  CHECK(stop.tile == 1);
  CHECK(stop.cycle > 5000);
  CHECK(engine.exception(1).cause == 2);
  CHECK(engine.exception(0).cause == 0);
}

TEST_CASE("an endless computation ends by the budget, and the same with any limit on the way") {
  const auto m = spec::load_machine("mk2-4");
  const uint64_t step = GENERATE(kLimit, 97u, 1000u);
  Engine engine(m);
  for (unsigned t = 0; t < 4; ++t) engine.tile(t).script = {compute(100), sync(2), compute(50), sync(2)};
  engine.tile(2).script = {compute(100), sync(2), {.kind = Action::kLoop}};
  start(engine);
  chip::Stop stop;
  do stop = engine.run(engine.cycle() + step, 3000);
  while (stop.reason == StopReason::kLimit);
  REQUIRE(stop.reason == StopReason::kBudget);
  CHECK(stop.tile == 2);
  CHECK(stop.cycle == 101 + 6 + m.sync_request + m.sync_acknowledge + 3000);
  CHECK(engine.waits()[2].state == "computing");
  CHECK(engine.waits()[1].state == "waits at internal sync");
}

TEST_CASE("tiles that were started one by one: the budget ends with the first, however run() is cut") {
  const auto m = spec::load_machine("mk2-4");
  const uint64_t step = GENERATE(kLimit, 7u, 501u);
  Engine engine(m);
  for (unsigned t = 0; t < 4; ++t) {
    engine.tile(t).script = {{.kind = Action::kLoop}};
    engine.debug_write(t, chip::DebugSpace::kControl, 0, 0, 0x4C000);
    for (int i = 0; i < 14; ++i) engine.debug_write(t, chip::DebugSpace::kMemory, 0, 0x80000, 0);
  }
  engine.tile(0).script = {compute(200), sync(2)};  // in time
  chip::Stop stop;
  do stop = engine.run(engine.cycle() + step, 500);
  while (stop.reason == StopReason::kLimit);
  CHECK(stop.reason == StopReason::kBudget);
  CHECK(stop.tile == 1);
  CHECK(stop.cycle == 15 + 500);
}

namespace {

struct EveryCycle : chip::PortProbe {
  bool wanted(uint64_t) const override { return true; }
  void stepped(uint64_t) override {}
};

}  // namespace

TEST_CASE("cycle by cycle and in windows the same things happen in the same cycles") {
  const auto m = spec::load_machine("mk2-16");
  const auto build = [&](Engine& engine) {
    for (unsigned t = 0; t < m.tiles(); ++t) {
      const unsigned source = (t * 7 + 3) % m.tiles();
      engine.tile(t).script = {compute(13 * t),
                               sync(2),
                               compute(30 + t),
                               sync(3, t % 2),
                               packet({write_header(t, 1), 4 * t, t}),
                               packet({read_header(t, 4), 0, 0x80000}),
                               await_words(6),
                               sync(2),
                               sync(4)};
      for (unsigned i = 0; i < 2; ++i)
        engine.tile(t).phases.push_back({.send_delay = t,
                                         .send_count = 30,
                                         .receive_delay = source + m.receive_offset(source, t) + i,
                                         .receive_count = 28,
                                         .source = source});
    }
  };
  Engine windows(m), cycles(m), cut(m);
  Bus bus_w(m), bus_c(m), bus_x(m);
  EveryCycle probe;
  cycles.probe(&probe);
  windows.attach(&bus_w), cycles.attach(&bus_c), cut.attach(&bus_x);
  for (Engine* e : {&windows, &cycles, &cut}) build(*e), start(*e);
  const auto a = windows.run(kLimit, 0), b = cycles.run(kLimit, 0);
  chip::Stop c;
  do c = cut.run(cut.cycle() + 5, 0);
  while (c.reason == StopReason::kLimit);
  REQUIRE(a.reason == StopReason::kHostSync);
  CHECK(b.cycle == a.cycle);
  CHECK(c.cycle == a.cycle);
  for (unsigned t = 0; t < m.tiles(); ++t) {
    CHECK(windows.tile(t).received.size() == 56);
    for (Engine* e : {&cycles, &cut}) {
      CHECK(e->tile(t).received == windows.tile(t).received);
      CHECK(e->tile(t).packets == windows.tile(t).packets);
      CHECK(e->tile(t).starts == windows.tile(t).starts);
      CHECK(e->tile(t).acks == windows.tile(t).acks);
    }
  }
  CHECK(bus_w.write_cycles == bus_c.write_cycles);
  CHECK(bus_w.read_cycles == bus_x.read_cycles);
  CHECK(windows.counters().exchange == cycles.counters().exchange);
  CHECK(windows.counters().compute == cut.counters().compute);
  CHECK(windows.counters().sync == cut.counters().sync);
}
