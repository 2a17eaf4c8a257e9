// The card's end of the PCIe link: a chip behind TLM-2.0 sockets (docs/reference/edge.md).
//   mmio        target: the host port's registers. One access is 4 bytes at a register's offset, or, at DEBUG_DATA, any
//   number of words
//               with streaming width 4, as that many accesses.
//   dma         initiator: the chip's packets as reads and writes of host memory.
//   remote      initiator, bound or not: its packets to remote memory, likewise, in byte addresses of 40 bits. The
//   cycle
//               of a transaction is that in which the packet is at the host port, and, of a read, afterwards that in
//               which the answer arrives there. Not bound: the chip has no gateway.
//   interrupt   initiator: the host sync, address 0, data = no bytes.
// The chip runs in an SC_THREAD of this module: start() lets it go, `stopped` is notified at the stop's time.
// A packet outside host or remote memory stops the chip (StopReason::kRefused): memory that answers
// TLM_ADDRESS_ERROR_RESPONSE to transport_dbg(). An error of the chip's code, or of a DMA, ends the run: stop() throws
// it.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <systemc>
#include <tlm>

#include "sim/port/chip.h"
#include "systemc/pcie/chip_time.h"

namespace tessera::pcie {

// Of a chip in a system of several: what the others have to do with what comes to it.
class Neighbours {
 public:
  virtual ~Neighbours() = default;
  // The chip is about to be accessed for so many cycles of its time: for how many of them it may be.
  virtual uint64_t before_access(uint64_t cycles) = 0;
  // The cycle of the chip that is furthest. A mark is for all of them, and in nobody's past.
  virtual uint64_t latest() const = 0;
  // For what the chip does with host memory while it runs: on the thread of the kernel.
  virtual void call(const std::function<void()>& act) = 0;
};

class PcieEndpoint : public sc_core::sc_module, private chip::HostBus {
 public:
  tlm_utils::simple_target_socket<PcieEndpoint, 32> mmio{"mmio"};
  tlm_utils::simple_initiator_socket<PcieEndpoint, 32> dma{"dma"};
  tlm_utils::simple_initiator_socket_optional<PcieEndpoint, 32> remote{"remote"};
  tlm_utils::simple_initiator_socket<PcieEndpoint, 32> interrupt{"interrupt"};
  sc_core::sc_event stopped{"stopped"};

  SC_HAS_PROCESS(PcieEndpoint);
  PcieEndpoint(sc_core::sc_module_name name, chip::Chip& chip, ChipClock& clock);  // attaches itself to the chip

  void stand_among(Neighbours& neighbours) { neighbours_ = &neighbours; }

  // Lets the chip run as Chip::run(limit, budget). Not while it runs.
  void start(uint64_t limit, uint64_t budget);
  // The same for a chip that somebody else runs: before it, and when it has stopped, or has ended by an error. rest()
  // is called from an SC_THREAD, and waits for the time of the stop.
  void let_go();
  void rest(const chip::Stop& stop);
  void give_up() { running_ = false; }
  // Of the last run, after `stopped`. Rethrows what ended it, if it ended by an error.
  chip::Stop stop() const;
  void reset();  // chip and registers as after power-up; not while it runs

 private:
  void run();  // SC_THREAD
  void serve(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  uint32_t read_register(uint32_t offset);
  // False: there is no such register, or it cannot be written (now).
  bool write_register(uint32_t offset, uint32_t value, uint64_t cycle);
  bool debug_data(tlm::tlm_generic_payload& transaction);
  bool reaches(uint64_t cycle, uint32_t host_address, size_t words, bool write) override;
  bool remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool write) override;
  void write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) override;
  void remote_write(uint64_t cycle, unsigned tile, uint64_t address, std::span<const uint32_t> words) override;
  uint64_t read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) override;
  uint64_t remote_read(uint64_t cycle, unsigned tile, uint64_t address, std::span<uint32_t> words) override;
  void act(const std::function<void()>& what) { neighbours_ != nullptr&& running_ ? neighbours_->call(what) : what(); }
  uint64_t may_take(uint64_t cycles) { return neighbours_ != nullptr ? neighbours_->before_access(cycles) : cycles; }
  struct Memory {  // host or remote
    const char* name;
    tlm::tlm_fw_transport_if<>& socket;
  };
  Memory of_host() { return {"host", *dma.operator->()}; }
  Memory of_gateway() { return {"remote", *remote.operator->()}; }
  bool reached(Memory memory, uint64_t cycle, uint64_t address, size_t count);
  uint64_t transfer(  // cycle of the answer
      Memory memory, tlm::tlm_command command, uint64_t cycle, uint64_t address, uint32_t* words, size_t count,
      unsigned tile = 0);
  unsigned exception_tile() const;

  chip::Chip& chip_;
  ChipClock& clock_;
  Neighbours* neighbours_ = nullptr;
  sc_core::sc_event go_;
  uint64_t limit_ = 0, budget_ = 0;
  bool running_ = false, host_sync_ = false, excepted_ = false;
  bool refused_ = false;  // a debug access, since STATUS was read
  chip::Stop stop_;
  std::exception_ptr error_;
  uint32_t mark_ = 0, debug_select_ = 0, debug_address_ = 0;
  uint32_t mailbox_[4] = {};
};

}  // namespace tessera::pcie
