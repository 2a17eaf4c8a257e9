// Schedules of random traffic against the rules of docs/reference/exchange.md, checked from the encoded event lists.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

#include "compiler/passes/exchange/pair_transfers.h"
#include "compiler/passes/exchange/schedule_exchange.h"
#include "rtl/spec/numbers.h"
#include "rtl/spec/words.h"

using namespace tessera;
using namespace tessera::compiler;

namespace {

constexpr unsigned kSeed = 20260817;

struct Decoded {
  bool receive;
  std::uint64_t cycle;
  std::uint32_t address, words, source;
  spec::PairedReceive pair;  // of a send kNone or another
  bool paired() const { return pair != spec::PairedReceive::kNone; }
};

std::vector<Decoded> decode(const std::vector<std::uint32_t>& list) {
  std::vector<Decoded> events;
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < list.size(); i += 2) {
    const std::uint64_t bits = list[i] | std::uint64_t{list[i + 1]} << 32;
    const auto event = spec::ExchangeEvent::decode(bits);
    REQUIRE(event.encode() == bits);  // reserved bits are 0
    REQUIRE(event.last == (i + 2 == list.size()));
    const std::uint64_t cycle = next + event.delay;
    next = cycle + 1;
    if (event.count == 0) continue;
    events.push_back({event.is_receive, cycle, 4 * event.word_address, event.count, event.source,
                      static_cast<spec::PairedReceive>(event.pair)});
  }
  return events;
}

// (tile, address) of a word to be received -> (tile, address) it comes from.
using Wanted = std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>>;

Wanted wanted(const Traffic& traffic, const Layout& layout) {
  Wanted result;
  for (const Transfer& t : traffic.transfers)
    for (std::uint32_t r = t.first_receiver; r < t.first_receiver + t.receivers; ++r)
      for (std::uint32_t w = 0; w < t.words; ++w)
        result[{traffic.receivers[r].tile, layout.address_of(traffic.receivers[r].to) + 4 * w}] = {
            t.source, layout.address_of(t.from) + 4 * w};
  return result;
}

// That of the other tile of a pair which takes part in a paired receive.
const Decoded& partner(const std::vector<Decoded>& others, const Decoded& e, std::uint32_t tile,
                       const spec::Machine& machine) {
  const std::uint32_t other = spec::Machine::pair_of(tile), port = spec::Machine::pair_of(e.source);
  const std::int64_t sends = static_cast<std::int64_t>(e.cycle) - machine.receive_offset(e.source, tile);
  const auto found = std::find_if(others.begin(), others.end(), [&](const Decoded& o) {
    return o.receive && o.paired() && o.source == port && o.words == e.words &&
           static_cast<std::int64_t>(o.cycle) - machine.receive_offset(port, other) == sends;
  });
  REQUIRE(found != others.end());
  return *found;
}

// Plays the lists word by word: what is on each tile's port when, and what each receive finds there.
void check(const Traffic& traffic, const Schedule& schedule, const Layout& layout, const spec::Machine& machine) {
  std::vector<std::vector<Decoded>> lists(machine.tiles());
  using Word = std::pair<std::uint32_t, std::uint32_t>;              // tile, address
  std::vector<std::map<std::uint64_t, Word>> wire(machine.tiles());  // by port and cycle of sending
  for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile) {
    lists[tile] = decode(encode_events(schedule, tile, layout));
    for (const Decoded& e : lists[tile]) {
      if (e.receive) continue;
      for (std::uint32_t w = 0; w < e.words; ++w) {  // one word a cycle
        if (!e.paired()) {
          REQUIRE(wire[tile].emplace(e.cycle + w, Word{tile, e.address + 4 * w}).second);
          continue;
        }
        REQUIRE(wire[tile & ~2u].emplace(e.cycle + w, Word{tile, e.address + 8 * w}).second);
        REQUIRE(wire[tile | 2].emplace(e.cycle + w, Word{tile, e.address + 8 * w + 4}).second);
      }
    }
  }
  Wanted received;
  std::uint64_t end = 0;
  for (std::uint32_t tile = 0; tile < machine.tiles(); ++tile) {
    std::uint64_t free = 0;
    for (const Decoded& e : lists[tile]) {
      if (!e.receive) continue;
      REQUIRE(e.cycle >= free);
      free = e.cycle + e.words + (e.pair == spec::PairedReceive::kEarly);
      end = std::max(end, free + 1 + machine.select_latency(tile));
      const std::int64_t offset = machine.receive_offset(e.source, tile);
      std::uint32_t other_port = e.source;
      if (e.paired()) {
        const Decoded& o = partner(lists[spec::Machine::pair_of(tile)], e, tile, machine);
        other_port = o.source;
        CHECK((e.source & 2) == (tile & 2));
        if (e.pair == spec::PairedReceive::kLends) {
          CHECK(o.pair != e.pair);
          continue;
        }
        const bool early = machine.latency(e.source, tile) < machine.latency(o.source, spec::Machine::pair_of(tile));
        CHECK(e.pair == (early ? spec::PairedReceive::kEarly : spec::PairedReceive::kLate));
        CHECK(e.address % 8 == 0);
      }
      for (std::uint32_t w = 0; w < e.words; ++w) {
        const std::int64_t sends = static_cast<std::int64_t>(e.cycle) + w - offset;
        REQUIRE(sends >= 0);
        const auto sent = wire[e.source].find(static_cast<std::uint64_t>(sends));
        REQUIRE(sent != wire[e.source].end());
        if (!e.paired()) {
          received[{tile, e.address + 4 * w}] = sent->second;
          continue;
        }
        const auto other = wire[other_port].find(static_cast<std::uint64_t>(sends));
        REQUIRE(other != wire[other_port].end());
        received[{tile, e.address + 8 * w + 2 * (tile & 2)}] = sent->second;
        received[{tile, e.address + 8 * w + 4 - 2 * (tile & 2)}] = other->second;
      }
    }
  }
  CHECK(received == wanted(traffic, layout));
  CHECK(schedule.cycles == end);
}

struct Random {
  std::mt19937 engine{kSeed};
  std::uint32_t operator()(std::uint32_t below) { return engine() % below; }
};

struct TrafficMaker {
  Layout layout{};
  Traffic traffic{};

  // Places of one tile do not overlap.
  ir::Place place(std::uint32_t tile, std::uint32_t words) {
    std::uint32_t& next = next_.try_emplace(tile, 0x4c000).first->second;
    layout.addresses.push_back(next);
    next += ir::round_up(4 * words, 8);
    return {static_cast<ir::BlockId>(layout.addresses.size() - 1), 0};
  }
  ir::Blocks blocks() const { return ir::Blocks(layout.addresses.size()); }
  void transfer(std::uint32_t source, const std::set<std::uint32_t>& targets, std::uint32_t words) {
    Transfer t{.source = source, .from = place(source, words), .words = words};
    t.first_receiver = static_cast<std::uint32_t>(traffic.receivers.size());
    for (const std::uint32_t tile : targets) traffic.receivers.push_back({tile, place(tile, words)});
    t.receivers = static_cast<std::uint32_t>(targets.size());
    traffic.transfers.push_back(t);
  }

 private:
  std::map<std::uint32_t, std::uint32_t> next_;  // address, by tile
};

struct Kind {
  unsigned most_words, most_targets;
  bool itself = false;  // a tile may be among its own receivers
};

void check_random(const spec::Machine& machine, unsigned transfers, const Kind& kind) {
  Random random;
  TrafficMaker maker;
  for (unsigned i = 0; i < transfers; ++i) {
    const std::uint32_t source = random(machine.tiles());
    std::set<std::uint32_t> targets;
    for (unsigned t = 1 + random(kind.most_targets); t > 0; --t) targets.insert(random(machine.tiles()));
    if (!kind.itself) targets.erase(source);
    if (!targets.empty()) maker.transfer(source, targets, 1 + random(kind.most_words));
  }
  INFO("seed " << kSeed);
  check(maker.traffic, schedule_exchange(maker.traffic, machine), maker.layout, machine);
  const Traffic paired = pair_transfers(maker.traffic, maker.blocks(), machine);
  check(maker.traffic, schedule_exchange(paired, machine), maker.layout, machine);
}

std::size_t number_paired(const Traffic& traffic) {
  return static_cast<std::size_t>(
      std::count_if(traffic.transfers.begin(), traffic.transfers.end(), [](const Transfer& t) { return t.paired; }));
}

}  // namespace

TEST_CASE("every word of random traffic arrives where and when its receiver listens") {
  check_random(spec::load_machine("mk2-4"), 60, {.most_words = 9, .most_targets = 3});
  check_random(spec::load_machine("mk2-16"), 300, {.most_words = 20, .most_targets = 5});
  check_random(spec::load_machine("mk2-64"), 400, {.most_words = 6, .most_targets = 20});
  check_random(spec::load_machine("mk2"), 800, {.most_words = 12, .most_targets = 8});
}

TEST_CASE("every word of random traffic arrives whatever its way and size") {
  // Most latencies of these machines differ from pair to pair; one shape is as far from a square as there is.
  for (const char* shape : {"rows = 9\ncolumns = 2\nlanes = 2", "rows = 1\ncolumns = 12\nlanes = 4"}) {
    const spec::Machine machine = spec::parse_machine("name = \"odd\"\nbase = \"mk2\"\n" + std::string(shape) + "\n");
    check_random(machine, 150, {.most_words = 60, .most_targets = machine.tiles()});
    check_random(machine, 10, {.most_words = 40'000, .most_targets = 4});
    check_random(machine, 300, {.most_words = 3, .most_targets = 2, .itself = true});
  }
}

TEST_CASE("single words between all pairs of tiles") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  TrafficMaker maker;
  for (std::uint32_t s = 0; s < machine.tiles(); ++s)
    for (std::uint32_t d = 0; d < machine.tiles(); ++d)
      if (s != d) maker.transfer(s, {d}, 1);
  const Schedule schedule = schedule_exchange(maker.traffic, machine);
  check(maker.traffic, schedule, maker.layout, machine);
  // Each tile executes 15 sends and 15 receives, one event a cycle; latencies differ by less than the slack allowed
  // here.
  CHECK(schedule.cycles < 60 + machine.latency(0, 15) + 60);
}

TEST_CASE("one sender reaches all tiles of the largest machine with one send") {
  const spec::Machine machine = spec::load_machine("mk2");
  TrafficMaker maker;
  std::set<std::uint32_t> all;
  for (std::uint32_t d = 1; d < machine.tiles(); ++d) all.insert(d);
  maker.transfer(0, all, 64);
  const Schedule schedule = schedule_exchange(maker.traffic, machine);
  check(maker.traffic, schedule, maker.layout, machine);
  CHECK(schedule.of_tile[0].size() == 1);
}

TEST_CASE("runs beyond the count field are cut and follow each other without a gap") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  TrafficMaker maker;
  maker.transfer(0, {1, 2}, 40000);
  const Schedule schedule = schedule_exchange(maker.traffic, machine);
  check(maker.traffic, schedule, maker.layout, machine);
  const auto sends = decode(encode_events(schedule, 0, maker.layout));
  REQUIRE(sends.size() == 3);
  CHECK(sends[1].cycle == sends[0].cycle + 16383);
  CHECK(sends[2].cycle == sends[1].cycle + 16383);
}

TEST_CASE("waits beyond the delay field are bridged by pure delays") {
  const spec::Machine machine = spec::load_machine("mk2-4");
  TrafficMaker maker;
  maker.transfer(0, {1}, 9000);
  maker.transfer(2, {1}, 9000);
  maker.transfer(3, {1}, 5);
  const Schedule schedule = schedule_exchange(maker.traffic, machine);
  check(maker.traffic, schedule, maker.layout, machine);
  const std::string text = dump(schedule);
  CHECK(text.find(" delay") != std::string::npos);
}

TEST_CASE("transfers to one tile follow each other without a gap") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  TrafficMaker maker;
  for (std::uint32_t s = 1; s < 16; ++s) maker.transfer(s, {0}, 10);
  const Schedule schedule = schedule_exchange(maker.traffic, machine);
  const auto receives = decode(encode_events(schedule, 0, maker.layout));
  REQUIRE(receives.size() == 15);
  for (std::size_t i = 1; i < receives.size(); ++i) CHECK(receives[i].cycle == receives[i - 1].cycle + 10);
}

TEST_CASE("every tile sends a part to every other in little more than the time of its words") {
  const spec::Machine machine = spec::load_machine("mk2-64");
  TrafficMaker maker;
  for (std::uint32_t s = 0; s < machine.tiles(); ++s)
    for (std::uint32_t d = 0; d < machine.tiles(); ++d)
      if (s != d) maker.transfer(s, {d}, 50);
  const Schedule schedule = schedule_exchange(maker.traffic, machine);
  CHECK(schedule.cycles < 63 * 50 * 5 / 4 + 200);
}

TEST_CASE("a broadcast takes half the cycles in pairs, and the sender's pair gets its words as well") {
  const spec::Machine machine = spec::load_machine("mk2-64");
  TrafficMaker maker;
  std::set<std::uint32_t> all;
  for (std::uint32_t d = 0; d < machine.tiles(); ++d)
    if (d != 5) all.insert(d);
  maker.transfer(5, all, 1001);  // the last word goes alone
  const Traffic paired = pair_transfers(maker.traffic, maker.blocks(), machine);
  REQUIRE(paired.transfers.size() == 2);
  CHECK(paired.transfers[0].paired);
  CHECK(paired.transfers[0].words == 500);
  CHECK(paired.transfers[0].receivers == 64);
  CHECK(paired.receivers[63].tile == 5);
  CHECK(paired.receivers[63].lends);
  CHECK(paired.transfers[1].words == 1);
  const Schedule schedule = schedule_exchange(paired, machine);
  check(maker.traffic, schedule, maker.layout, machine);
  CHECK(schedule.cycles < 501 + 120);
  const std::string text = dump(schedule);
  CHECK(text.find("tile 5 @") != std::string::npos);
  CHECK(text.find(" lends x 500 from tile 5") != std::string::npos);
  CHECK(text.find(" x 500 double from tile 7") != std::string::npos);
}

TEST_CASE("no transfer is paired that gains nothing by it, or cannot be") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  const auto paired = [&](const TrafficMaker& maker, const ir::Blocks& blocks, const spec::Machine& on) {
    const Traffic traffic = pair_transfers(maker.traffic, blocks, on);
    check(maker.traffic, schedule_exchange(traffic, on), maker.layout, on);
    return number_paired(traffic);
  };
  TrafficMaker idle;
  idle.transfer(0, {3}, 8);
  CHECK(paired(idle, idle.blocks(), machine) == 1);
  ir::Blocks loose = idle.blocks();
  loose.back().align = 4;
  CHECK(paired(idle, loose, machine) == 0);
  CHECK(paired(idle, idle.blocks(), spec::load_machine("mk1-4")) == 0);
  TrafficMaker few;
  few.transfer(0, {5, 7}, 7);
  CHECK(paired(few, few.blocks(), machine) == 0);
  TrafficMaker busy;  // the other tile of its pair receives something else
  busy.transfer(0, {5}, 100);
  busy.transfer(1, {7}, 100);
  CHECK(paired(busy, busy.blocks(), machine) == 0);
  TrafficMaker gather;  // each to all others: who sends lends its port to its pair
  for (std::uint32_t s = 0; s < machine.tiles(); ++s) {
    std::set<std::uint32_t> all;
    for (std::uint32_t d = 0; d < machine.tiles(); ++d)
      if (d != s) all.insert(d);
    gather.transfer(s, all, 100);
  }
  CHECK(paired(gather, gather.blocks(), machine) == machine.tiles());
}

TEST_CASE("paired runs beyond the count field are cut") {
  const spec::Machine machine = spec::load_machine("mk2-16");
  TrafficMaker maker;
  maker.transfer(0, {1, 3}, 80'001);
  const Traffic paired = pair_transfers(maker.traffic, maker.blocks(), machine);
  CHECK(number_paired(paired) == 3);
  check(maker.traffic, schedule_exchange(paired, machine), maker.layout, machine);
}
