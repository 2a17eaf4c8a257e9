// A gateway: the streaming memory of some chips, loosely timed, in chip cycles (docs/reference/systems.md, Gateways).
//   chips       target, one for each chip that reaches the memory, in the order of their numbers: byte address, whole
//               words, and the exact cycle in a CycleExtension. A read of n words that comes in H is answered, in the
//               extension, with max(H + latency, answer to the read before) + ceil(4 n / bytes_per_cycle); a write
//               takes effect in H. transport_dbg() answers TLM_ADDRESS_ERROR_RESPONSE to what lies outside the memory.
//               What lies in the window of another gateway goes there, through links.
//   link_in, link_out   target and initiator, one for each link of the gateway, in the order of the system's: an end of
//               a GatewayLink (gateway_link.h).
// A module of your own may stand in its place: for PcieEndpoint::remote it is whatever answers so. Its answers to the
// reads of one chip lie no earlier than their requests, in the same order.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <systemc>
#include <tlm>
#include <vector>

#include "rtl/spec/remote_windows.h"
#include "rtl/spec/system.h"
#include "sim/link/gateway_watch.h"
#include "systemc/gateway/gateway_link.h"
#include "systemc/pcie/chip_time.h"

namespace tessera::gateway {

// A file in memory, of which only what has been written takes any; all else is 0. Reading takes none, as reading a
// mapping of it would. Its descriptor can be given to another process, which then has the same bytes.
class StreamingMemory {
 public:
  explicit StreamingMemory(uint64_t bytes);  // throws std::runtime_error, as the others
  ~StreamingMemory();
  StreamingMemory(const StreamingMemory&) = delete;
  StreamingMemory& operator=(const StreamingMemory&) = delete;

  uint64_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; }
  bool reaches(uint64_t address, uint64_t bytes) const { return bytes <= bytes_ && address <= bytes_ - bytes; }
  void read(uint64_t address, std::span<std::byte> bytes) const;  // where it reaches
  void write(uint64_t address, std::span<const std::byte> bytes);

 private:
  const uint64_t bytes_;
  const int descriptor_;
};

class Gateway : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Gateway, 32>> chips{"chips"};

  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Gateway, 32>> link_in{"link_in"};
  sc_core::sc_vector<tlm_utils::simple_initiator_socket<Gateway, 32>> link_out{"link_out"};

  // One of a system; or one alone. Throw std::runtime_error where there is no such memory to be had.
  Gateway(sc_core::sc_module_name name, const spec::System& system, uint32_t number, const pcie::ChipClock& clock);
  Gateway(sc_core::sc_module_name name, const spec::Gateway& described, const pcie::ChipClock& clock);

  // Of link_in and link_out: that of a link of the system.
  size_t place_of(uint32_t link) const;
  // Not owned.
  void watch(link::GatewayWatch& watch) { watch_ = &watch; }

  // The chips begin in cycle 0 again. The memory keeps what it holds.
  void restart() { answered_.assign(answered_.size(), 0); }
  const StreamingMemory& memory() const { return memory_; }

 private:
  Gateway(sc_core::sc_module_name name, std::span<const spec::Gateway> gateways,
          std::span<const spec::GatewayLink> links, uint32_t number, const pcie::ChipClock& clock);

  void serve(int chip, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned look(int chip, tlm::tlm_generic_payload& transaction);
  void pass(int link, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned pass_look(int link, tlm::tlm_generic_payload& transaction);
  // By the next link, the rest of the way with it.
  template <class Transport>
  void forward(std::span<const spec::RemoteWindow::Hop> way, tlm::tlm_generic_payload& transaction,
               const Transport& transport);
  void access(tlm::tlm_generic_payload& transaction);

  const uint32_t number_;
  const spec::Gateway described_;
  std::vector<uint32_t> links_;  // of the system that are the gateway's
  std::vector<spec::RemoteWindow> windows_;
  link::GatewayWatch* watch_ = nullptr;
  const pcie::ChipClock& clock_;
  StreamingMemory memory_;
  std::vector<uint64_t> answered_;  // by chip: cycle of the answer to its last read
};

}  // namespace tessera::gateway
