// sync_controller.sv against docs/reference/exchange.md: in which cycle the acknowledgement is high, and with what.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "Vsync_controller.h"
#include "rtl/spec/machine.h"
#include "sim/engine/port_bits.h"

using namespace tessera;
using chip::get_bit;
using chip::get_field;
using chip::set_bit;
using chip::set_field;

namespace {

// A large fabric takes a millisecond a cycle: fewer cases of it.
bool large(const spec::Machine& m) { return m.tiles() > 64; }

class Bench {
 public:
  Bench() : machine(spec::load_machine(TESSERA_TEST_MACHINE)) {
    dut.rst_ni = 0;
    dut.edge_idle_i = 1;
    clock();
    dut.rst_ni = 1;
    now = 0;
  }
  // Inputs of cycle `now` are set: settles them, so that outputs can be read, without the clock edge.
  void settle() {
    dut.clk_i = 0;
    dut.eval();
  }
  void clock() {
    settle();
    dut.clk_i = 1;
    dut.eval();
    ++now;
  }
  void request(unsigned tile, unsigned zone, bool value) {
    set_bit(dut.request_i, tile, true);
    set_bit(dut.value_i, tile, value);
    set_field(dut.zone_i, 4 * tile, 4, zone);
  }

  // Whether the acknowledgement is high: at all tiles or at none, of one zone, with one consensus and mark.
  bool acknowledges() const {
    const bool ack = get_bit(dut.ack_o, 0);
    unsigned others = 0;
    for (unsigned t = 0; t < machine.tiles(); ++t)
      others += get_bit(dut.ack_o, t) != ack || get_field(dut.ack_zone_o, 4 * t, 4) != zone() ||
                get_bit(dut.consensus_o, t) != consensus() || get_field(dut.mark_o, 16 * t, 16) != mark();
    CHECK(others == 0);
    if (!ack) CHECK((zone() == 0 && !consensus() && mark() == 0));
    return ack;
  }
  unsigned zone() const { return static_cast<unsigned>(get_field(dut.ack_zone_o, 0, 4)); }
  bool consensus() const { return get_bit(dut.consensus_o, 0); }
  unsigned mark() const { return static_cast<unsigned>(get_field(dut.mark_o, 0, 16)); }
  void drop_requests() {
    for (unsigned t = 0; t < machine.tiles(); ++t) set_bit(dut.request_i, t, false);
  }

  const spec::Machine machine;
  Vsync_controller dut;
  uint64_t now = 0;
};

// Raises the requests in the given cycles (relative to now), drops them in A + 1; returns the cycles with ack high.
std::vector<uint64_t> run(Bench& bench, unsigned zone, const std::vector<uint64_t>& rise,
                          const std::vector<bool>& value, unsigned cycles, bool& consensus) {
  std::vector<uint64_t> acks;
  const uint64_t start = bench.now;
  while (bench.now < start + cycles) {
    for (unsigned t = 0; t < rise.size(); ++t)
      if (acks.empty() && bench.now == start + rise[t]) bench.request(t, zone == 2 && t % 3 == 1 ? 6 : zone, value[t]);
    bench.settle();
    CHECK((bench.dut.group_request_o & ~bench.dut.grouped_i) == 0);
    CHECK((bench.dut.group_value_o & ~bench.dut.grouped_i) == 0);
    const bool ack = bench.acknowledges();
    if (ack) {
      acks.push_back(bench.now);
      consensus = bench.consensus();
      CHECK(bench.zone() == zone);
      CHECK(bench.mark() == 0);
    }
    bench.clock();
    if (ack) bench.drop_requests();
  }
  return acks;
}

}  // namespace

TEST_CASE("the acknowledgement is high for one cycle, request and acknowledge latency after the last request") {
  Bench bench;
  std::mt19937 random(7);
  for (int round = 0; round < (large(bench.machine) ? 20 : 200); ++round) {
    const unsigned zone = std::array{2u, 3u, 7u}[random() % 3];
    std::vector<uint64_t> rise(bench.machine.tiles());
    std::vector<bool> value(rise.size(), true);
    for (auto& cycle : rise) cycle = random() % 60;
    if (round % 3 == 1) value[random() % value.size()] = false;
    const uint64_t last = bench.now + *std::max_element(rise.begin(), rise.end());
    const auto& m = bench.machine;
    const uint64_t expected =
        last + (zone == 2 ? m.sync_request + m.sync_acknowledge : m.external_request + m.external_acknowledge);
    bool consensus = false;
    CHECK(run(bench, zone, rise, value, 300, consensus) == std::vector<uint64_t>{expected});
    CHECK(consensus == (round % 3 != 1));
  }
}

TEST_CASE("a zone of a group leaves the chip on its wire, and is acknowledged when the answer has come") {
  const unsigned zone = GENERATE(3u, 7u);
  const bool agreed = GENERATE(false, true), all_agree = GENERATE(false, true);
  Bench bench;
  const auto& m = bench.machine;
  const unsigned wire = zone == 3 ? 1 : 2;
  bench.dut.grouped_i = wire;
  const uint64_t request = 10, leaves = request + m.external_request, answer = leaves + 33;
  std::vector<uint64_t> acks;
  while (bench.now < 300) {
    if (bench.now == request)
      for (unsigned t = 0; t < m.tiles(); ++t) bench.request(t, zone, agreed || t != 3);
    bench.dut.group_answer_i = bench.now == answer ? wire : bench.now == answer - 5 ? 3 - wire : 0;
    bench.dut.group_consensus_i = bench.now == answer && all_agree ? wire : 0;
    bench.settle();
    CHECK(bench.dut.group_request_o == (bench.now == leaves ? wire : 0));
    CHECK(bench.dut.group_value_o == (bench.now == leaves && agreed ? wire : 0));
    // The answer of the other zone, which nobody here is in, is not of this group.
    if (bench.acknowledges()) {
      acks.push_back(bench.now);
      CHECK(bench.zone() == zone);
      CHECK(bench.consensus() == all_agree);
    }
    const bool acknowledged = bench.acknowledges();
    bench.clock();
    if (acknowledged) bench.drop_requests();
  }
  CHECK(acks == std::vector<uint64_t>{answer + m.external_acknowledge});
  // The other zone is the chip's own, and shows nothing on its wire.
  bool consensus = false;
  const std::vector<uint64_t> rise(m.tiles(), 5);
  const uint64_t expected = bench.now + 5 + m.external_request + m.external_acknowledge;
  CHECK(run(bench, 10 - zone, rise, std::vector<bool>(m.tiles(), true), 200, consensus) ==
        std::vector<uint64_t>{expected});
  CHECK(consensus);
}

TEST_CASE("tiles in different zones are not acknowledged") {
  Bench bench;
  for (unsigned t = 0; t < bench.machine.tiles(); ++t) bench.request(t, t == 5 ? 3 : 2, true);
  for (int i = 0; i < 400; ++i) {
    bench.settle();
    CHECK_FALSE(bench.acknowledges());
    bench.clock();
  }
}

TEST_CASE("a host sync notifies when the edge is idle and is acknowledged after the mark") {
  const unsigned drain = GENERATE(0, 50, 150);  // the edge is busy until this cycle
  const unsigned answer = GENERATE(0, 1, 33);   // the mark comes this much after the notification
  const bool agreed = GENERATE(false, true);
  Bench bench;
  const auto& m = bench.machine;
  const uint64_t request = 10, notify = std::max<uint64_t>(request + m.external_request, drain);
  std::vector<uint64_t> acks;
  for (; bench.now < 600;) {
    if (bench.now == request)
      for (unsigned t = 0; t < m.tiles(); ++t) bench.request(t, 4, agreed || t != 3);
    bench.dut.edge_idle_i = bench.now >= drain;
    // A mark before the host was notified, or behind its answer, says nothing.
    const bool early = bench.now + 1 == notify, late = bench.now == notify + answer + 1;
    bench.dut.mark_valid_i = early || late || bench.now == notify + answer;
    bench.dut.mark_i = early || late ? 0xbad : 0xbeef;
    bench.settle();
    CHECK(bench.dut.host_waiting_o == (bench.now >= notify && bench.now <= notify + answer));
    const bool ack = bench.acknowledges();
    if (ack) {
      acks.push_back(bench.now);
      CHECK(bench.zone() == 4);
      CHECK(bench.mark() == 0xbeef);
      CHECK(bench.consensus() == agreed);
    }
    bench.clock();
    if (ack) bench.drop_requests();
  }
  CHECK(acks == std::vector<uint64_t>{notify + answer + m.external_acknowledge});
}

TEST_CASE("what is cancelled is not acknowledged, in whatever cycle that is, and the next sync is") {
  const unsigned zone = GENERATE(2, 3, 4);
  Bench probe;
  const auto& m = probe.machine;
  constexpr uint64_t kAnswer = 7;  // of the host, after its notification
  const uint64_t request = 5;
  const uint64_t ack = request + (zone == 2   ? m.sync_request + m.sync_acknowledge
                                  : zone == 3 ? m.external_request + m.external_acknowledge
                                              : m.external_request + kAnswer + m.external_acknowledge);
  for (uint64_t cancel = 0; cancel < ack + 10; cancel += large(m) ? 13 : 1) {
    INFO("zone " << zone << ", cancelled in " << cancel);
    Bench bench;
    std::vector<uint64_t> acks;
    uint64_t notified = 0;
    const uint64_t again = cancel + 12;  // tile 3, which is started, requests again
    for (; bench.now < again + 3 * ack;) {
      if (bench.now == request)
        for (unsigned t = 0; t < m.tiles(); ++t) bench.request(t, zone, true);
      if (bench.now == cancel + 1) set_bit(bench.dut.request_i, 3, false);
      if (bench.now == again) bench.request(3, zone, true);
      bench.dut.cancel_i = bench.now == cancel;
      bench.settle();
      if (bench.dut.host_waiting_o && notified == 0) notified = bench.now;
      if (!bench.dut.host_waiting_o) notified = 0;
      bench.dut.mark_valid_i = notified != 0 && bench.now == notified + kAnswer;
      bench.dut.mark_i = 0x77;
      bench.settle();
      const bool acknowledged = bench.acknowledges();
      if (acknowledged) acks.push_back(bench.now);
      bench.clock();
      if (acknowledged) bench.drop_requests();
    }
    // In the very cycle of its acknowledgement, and behind it, a sync is no longer under way; tile 3 then asks alone.
    const uint64_t from = cancel + 1 < request ? request : again;
    if (cancel < ack)
      CHECK(acks == std::vector<uint64_t>{from + ack - request});
    else
      CHECK(acks == std::vector<uint64_t>{ack});
  }
}

TEST_CASE("a reset forgets what is under way, in whatever cycle it comes, and the next sync is as the first") {
  const unsigned zone = GENERATE(2, 3, 4, 7);
  Bench probe;
  const auto& m = probe.machine;
  const uint64_t request = 5, last = request + m.external_request + m.external_acknowledge + 10;
  for (uint64_t cut = request; cut < last; cut += large(m) ? 13 : 1) {
    INFO("zone " << zone << ", reset in " << cut);
    Bench bench;
    const auto request_all = [&] {
      for (unsigned t = 0; t < m.tiles(); ++t) bench.request(t, zone, true);
    };
    const auto step = [&](uint64_t marked) {
      bench.dut.mark_valid_i = bench.now == marked;
      bench.dut.mark_i = 0x55;
      bench.settle();
      const bool acknowledged = bench.acknowledges();
      bench.clock();
      if (acknowledged) bench.drop_requests();
      return acknowledged;
    };
    while (bench.now < request) step(~0ull);
    request_all();
    while (bench.now < cut) step(request + m.external_request);
    bench.drop_requests();
    bench.dut.rst_ni = 0;
    bench.clock();
    bench.dut.rst_ni = 1;
    for (const uint64_t end = bench.now + 200; bench.now < end;) {
      bench.settle();
      CHECK_FALSE(bench.dut.host_waiting_o);
      CHECK(bench.dut.group_request_o == 0);
      CHECK_FALSE(step(~0ull));
    }
    const uint64_t again = bench.now, marked = zone == 4 ? again + m.external_request + 3 : ~0ull;
    request_all();
    uint64_t acknowledged = 0;
    while (acknowledged == 0 && bench.now < again + 300)
      if (const uint64_t now = bench.now; step(marked)) acknowledged = now;
    CHECK(acknowledged == (zone == 2   ? again + m.sync_request + m.sync_acknowledge
                           : zone == 4 ? marked + m.external_acknowledge
                                       : again + m.external_request + m.external_acknowledge));
  }
}

TEST_CASE("syncs of all zones follow each other, each acknowledged once, while the edge comes and goes") {
  Bench bench;
  const auto& m = bench.machine;
  std::mt19937 random(19);
  for (int round = 0; round < 60; ++round) {
    const unsigned zone = 2 + random() % 3;
    INFO("round " << round << ", zone " << zone);
    std::vector<uint64_t> rise(m.tiles());
    for (auto& cycle : rise) cycle = bench.now + random() % 20;
    const uint64_t last = *std::max_element(rise.begin(), rise.end());
    uint64_t notified = 0, marked = 0, acknowledged = 0;
    while (acknowledged == 0 && bench.now < last + 1000) {
      for (unsigned t = 0; t < m.tiles(); ++t)
        if (bench.now == rise[t]) bench.request(t, zone, true);
      bench.dut.edge_idle_i = random() % 4 == 0;
      bench.dut.mark_valid_i = 0;
      bench.settle();
      if (bench.dut.host_waiting_o && notified == 0) notified = bench.now;
      CHECK(bench.dut.host_waiting_o == (notified != 0 && marked == 0));
      bench.dut.mark_i = static_cast<uint16_t>(1 + random() % 0xffff);
      if (bench.dut.host_waiting_o && random() % 8 == 0) {
        bench.dut.mark_valid_i = 1;
        marked = bench.now;
      }
      bench.settle();
      if (bench.acknowledges()) acknowledged = bench.now;
      bench.clock();
    }
    bench.drop_requests();
    CHECK(acknowledged == (zone == 2   ? last + m.sync_request + m.sync_acknowledge
                           : zone == 3 ? last + m.external_request + m.external_acknowledge
                                       : marked + m.external_acknowledge));
    if (zone == 4) CHECK(notified >= last + m.external_request);
  }
}
