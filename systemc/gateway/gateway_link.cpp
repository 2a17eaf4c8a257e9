#include "systemc/gateway/gateway_link.h"

#include "systemc/pcie/chip_time.h"

namespace tessera::gateway {

GatewayLink::GatewayLink(sc_core::sc_module_name name, uint64_t latency) : sc_module(name), latency_(latency) {
  for (int end = 0; end < 2; ++end) {
    ends[end].in.register_b_transport(this, &GatewayLink::carry, end);
    ends[end].in.register_transport_dbg(this, &GatewayLink::look, end);
  }
}

void GatewayLink::carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  auto* const extension = transaction.get_extension<pcie::CycleExtension>();
  if (extension == nullptr) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  extension->cycle += latency_;
  ends[1 - end].out->b_transport(transaction, delay);
  if (transaction.is_read()) extension->cycle += latency_;
}

unsigned GatewayLink::look(int end, tlm::tlm_generic_payload& transaction) {
  return ends[1 - end].out->transport_dbg(transaction);
}

}  // namespace tessera::gateway
