// Chip cycles as SystemC time. The cycle is the truth; sc_time is derived from it for display and for delays, in
// femtoseconds (19 000 s of simulated time fit in 64 bits).
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace tessera::pcie {

// Call once before elaboration.
inline void set_time_resolution() { sc_core::sc_set_time_resolution(1, sc_core::SC_FS); }

// The chip's clock: cycle 0 is the SystemC time of the last restart (power-up or reset), since SystemC time never goes
// back.
class ChipClock {
 public:
  explicit ChipClock(uint64_t hz) : hz_(hz) {}  // > 0

  sc_core::sc_time time_of(uint64_t cycle) const {
    const auto femtoseconds = static_cast<unsigned __int128>(cycle) * 1'000'000'000'000'000u / hz_;
    return origin_ + sc_core::sc_time::from_value(static_cast<uint64_t>(femtoseconds));
  }
  // From now to a cycle; zero if it has passed.
  sc_core::sc_time delay_until(uint64_t cycle) const {
    const sc_core::sc_time then = time_of(cycle);
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    return then > now ? then - now : sc_core::SC_ZERO_TIME;
  }
  // The cycle in which something that happens at a time is seen: the first one that does not begin before it.
  uint64_t cycle_at(const sc_core::sc_time& time) const {
    if (time <= origin_) return 0;
    const unsigned __int128 ticks = static_cast<unsigned __int128>((time - origin_).value()) * hz_;
    return static_cast<uint64_t>((ticks + 999'999'999'999'999u) / 1'000'000'000'000'000u);
  }
  void restart() { origin_ = sc_core::sc_time_stamp(); }
  // The clock has stood while the chip was halted: that cycle is now, unless it is still to come.
  void resume_at(uint64_t cycle) {
    if (time_of(cycle) < sc_core::sc_time_stamp()) origin_ += sc_core::sc_time_stamp() - time_of(cycle);
  }

 private:
  uint64_t hz_;
  sc_core::sc_time origin_;
};

// The exact chip cycle of a transaction, beside its sc_time delay. In: the cycle in which the initiator made it. Out:
// the cycle in which it is complete at the initiator (a read's data, a posted write's arrival). Every initiator of this
// folder attaches it.
struct CycleExtension : tlm::tlm_extension<CycleExtension> {
  uint64_t cycle = 0;
  unsigned tile = 0;  // of a packet to remote memory: that has sent it

  tlm::tlm_extension_base* clone() const override { return new CycleExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    cycle = static_cast<const CycleExtension&>(other).cycle;
    tile = static_cast<const CycleExtension&>(other).tile;
  }
};

// A transaction with its extension, on the initiator's stack.
class CycleTransaction {
 public:
  CycleTransaction(tlm::tlm_command command, uint64_t address, void* data, unsigned bytes, uint64_t cycle,
                   unsigned tile = 0) {
    extension_.cycle = cycle;
    extension_.tile = tile;
    payload_.set_extension(&extension_);
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(static_cast<unsigned char*>(data));
    payload_.set_data_length(bytes);
    payload_.set_streaming_width(bytes);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  ~CycleTransaction() { payload_.clear_extension(&extension_); }
  CycleTransaction(const CycleTransaction&) = delete;
  CycleTransaction& operator=(const CycleTransaction&) = delete;

  tlm::tlm_generic_payload& payload() { return payload_; }
  uint64_t cycle() const { return extension_.cycle; }
  bool ok() const { return payload_.is_response_ok(); }

 private:
  CycleExtension extension_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace tessera::pcie
