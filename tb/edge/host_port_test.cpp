// host_port.sv against the register table of docs/reference/edge.md.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "Vhost_port.h"
#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"
#include "sim/engine/port_bits.h"

using namespace tessera;

namespace {

class Bench {
 public:
  Bench() {
    dut.alike_i = 1;
    dut.rst_ni = 0;
    clock(true, true);
    dut.rst_ni = 1;
    dut.idle_i = 0xf;
  }
  void clock(bool host, bool chip) {
    dut.eval();
    dut.clk_host_i = host;
    dut.clk_i = chip;
    dut.eval();
    dut.clk_host_i = dut.clk_i = 0;
    dut.eval();
  }
  uint32_t read(uint32_t address) {
    dut.mmio_address_i = address;
    dut.eval();
    return dut.mmio_rdata_o;
  }
  void access(bool write, uint32_t address, uint32_t data) {
    dut.mmio_valid_i = 1;
    dut.mmio_write_i = write;
    dut.mmio_address_i = address;
    dut.mmio_wdata_i = data;
    dut.eval();
  }
  void write(uint32_t address, uint32_t data, bool chip = false) {
    access(true, address, data);
    clock(true, chip);
    dut.mmio_valid_i = 0;
  }
  Vhost_port dut;
};

}  // namespace

TEST_CASE("the identity registers hold the machine description") {
  Bench bench;
  const auto m = spec::load_machine(TESSERA_TEST_MACHINE);
  CHECK(bench.read(0) == 0x54535241);
  uint32_t offset = 4;
  for (const auto& [name, value] : spec::machine_fields(m)) {
    INFO(name);
    CHECK(bench.read(offset) == value);
    offset += 4;
  }
  CHECK(bench.read(offset) == 0);
}

TEST_CASE("status, cycle and exception tile show the chip") {
  Bench bench;
  CHECK(bench.read(0x100) == 0);
  CHECK(bench.read(0x12C) == 0x7ff);
  bench.dut.idle_i = 0xb;
  bench.dut.host_waiting_i = 1;
  bench.dut.exception_i = 0xc;
  CHECK(bench.read(0x100) == 7);
  CHECK(bench.read(0x12C) == 2);
  bench.dut.cycle_i = 0x123456789abcdefull;
  CHECK(bench.read(0x108) == 0x89abcdef);
  CHECK(bench.read(0x10C) == 0x1234567);
}

TEST_CASE("mailboxes hold what was written") {
  Bench bench;
  for (uint32_t i = 0; i < 4; ++i) bench.write(0x110 + 4 * i, 0x1000 + i);
  for (uint32_t i = 0; i < 4; ++i) CHECK(bench.read(0x110 + 4 * i) == 0x1000 + i);
  // Reads, and what stands on the wires without an access, write nothing.
  for (const bool valid : {true, false})
    for (uint32_t i = 0; i < 4; ++i) {
      bench.access(!valid, 0x110 + 4 * i, ~uint32_t{0});
      bench.dut.mmio_valid_i = valid;
      bench.clock(true, true);
      bench.dut.mmio_valid_i = 0;
      CHECK(bench.read(0x110 + 4 * i) == 0x1000 + i);
    }
}

TEST_CASE("after reset the host's registers are 0, and offsets without a register read 0") {
  Bench bench;
  constexpr uint32_t kNone = 0xFF0;
  for (const uint32_t offset : std::initializer_list<uint32_t>{
           spec::kRegDebugSelect, spec::kRegDebugAddress, spec::kRegMailbox0, spec::kRegMailbox1, spec::kRegMailbox2,
           spec::kRegMailbox3, spec::kRegMark, spec::kRegPlace, spec::kRegLinkSelect, kNone}) {
    INFO(offset);
    CHECK(bench.read(offset) == 0);
  }
}

TEST_CASE("what the host tells of the system stays until it is written again, and reading it writes nothing") {
  Bench bench;
  const uint32_t place = spec::PlaceInSystem{.chip = 21, .grouped = true, .replica_grouped = false}.encode();
  const uint32_t other = spec::PlaceInSystem{.chip = 42, .grouped = false, .replica_grouped = true}.encode();
  const auto shown = [&](uint32_t first, uint32_t select) {
    CHECK(bench.dut.chip_o == spec::PlaceInSystem::decode(first).chip);
    CHECK(bench.dut.grouped_o == (first == place ? 1 : 2));
    CHECK(bench.dut.table_select_o == select);
    CHECK(bench.read(spec::kRegPlace) == first);
    CHECK(bench.read(spec::kRegLinkSelect) == select);
  };
  bench.write(spec::kRegPlace, place, true);
  bench.write(spec::kRegLinkSelect, 0x55, true);
  shown(place, 0x55);
  // Reads, with anything on the wires for data; writes of other registers.
  for (const uint32_t offset : {spec::kRegPlace, spec::kRegLinkSelect, spec::kRegLinkData, spec::kRegStatus}) {
    bench.access(false, offset, ~uint32_t{0});
    CHECK_FALSE(bench.dut.table_write_o);
    bench.clock(true, true);
    bench.dut.mmio_valid_i = 0;
  }
  bench.write(spec::kRegMailbox0, ~uint32_t{0}, true);
  shown(place, 0x55);
  bench.access(true, spec::kRegLinkData, 0x12345678);
  CHECK(bench.dut.table_write_o);
  CHECK(bench.dut.table_data_o == 0x12345678);
  bench.clock(true, true);
  bench.dut.mmio_valid_i = 0;
  bench.dut.eval();
  CHECK_FALSE(bench.dut.table_write_o);
  bench.dut.table_data_i = 0x9abcdef0;
  CHECK(bench.read(spec::kRegLinkData) == 0x9abcdef0);
  bench.write(spec::kRegPlace, other, true);
  shown(other, 0x55);
  bench.write(spec::kRegLinkSelect, 0x2a, true);
  shown(other, 0x2a);
}

TEST_CASE("debug data reaches the selected tile, or all, and the address advances") {
  Bench bench;
  bench.write(0x120, 2 | 0 << 16);
  bench.write(0x124, 0x80000);
  CHECK(bench.dut.debug_valid_o == 0);
  bench.access(true, 0x128, 0xabcd);
  CHECK(bench.dut.debug_valid_o == 4);
  CHECK(bench.dut.debug_write_o);
  CHECK(bench.dut.debug_address_o == 0x80000);
  CHECK(bench.dut.debug_wdata_o == 0xabcd);
  bench.clock(true, true);
  CHECK(bench.dut.debug_address_o == 0x80004);
  bench.dut.mmio_valid_i = 0;

  bench.write(0x120, 0x7ff | 4 << 16 | 3 << 20);
  bench.write(0x124, 5);
  bench.access(true, 0x128, 1);
  CHECK(bench.dut.debug_valid_o == 0xf);
  CHECK(bench.dut.debug_space_o == 4);
  CHECK(bench.dut.debug_context_o == 3);
  bench.clock(true, true);
  CHECK(bench.dut.debug_address_o == 6);
  bench.access(false, 0x128, 0);
  CHECK(bench.dut.debug_valid_o == 0);  // all tiles are for writes only
  bench.clock(false, true);
  bench.dut.mmio_valid_i = 0;
  CHECK(bench.read(0x120) == (0x7ff | 4 << 16 | 3 << 20));

  bench.write(0x120, 1);
  for (unsigned t = 0; t < 4; ++t) chip::set_field(bench.dut.debug_data_i, 32 * t, 32, 0x700 + t);
  CHECK(bench.read(0x128) == 0x701);
}

TEST_CASE("a refusal of the tile that was asked is kept until the status is read") {
  const auto refused = [](Bench& bench) {
    bench.access(false, spec::kRegStatus, 0);
    const bool told = spec::HostStatus::decode(bench.dut.mmio_rdata_o).refused;
    bench.clock(true, true);
    bench.dut.mmio_valid_i = 0;
    return told;
  };
  for (const bool write : {true, false})
    for (const unsigned teller : {1u, 2u})
      for (const unsigned cycle : {1u, 2u, 3u, 4u, 5u}) {
        INFO((write ? "write" : "read") << ", tile " << teller << " tells in cycle " << cycle);
        Bench bench;
        bench.write(spec::kRegDebugSelect, spec::DebugSelect{.tile = 1}.encode());
        bench.access(write, spec::kRegDebugData, 0);
        bench.clock(true, true);
        bench.dut.mmio_valid_i = 0;
        for (unsigned n = 1; n < 8; ++n) {
          bench.dut.debug_refused_i = n == cycle ? 1u << teller : 0;
          bench.clock(true, true);
        }
        // Neither a read of another register nor a write takes it back.
        bench.access(false, spec::kRegMark, 0);
        bench.clock(true, true);
        bench.write(spec::kRegStatus, 0, true);
        CHECK(refused(bench) == (teller == 1 && cycle == (write ? 1 : 4)));
        CHECK_FALSE(refused(bench));
      }
}

TEST_CASE("a mark is passed on only when not 0, and reads back until acknowledged") {
  Bench bench;
  bench.dut.host_waiting_i = 1;
  bench.access(true, 0x104, 0);
  CHECK_FALSE(bench.dut.mark_valid_o);
  bench.clock(false, true);
  bench.access(true, 0x104, 0x55);
  CHECK(bench.dut.mark_valid_o);
  CHECK(bench.dut.mark_o == 0x55);
  bench.clock(true, true);
  bench.dut.mmio_valid_i = 0;
  bench.dut.host_waiting_i = 0;
  CHECK(bench.read(0x104) == 0x55);
  bench.dut.acknowledged_i = 1;
  bench.clock(false, true);
  CHECK(bench.read(0x104) == 0);
}

TEST_CASE("a start takes back the mark that no tile has got") {
  Bench bench;
  bench.dut.host_waiting_i = 1;
  bench.access(true, spec::kRegMark, 0x55);
  bench.clock(true, true);
  bench.dut.mmio_valid_i = 0;
  bench.dut.host_waiting_i = 0;
  const auto control = [&](uint32_t address) {
    bench.write(spec::kRegDebugSelect, spec::DebugSelect{.tile = 1, .space = spec::DebugSpace::kControl}.encode());
    bench.write(spec::kRegDebugAddress, address);
    bench.write(spec::kRegDebugData, 0x4c000, true);
    return bench.read(spec::kRegMark);
  };
  CHECK(control(spec::DebugControl::kHalt) == 0x55);
  CHECK(control(spec::DebugControl::kStart) == 0);
}

TEST_CASE("an access that writes start is told to the sync, and no other") {
  Bench bench;
  const auto select = [&](spec::DebugSpace space, uint32_t address) {
    bench.write(spec::kRegDebugSelect, spec::DebugSelect{.tile = 1, .space = static_cast<uint32_t>(space)}.encode());
    bench.write(spec::kRegDebugAddress, address);
    CHECK_FALSE(bench.dut.starts_o);
    bench.clock(false, true);
  };
  const auto starts = [&](bool write) {
    bench.access(write, spec::kRegDebugData, 0x4c000);
    const bool told = bench.dut.starts_o;
    bench.dut.mmio_valid_i = 0;
    bench.dut.eval();
    return told;
  };
  select(spec::DebugSpace::kControl, spec::DebugControl::kStart);
  CHECK(starts(true));
  CHECK_FALSE(starts(false));
  select(spec::DebugSpace::kControl, spec::DebugControl::kHalt);
  CHECK_FALSE(starts(true));
  select(spec::DebugSpace::kCsr, spec::DebugControl::kStart);
  CHECK_FALSE(starts(true));
}

namespace {

// Two clocks of any ratio and phase, four tiles of which each holds what was written to it, and a host that makes its
// accesses one after the other.
class TwoClocks {
 public:
  TwoClocks(double host_period, double host_phase) : host_period_(host_period), host_next_(host_phase) {
    dut_.idle_i = 0xf;
    dut_.rst_ni = 0;
    for (int i = 0; i < 2; ++i) tick(host_seen_ + 1);
    while (chip_cycle_ < 3) step();
    dut_.rst_ni = 1;
    chip_cycle_ = 0;
  }

  uint32_t access(bool write, uint32_t offset, uint32_t data) {
    dut_.mmio_valid_i = 1;
    dut_.mmio_write_i = write;
    dut_.mmio_address_i = static_cast<uint16_t>(offset);
    dut_.mmio_wdata_i = data;
    dut_.eval();
    for (unsigned waited = 0; !dut_.mmio_ready_o; ++waited) {
      REQUIRE(waited < 100 + 20 / host_period_);
      tick(host_seen_ + 1);
    }
    const uint32_t value = dut_.mmio_rdata_o;
    tick(host_seen_ + 1);  // the edge that takes it
    dut_.mmio_valid_i = 0;
    dut_.eval();
    return value;
  }
  void write(uint32_t offset, uint32_t data) { access(true, offset, data); }
  uint32_t read(uint32_t offset) { return access(false, offset, 0); }
  void wait(unsigned host_cycles) { tick(host_seen_ + host_cycles); }

  void set_waiting(bool waits) { dut_.host_waiting_i = waits; }
  bool interrupt() const { return dut_.interrupt_o; }
  uint64_t chip_cycle() const { return chip_cycle_; }

  struct Access {
    uint8_t tiles;
    bool write;
    uint8_t space, context;
    uint32_t address, data;
    bool operator==(const Access&) const = default;
  };
  std::vector<Access> accesses;  // as the tiles saw them
  std::vector<uint16_t> marks;
  std::map<std::pair<unsigned, uint32_t>, uint32_t> held;  // by tile and address

 private:
  // The next edge of either clock.
  void step() {
    const bool host = host_next_ < chip_next_;
    if (!host) see();
    (host ? dut_.clk_host_i : dut_.clk_i) = 1;
    dut_.eval();
    if (!host) {
      ++chip_cycle_;
      dut_.cycle_i = chip_cycle_;
      show();
    }
    dut_.clk_i = dut_.clk_host_i = 0;
    dut_.eval();
    (host ? host_next_ : chip_next_) += host ? host_period_ : 1.0;
    host_seen_ += host;
  }
  void tick(uint64_t host_edges) {
    while (host_seen_ < host_edges) step();
  }
  // What is on the tiles' ports in the chip cycle that ends now.
  void see() {
    if (!dut_.rst_ni) return;
    if (dut_.mark_valid_o) marks.push_back(dut_.mark_o);
    if (dut_.debug_valid_o == 0) return;
    accesses.push_back({static_cast<uint8_t>(dut_.debug_valid_o), static_cast<bool>(dut_.debug_write_o),
                        dut_.debug_space_o, dut_.debug_context_o, dut_.debug_address_o,
                        dut_.debug_write_o ? dut_.debug_wdata_o : 0});
    for (unsigned t = 0; t < 4; ++t) {
      if (!(dut_.debug_valid_o >> t & 1)) continue;
      if (dut_.debug_write_o)
        held[{t, dut_.debug_address_o}] = dut_.debug_wdata_o;
      else
        reads_.push_back({chip_cycle_ + 4, t, held[{t, dut_.debug_address_o}]});
    }
  }
  // Data of a read are on the port from the fourth cycle behind it until the next read's.
  void show() {
    while (!reads_.empty() && reads_.front().cycle <= chip_cycle_) {
      chip::set_field(dut_.debug_data_i, 32 * reads_.front().tile, 32, reads_.front().data);
      reads_.pop_front();
    }
    dut_.eval();
  }

  struct Read {
    uint64_t cycle;
    unsigned tile;
    uint32_t data;
  };
  Vhost_port dut_;
  double host_period_, host_next_, chip_next_ = 0.5;
  uint64_t chip_cycle_ = 0, host_seen_ = 0;
  std::deque<Read> reads_;
};

}  // namespace

TEST_CASE(
    "whatever the ratio and phase of the two clocks, each access of the host is made once, in order, and answered") {
  std::mt19937 random(29);
  std::uniform_real_distribution<double> share(0, 1);
  constexpr int kRuns = 200;
  for (int run = 0; run < kRuns; ++run) {
    const double period = std::pow(10.0, 2 * share(random) - 1);
    TwoClocks bench(period, period * share(random));
    INFO("run " << run << ": host period " << period << " of the chip's");
    std::vector<TwoClocks::Access> expected;
    std::map<std::pair<unsigned, uint32_t>, uint32_t> held;
    std::vector<uint16_t> marks;
    uint64_t cycle = 0;
    for (int i = 0; i < 60; ++i) {
      if (random() % 4 == 0) bench.wait(random() % 20);
      const unsigned tile = random() % 5;
      const uint32_t at = 0x80000 + 4 * (random() % 8), data = static_cast<uint32_t>(random());
      switch (random() % 8) {
        case 0:
          bench.write(spec::kRegMailbox1, data);
          CHECK(bench.read(spec::kRegMailbox1) == data);
          break;
        case 1: {
          const uint64_t now = bench.read(spec::kRegCycleLo);
          CHECK(now >= cycle);
          CHECK(now <= bench.chip_cycle());
          CHECK(bench.read(spec::kRegCycleHi) == 0);
          cycle = bench.chip_cycle();
          break;
        }
        case 2:
          bench.set_waiting(true);
          bench.wait(static_cast<unsigned>(3 + 1 / period));
          CHECK(bench.interrupt());
          CHECK(bench.read(spec::kRegStatus) == spec::HostStatus{.host_sync = true}.encode());
          bench.write(spec::kRegMark, data & 0xffff);
          if (data & 0xffff) marks.push_back(static_cast<uint16_t>(data));
          CHECK(bench.read(spec::kRegMark) == (data & 0xffff));
          bench.set_waiting(false);
          break;
        default: {
          const bool all = tile == 4;
          bench.write(spec::kRegDebugSelect, spec::DebugSelect{.tile = all ? 0x7ff : tile}.encode());
          bench.write(spec::kRegDebugAddress, at);
          for (uint32_t n = 0; n < 1 + random() % 4; ++n) {
            bench.write(spec::kRegDebugData, data + n);
            expected.push_back({static_cast<uint8_t>(all ? 0xf : 1 << tile), true, 0, 0, at + 4 * n, data + n});
            for (unsigned t = 0; t < 4; ++t)
              if (all || t == tile) held[{t, at + 4 * n}] = data + n;
          }
          const unsigned from = all ? 2 : tile;
          bench.write(spec::kRegDebugSelect, spec::DebugSelect{.tile = from}.encode());
          bench.write(spec::kRegDebugAddress, at);
          CHECK(bench.read(spec::kRegDebugData) == held[{from, at}]);
          CHECK(bench.read(spec::kRegDebugAddress) == at + 4);
          expected.push_back({static_cast<uint8_t>(1 << from), false, 0, 0, at, 0});
        }
      }
    }
    CHECK(bench.accesses == expected);
    CHECK(bench.marks == marks);
    CHECK(bench.held == held);
  }
  std::printf("%d ratios and phases\n", kRuns);
}

TEST_CASE("a read of a tile takes the crossing and the four cycles of its data, any other access the crossing alone") {
  TwoClocks bench(1e-3, 0);  // a host so fast that the chip's clock is all that takes time
  const auto cycles = [&](bool write, uint32_t offset) {
    const uint64_t before = bench.chip_cycle();
    bench.access(write, offset, 0);
    return bench.chip_cycle() - before;
  };
  const uint64_t crossing = cycles(false, spec::kRegStatus);
  CHECK(crossing >= 3);  // two registers take the request over, one holds the answer
  CHECK(crossing <= 4);
  CHECK(cycles(true, spec::kRegMark) == crossing);
  CHECK(cycles(true, spec::kRegDebugData) == crossing);
  CHECK(cycles(false, spec::kRegDebugData) == crossing + 4);
}
