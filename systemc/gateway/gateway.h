// A gateway: the streaming memory of some chips, loosely timed, in chip cycles (docs/reference/systems.md, Gateways).
//   chips       target, one for each chip that reaches the memory, in the order of their numbers: byte address, whole
//               words, and the exact cycle in a CycleExtension. A read of n words that comes in H is answered, in the
//               extension, with max(H + latency, answer to the read before) + ceil(4 n / bytes_per_cycle); a write
//               takes effect in H. transport_dbg() answers TLM_ADDRESS_ERROR_RESPONSE to what lies outside the memory.
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

#include "rtl/spec/system.h"
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

  // Throws std::runtime_error where there is no such memory to be had.
  Gateway(sc_core::sc_module_name name, const spec::Gateway& described, const pcie::ChipClock& clock);

  // The chips begin in cycle 0 again. The memory keeps what it holds.
  void restart() { answered_.assign(answered_.size(), 0); }
  const StreamingMemory& memory() const { return memory_; }

 private:
  void serve(int chip, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned look(int chip, tlm::tlm_generic_payload& transaction);
  void access(tlm::tlm_generic_payload& transaction);

  const uint64_t latency_, bytes_per_cycle_;
  const pcie::ChipClock& clock_;
  StreamingMemory memory_;
  std::vector<uint64_t> answered_;  // by chip: cycle of the answer to its last read
};

}  // namespace tessera::gateway
