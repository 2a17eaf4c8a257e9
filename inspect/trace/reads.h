// The addresses that instructions read, which no retire record tells: found from the registers of their context, which
// the records write. What a register held before the trace began to follow it is not known, and so neither are the
// addresses that come of it.
#pragma once

#include <array>
#include <cstdint>

#include "inspect/read_addresses.h"
#include "sim/port/chip.h"

namespace tessera::chip {
struct Flip;
}

namespace tessera::inspect::trace {

// Of one instruction; how many bytes each read has is said by read_plan().
struct Reads {
  uint8_t known = 0;    // bit n: address[n] is that of read n
  bool triple = false;  // by a float register
  std::array<uint32_t, 2> address{};
  bool operator==(const Reads&) const = default;
};

class KnownRegisters {
 public:
  void forget() { known_x_ = 1, known_f_ = 0; }  // of the integer ones zero is always known
  void reset() { values_ = {}, known_x_ = known_f_ = ~0u; }
  void debug_written(chip::DebugSpace space, uint32_t number, uint32_t data);
  void flipped(const chip::Flip&);

  Reads reads(const ReadPlan& plan, const chip::Retire& r) const {
    if (plan.kind == ReadPlan::Kind::kNone || r.exception != 0) return {};
    const bool triple = plan.kind == ReadPlan::Kind::kTriple;
    if (((triple ? known_f_ : known_x_) >> plan.source & 1) == 0) return {};
    if (!triple && r.mem_write) return {};  // no instruction: what a file holds of an address is of one of them
    if (!triple) return {1, false, {plan.address(values_.x[plan.source]), 0}};
    const uint64_t addresses = values_.f[plan.source];
    const auto at = [&](unsigned n) { return plan.used >> n & 1 ? ReadPlan::address(addresses, n) : 0; };
    return {plan.used, true, {at(0), at(1)}};
  }
  void apply(const chip::Retire& r) {
    values_.apply(r);
    if (r.base_write) (r.base_float ? known_f_ : known_x_) |= 1u << r.base;
    if (r.reg_write) (r.reg_float ? known_f_ : known_x_) |= 1u << r.reg;
    if (r.pair_write) known_f_ |= 1u << ((r.reg + 1u) & 31);
  }

 private:
  ContextRegisters values_;
  uint32_t known_x_ = 1, known_f_ = 0;  // bit n: register n
};

}  // namespace tessera::inspect::trace
