// The PCIe link between the host and one card, loosely timed, in chip cycles (docs/reference/edge.md).
//   dma         card to host memory. A write of n words arrives latency + transfer(n) cycles later; a read's response
//   is back
//               2 * latency + turnaround + transfer(n) later; transfer(n) = n / words per cycle, rounded up.
//   interrupt   card to host: arrives latency later.
//   mmio        host to card: arrives latency later (reads: the answer is back 2 * latency later).
// The link annotates delays and never waits. Transactions carry a CycleExtension.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "systemc/pcie/chip_time.h"

namespace tessera::spec {
struct Machine;
}

namespace tessera::pcie {

struct LinkTiming {
  uint64_t latency;          // cycles, one way
  uint64_t words_per_cycle;  // 32-bit words, > 0
  uint64_t host_turnaround;  // cycles that the host takes to answer
};

LinkTiming link_timing(const spec::Machine&);

class PcieLink : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<PcieLink, 32> card_dma;
  tlm_utils::simple_initiator_socket<PcieLink, 32> host_dma;
  tlm_utils::simple_target_socket<PcieLink, 32> card_interrupt;
  tlm_utils::simple_initiator_socket<PcieLink, 32> host_interrupt;
  tlm_utils::simple_target_socket<PcieLink, 32> host_mmio;
  tlm_utils::simple_initiator_socket<PcieLink, 32> card_mmio;

  PcieLink(sc_core::sc_module_name name, const LinkTiming& timing, const ChipClock& clock);

  const LinkTiming& timing() const { return timing_; }

 private:
  void dma(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned look(tlm::tlm_generic_payload& transaction);
  void interrupt(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  void mmio(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  void advance(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay, uint64_t cycles) const;

  LinkTiming timing_;
  const ChipClock& clock_;
};

}  // namespace tessera::pcie
