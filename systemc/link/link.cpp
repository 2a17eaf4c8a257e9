#include "systemc/link/link.h"

#include "systemc/link/link_transaction.h"

namespace tessera::link {

Link::Link(sc_core::sc_module_name name, uint64_t latency) : sc_module(name), latency_(latency) {
  for (int end = 0; end < 2; ++end) ends[end].in.register_b_transport(this, &Link::carry, end);
}

void Link::carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  auto* extension = transaction.get_extension<LinkExtension>();
  if (extension == nullptr || !transaction.is_write()) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  extension->event.cycle += latency_;
  ends[1 - end].out->b_transport(transaction, delay);
}

}  // namespace tessera::link
