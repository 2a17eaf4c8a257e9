// A gateway: the streaming memory of some chips, loosely timed, in chip cycles (docs/reference/systems.md, Gateways).
//   chips       target, one for each chip that reaches the memory, in the order of their numbers: byte address, whole
//               words, and the exact cycle in a CycleExtension. A read of n words that comes in H is answered, in the
//               extension, with max(H + latency, answer to the read before) + ceil(4 n / bytes_per_cycle); a write
//               takes effect in H. transport_dbg() answers TLM_ADDRESS_ERROR_RESPONSE to what lies outside the memory.
// A module of your own may stand in its place: for PcieEndpoint::remote it is whatever answers so. Its answers to the
// reads of one chip lie no earlier than their requests, in the same order.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl/spec/system.h"
#include "systemc/gateway/dram.h"
#include "systemc/pcie/chip_time.h"

namespace tessera::gateway {

class Gateway : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Gateway, 32>> chips{"chips"};

  // Throws std::runtime_error where there is no such memory to be had.
  Gateway(sc_core::sc_module_name name, const spec::Gateway& described, const pcie::ChipClock& clock);

  // The chips begin in cycle 0 again. The memory keeps what it holds.
  void restart() { answered_.assign(answered_.size(), 0); }
  const Dram& dram() const { return dram_; }

 private:
  void serve(int chip, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned look(int chip, tlm::tlm_generic_payload& transaction);
  void access(tlm::tlm_generic_payload& transaction);

  const uint64_t latency_, bytes_per_cycle_;
  const pcie::ChipClock& clock_;
  Dram dram_;
  std::vector<uint64_t> answered_;  // by chip: cycle of the answer to its last read
};

}  // namespace tessera::gateway
