// The verilated matrix engine, driven as the tile does.
#pragma once

#include <cstdint>

#include "Vamp.h"
#include "tb/arithmetic/amp_operands.h"
#include "verilated.h"

namespace tessera::tb {

class RtlAmp {
 public:
  RtlAmp() { reset(); }

  void reset() {
    idle();
    top_.commit_i = 0;
    top_.cw_write_i = 0;
    top_.debug_read_i = 0;
    top_.debug_write_i = 0;
    top_.wake_i = 1;  // what comes next is not known here; the tile does (operands.sv)
    top_.rst_ni = 0;
    cycle();
    top_.rst_ni = 1;
  }

  // Puts the case into X1. Then cycle() once for X2 and again for M; commit() tells whether what is in M retires.
  void issue(unsigned context, const AmpCase& c) {
    top_.valid_i = 1;
    top_.context_i = static_cast<uint8_t>(context);
    top_.id_i = static_cast<uint16_t>(c.op);
    // funct3 of a step is 4, or 5 when it is paced (arithmetic.md)
    top_.step_i = (spec::info(c.op).match & 0x6000) == 0x4000;
    top_.number_i = static_cast<uint8_t>(c.number);
    top_.a_i = c.a;
    top_.b_i = c.b;
    top_.tas_i = c.control.tas;
    top_.random_i = c.control.random;
    top_.stochastic_i = c.control.stochastic;
    top_.half_overflow_i = static_cast<uint8_t>(c.control.half_overflow);
    top_.f8_i = static_cast<uint16_t>(c.control.f8);
  }
  void idle() { top_.valid_i = 0; }
  void commit(bool retires) { top_.commit_i = retires; }

  // A weight load in W, until the next cycle().
  void load(unsigned entry, uint64_t data) { drive_load(entry, false, data, ~data); }
  void load_pair(unsigned even_entry, uint64_t first, uint64_t second) { drive_load(even_entry, true, first, second); }
  bool loads_done() const { return top_.idle_o; }

  void cycle() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
    top_.cw_write_i = 0;
  }

  // What M shows after the last cycle().
  model::VectorResult result() const { return {top_.result_o, top_.flags_o}; }

  // Debug access, without a cycle for a read and with one for a write. Address: A, then S.
  uint32_t accumulator(unsigned context, unsigned address) { return debug_read(false, context, address); }
  uint32_t weight_word(unsigned address) { return debug_read(true, 0, address); }
  void set_accumulator(unsigned context, unsigned address, uint32_t value) {
    debug_write(false, context, address, value);
  }
  void set_weight_word(unsigned address, uint32_t value) { debug_write(true, 0, address, value); }

  model::Accumulators accumulators(unsigned context) {
    model::Accumulators acc;
    for (unsigned u = 0; u < 16; ++u) {
      acc.a[u] = accumulator(context, u);
      acc.s[u] = accumulator(context, 16 + u);
    }
    return acc;
  }

 private:
  void drive_load(unsigned entry, bool wide, uint64_t first, uint64_t second) {
    top_.cw_write_i = 1;
    top_.cw_wide_i = wide;
    top_.cw_index_i = static_cast<uint8_t>(entry);
    top_.cw_data_i[0] = static_cast<uint32_t>(first);
    top_.cw_data_i[1] = static_cast<uint32_t>(first >> 32);
    top_.cw_data_i[2] = static_cast<uint32_t>(second);
    top_.cw_data_i[3] = static_cast<uint32_t>(second >> 32);
  }

  void address_debug(bool weights, unsigned context, unsigned address) {
    top_.debug_weights_i = weights;
    top_.debug_context_i = static_cast<uint8_t>(context);
    top_.debug_address_i = static_cast<uint8_t>(address);
  }

  uint32_t debug_read(bool weights, unsigned context, unsigned address) {
    address_debug(weights, context, address);
    top_.debug_read_i = 1;
    top_.eval();
    top_.debug_read_i = 0;
    return top_.debug_rdata_o;
  }

  void debug_write(bool weights, unsigned context, unsigned address, uint32_t value) {
    address_debug(weights, context, address);
    top_.debug_wdata_i = value;
    top_.debug_write_i = 1;
    cycle();
    top_.debug_write_i = 0;
  }

  VerilatedContext context_;
  Vamp top_{&context_};
};

}  // namespace tessera::tb
