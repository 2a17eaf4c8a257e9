// A card with its PCIe plug, for a SystemC host of your own: a chip behind endpoint and link (docs/reference/edge.md),
// which runs by itself whenever it can. Its plug is plain TLM-2.0, blocking, loosely timed, little-endian:
//   mmio        target: the host port's registers. 4 bytes at a register's offset, or at DEBUG_DATA any number of words
//               with streaming width 4.
//   dma         initiator: the chip's reads and writes of host memory, whole words.
//   remote      initiator, bound or not: its reads and writes of remote memory, as PcieEndpoint::remote; for a gateway
//   of
//               your own (systemc/gateway/gateway.h). It gives exact cycles in a CycleExtension, and wants them back.
//   interrupt   initiator: the host sync, a write of no bytes at address 0.
// Delays are annotated, as TLM has it; a transaction of the host happens at its time stamp plus the delay it is given
// with, or at the exact cycle of its CycleExtension, if it has one.
//
// Start of tiles and marks let the chip run, from when they arrive; until then the clock of a halted chip stands. Tiles
// that are started one by one must arrive together: a chip that runs refuses debug accesses. It comes to rest at a host
// sync, or `stopped` is notified: stop() then says why. A DMA that the host refuses ends the simulation's run with the
// error that stop() throws.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "sim/port/chip.h"
#include "systemc/pcie/chip_time.h"
#include "systemc/pcie/pcie_endpoint.h"
#include "systemc/pcie/pcie_link.h"

namespace tessera::pcie {

class PcieCard : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<PcieCard, 32> mmio{"mmio"};
  tlm::tlm_initiator_socket<32> dma{"dma"};
  tlm::tlm_initiator_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> remote{"remote"};
  tlm::tlm_initiator_socket<32> interrupt{"interrupt"};
  sc_core::sc_event stopped{"stopped"};  // at rest for another reason than a host sync

  SC_HAS_PROCESS(PcieCard);
  PcieCard(sc_core::sc_module_name name, chip::Chip& chip);

  // Of one compute phase of a tile, in cycles; 0: none. Else an endless loop is never left.
  uint64_t budget = 0;

  chip::Stop stop() const { return endpoint_.stop(); }
  uint64_t cycle() const { return chip_.cycle(); }

 private:
  void serve(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  void watch(const tlm::tlm_generic_payload& transaction, const sc_core::sc_time& delay);
  void run();  // SC_THREAD

  chip::Chip& chip_;
  ChipClock clock_;
  PcieLink link_;
  PcieEndpoint endpoint_;
  tlm_utils::simple_initiator_socket<PcieCard, 32> to_link_;
  uint32_t debug_space_ = 0;
  bool starts_ = false;  // what lets it go is a start
  sc_core::sc_event go_;
};

}  // namespace tessera::pcie
