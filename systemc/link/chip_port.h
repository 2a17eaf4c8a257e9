// A chip's end of a link, as a SystemC module: what leaves the chip there is called out, what comes is kept for it by
// cycle.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <systemc>
#include <tlm>
#include <utility>

#include "sim/port/chip.h"

namespace tessera::link {

// What comes to a chip, all its ports together, by cycle and, of one cycle, in the order in which it was told.
class Inbox {
 public:
  void put(const chip::LinkEvent& event) { events_.emplace(std::pair(event.cycle, number_++), event); }
  // To the chip, what lies before `end`.
  void give(chip::Chip& chip, uint64_t end);
  bool empty() const { return events_.empty(); }
  uint64_t first() const { return events_.begin()->first.first; }  // cycle; not of an empty one
  void clear() { events_.clear(); }

 private:
  std::map<std::pair<uint64_t, uint64_t>, chip::LinkEvent> events_;
  uint64_t number_ = 0;
};

class ChipPort : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<ChipPort, 32> out{"out"};
  tlm_utils::simple_target_socket<ChipPort, 32> in{"in"};

  // first_channel: of the chip, where this port's begin; channels: how many.
  ChipPort(sc_core::sc_module_name name, Inbox& inbox, unsigned first_channel, unsigned channels);

  // Something of the chip; its channel is the chip's. Throws std::runtime_error where the link does not take it.
  void send(chip::LinkEvent event);
  // What comes must not lie before this cycle: the chip has passed it.
  void passed(uint64_t cycle) { passed_ = cycle; }

 private:
  void take(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);

  Inbox& inbox_;
  const unsigned first_channel_, channels_;
  uint64_t passed_ = 0;
};

}  // namespace tessera::link
