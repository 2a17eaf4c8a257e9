// The memory of the host that the card may reach: a TLM-2.0 target over bytes owned by someone else (the window shared
// with the client). Address 0 is the first byte of the window. Data is little-endian. Answers in no time: latency
// belongs to the link.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <span>
#include <systemc>
#include <tlm>

namespace tessera::pcie {

class HostMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<HostMemory, 32> port;  // reads and writes of whole words, any length

  explicit HostMemory(sc_core::sc_module_name name);

  // Replaces the window; empty: no host memory, every access is an address error. Takes back granted DMI.
  void map(std::span<std::byte> window);
  size_t bytes() const { return window_.size(); }

 private:
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& transaction);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& transaction, tlm::tlm_dmi& dmi);
  void access(tlm::tlm_generic_payload& transaction);

  std::span<std::byte> window_;
};

}  // namespace tessera::pcie
