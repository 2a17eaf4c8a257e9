// A link between two chips: what comes in at one end in a cycle goes out at the other `latency` cycles later. Each end
// is a pair of sockets that a ChipPort is bound to, or a module of your own: whatever stands on a link in place of
// this, or between, calls `out` with cycles that lie at least the described latency of the link behind those with which
// it was called, in their order on each channel (docs/reference/link.md, Modules on a link).
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "sim/link/link_watch.h"

namespace tessera::link {

class Link : public sc_core::sc_module {
 public:
  struct End {
    End(const char* in_name, const char* out_name) : in(in_name), out(out_name) {}
    tlm_utils::simple_target_socket_tagged<Link, 32> in;  // from the chip
    tlm_utils::simple_initiator_socket<Link, 32> out;     // to it
  };
  End ends[2] = {{"in0", "out0"}, {"in1", "out1"}};

  Link(sc_core::sc_module_name name, uint64_t latency);

  uint64_t latency() const { return latency_; }
  // Not owned. `number`: of the link, for the watch.
  void watch(LinkWatch& watch, uint32_t number);

 protected:
  // For the watch, if there is one: a word at the end that it leaves, and at the other.
  void tell_left(int end, const chip::LinkEvent& event);
  void tell_arrived(int from, const chip::LinkEvent& event);
  void tell_sent_again(int end, unsigned channel, uint64_t cycle);

 private:
  virtual void carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);

  const uint64_t latency_;
  LinkWatch* watch_ = nullptr;
  uint32_t number_ = 0;
};

}  // namespace tessera::link
