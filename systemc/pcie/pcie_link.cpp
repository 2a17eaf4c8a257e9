#include "systemc/pcie/pcie_link.h"

#include "rtl/spec/machine.h"

namespace tessera::pcie {

LinkTiming link_timing(const spec::Machine& machine) {
  return {machine.pcie_latency, machine.pcie_words_per_cycle, machine.host_turnaround};
}

PcieLink::PcieLink(sc_core::sc_module_name name, const LinkTiming& timing, const ChipClock& clock)
    : sc_module(name),
      card_dma("card_dma"),
      host_dma("host_dma"),
      card_interrupt("card_interrupt"),
      host_interrupt("host_interrupt"),
      host_mmio("host_mmio"),
      card_mmio("card_mmio"),
      timing_(timing),
      clock_(clock) {
  card_dma.register_b_transport(this, &PcieLink::dma);
  card_dma.register_transport_dbg(this, &PcieLink::look);
  card_interrupt.register_b_transport(this, &PcieLink::interrupt);
  host_mmio.register_b_transport(this, &PcieLink::mmio);
}

// The extension holds the exact cycle; the delay follows it, so that rounding never adds up.
void PcieLink::advance(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay, uint64_t cycles) const {
  CycleExtension* extension = transaction.get_extension<CycleExtension>();
  if (extension == nullptr) {
    SC_REPORT_ERROR("/tessera/pcie/link", "transaction without a cycle");
    return;
  }
  extension->cycle += cycles;
  delay = clock_.delay_until(extension->cycle);
}

void PcieLink::dma(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  const uint64_t words = transaction.get_data_length() / 4;
  const uint64_t transfer = (words + timing_.words_per_cycle - 1) / timing_.words_per_cycle;
  if (transaction.is_read()) {
    advance(transaction, delay, timing_.latency);
    host_dma->b_transport(transaction, delay);
    advance(transaction, delay, timing_.host_turnaround + timing_.latency + transfer);
  } else {
    advance(transaction, delay, timing_.latency + transfer);
    host_dma->b_transport(transaction, delay);
  }
}

unsigned PcieLink::look(tlm::tlm_generic_payload& transaction) { return host_dma->transport_dbg(transaction); }

void PcieLink::interrupt(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  advance(transaction, delay, timing_.latency);
  host_interrupt->b_transport(transaction, delay);
}

void PcieLink::mmio(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  advance(transaction, delay, timing_.latency);
  card_mmio->b_transport(transaction, delay);
  if (transaction.is_read()) advance(transaction, delay, timing_.latency);
}

}  // namespace tessera::pcie
