// host_port.sv against the register table of docs/reference/edge.md.
#include <catch2/catch.hpp>

#include "Vhost_port.h"
#include "rtl/spec/machine.h"
#include "sim/engine/port_bits.h"

using namespace tessera;

namespace {

class Bench {
 public:
  Bench() {
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
  bench.dut.mmio_valid_i = 0;
  CHECK(bench.read(0x120) == (0x7ff | 4 << 16 | 3 << 20));

  bench.write(0x120, 1);
  for (unsigned t = 0; t < 4; ++t) chip::set_field(bench.dut.debug_data_i, 32 * t, 32, 0x700 + t);
  CHECK(bench.read(0x128) == 0x701);
}

TEST_CASE("a mark is passed on only when not 0, and reads back until acknowledged") {
  Bench bench;
  bench.dut.host_waiting_i = 1;
  bench.access(true, 0x104, 0);
  CHECK_FALSE(bench.dut.mark_valid_o);
  bench.access(true, 0x104, 0x55);
  CHECK(bench.dut.mark_valid_o);
  CHECK(bench.dut.mark_o == 0x55);
  bench.clock(true, true);
  bench.dut.mmio_valid_i = 0;
  bench.dut.host_waiting_i = 0;
  CHECK(bench.read(0x104) == 0x55);
  bench.dut.ack_i = 1;
  bench.clock(false, true);
  CHECK(bench.read(0x104) == 0);
}
