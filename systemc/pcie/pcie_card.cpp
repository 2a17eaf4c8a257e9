#include "systemc/pcie/pcie_card.h"

#include <cstring>
#include <utility>

#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"

namespace tessera::pcie {

PcieCard::PcieCard(sc_core::sc_module_name name, chip::Chip& chip)
    : sc_module(name),
      chip_(chip),
      clock_(chip.machine().clock_hz),
      link_("link", link_timing(chip.machine()), clock_),
      endpoint_("endpoint", chip, clock_),
      to_link_("to_link"),
      go_("go") {
  mmio.register_b_transport(this, &PcieCard::serve);
  to_link_.bind(link_.host_mmio);
  link_.card_mmio.bind(endpoint_.mmio);
  endpoint_.dma.bind(link_.card_dma);
  endpoint_.remote.bind(remote);
  endpoint_.interrupt.bind(link_.card_interrupt);
  link_.host_dma.bind(dma);
  link_.host_interrupt.bind(interrupt);
  SC_THREAD(run);
}

void PcieCard::serve(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  CycleExtension own;
  const bool plain = transaction.get_extension<CycleExtension>() == nullptr;
  if (plain) {
    own.cycle = clock_.cycle_at(sc_core::sc_time_stamp() + delay);
    transaction.set_extension(&own);
  }
  to_link_->b_transport(transaction, delay);
  if (plain) transaction.clear_extension(&own);
  if (transaction.is_response_ok() && transaction.is_write()) watch(transaction, delay);
}

// Starts of tiles and marks.
void PcieCard::watch(const tlm::tlm_generic_payload& transaction, const sc_core::sc_time& delay) {
  uint32_t value;
  std::memcpy(&value, transaction.get_data_ptr(), sizeof value);
  const uint64_t offset = transaction.get_address();
  if (offset == spec::kRegDebugSelect) debug_space_ = spec::DebugSelect::decode(value).space;
  const bool starts = offset == spec::kRegDebugData && debug_space_ == chip::DebugSpace::kControl;
  starts_ |= starts;
  if (offset == spec::kRegMark || starts) go_.notify(delay);
}

void PcieCard::run() {
  for (;;) {
    wait(go_);
    wait(sc_core::SC_ZERO_TIME);  // for what the host does in the moment in which it arrives
    if (std::exchange(starts_, false)) clock_.resume_at(chip_.cycle());
    endpoint_.start(~uint64_t{0}, budget);
    wait(endpoint_.stopped);
    try {
      if (endpoint_.stop().reason == chip::StopReason::kHostSync) continue;
    } catch (const std::exception&) {
      // stop() throws it to whoever asks.
    }
    stopped.notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace tessera::pcie
