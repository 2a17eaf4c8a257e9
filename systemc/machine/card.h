// A card in a host: chip, PCIe endpoint, link and host memory, wired, and the host's own end of the link.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <span>
#include <systemc>
#include <tlm>

#include "sim/port/chip.h"
#include "systemc/pcie/host_memory.h"
#include "systemc/pcie/pcie_endpoint.h"
#include "systemc/pcie/pcie_link.h"

namespace tessera::machine {

// Of the host, in chip cycles: that of the notices that have come to it. Chips that it deals with as one have one.
struct HostTime {
  uint64_t cycle = 0;
};

// The host's end: register accesses out, host syncs in. Calls are made from SystemC threads.
// The host's time, in chip cycles, follows the notices: it answers a host sync turnaround cycles after the notice has
// arrived.
class HostPort : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<HostPort, 32> mmio;
  tlm_utils::simple_target_socket<HostPort, 32> interrupt;

  HostPort(sc_core::sc_module_name name, const pcie::LinkTiming& timing, const pcie::ChipClock& clock, HostTime& time);

  // One register, or at DEBUG_DATA any number of accesses. Throw std::runtime_error naming the register where the card
  // refuses.
  void write(uint32_t offset, std::span<const uint32_t> words);
  void read(uint32_t offset, std::span<uint32_t> words);
  void follow(HostTime& time) { time_ = &time; }

 private:
  void access(tlm::tlm_command command, uint32_t offset, uint32_t* words, size_t count);
  void notified(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);

  pcie::LinkTiming timing_;
  const pcie::ChipClock& clock_;
  HostTime* time_;
};

class Card : public sc_core::sc_module {
 public:
  Card(sc_core::sc_module_name name, chip::Chip& chip, HostTime& time);

  pcie::ChipClock clock;
  pcie::HostMemory memory;
  pcie::PcieLink link;
  pcie::PcieEndpoint endpoint;
  HostPort host;
};

}  // namespace tessera::machine
