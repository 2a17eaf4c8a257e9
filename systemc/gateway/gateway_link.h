// A link between two gateways: accesses of one's chips to the memory of the other pass it, and what they read comes
// back (docs/reference/systems.md, Gateways). Each end is a pair of sockets for a Gateway, or a module of your own,
// which may also stand in place of the link. A transaction on it has
//   address             in the memory that it is for
//   CycleExtension      the cycle in which the request is there; of a read afterwards that in which the first byte of
//                       the answer is
//   WayExtension        the links that it still has to pass behind this one; none: the gateway there has the memory
// and transport_dbg() goes the same way, without effect.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <span>
#include <systemc>
#include <tlm>

#include "rtl/spec/remote_windows.h"

namespace tessera::gateway {

struct WayExtension : tlm::tlm_extension<WayExtension> {
  std::span<const spec::RemoteWindow::Hop> rest;  // not owned

  tlm::tlm_extension_base* clone() const override { return new WayExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { rest = static_cast<const WayExtension&>(other).rest; }
};

class GatewayLink : public sc_core::sc_module {
 public:
  struct End {
    End(const char* in_name, const char* out_name) : in(in_name), out(out_name) {}
    tlm_utils::simple_target_socket_tagged<GatewayLink, 32> in;  // from the gateway
    tlm_utils::simple_initiator_socket<GatewayLink, 32> out;     // to it
  };
  End ends[2] = {{"in0", "out0"}, {"in1", "out1"}};

  // Cycles each way.
  GatewayLink(sc_core::sc_module_name name, uint64_t latency);

 private:
  void carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);
  unsigned look(int end, tlm::tlm_generic_payload& transaction);

  const uint64_t latency_;
};

}  // namespace tessera::gateway
