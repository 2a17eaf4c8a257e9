#include "systemc/link/link.h"

#include "systemc/link/link_transaction.h"

namespace tessera::link {

Link::Link(sc_core::sc_module_name name, uint64_t latency) : sc_module(name), latency_(latency) {
  for (int end = 0; end < 2; ++end) ends[end].in.register_b_transport(this, &Link::carry, end);
}

void Link::watch(LinkWatch& watch, uint32_t number) {
  watch_ = &watch;
  number_ = number;
}

void Link::tell_left(int end, const chip::LinkEvent& event) {
  if (watch_ != nullptr && event.word)
    watch_->left({number_, static_cast<unsigned>(end), event.channel}, event.cycle, *event.word);
}

void Link::tell_arrived(int from, const chip::LinkEvent& event) {
  if (watch_ != nullptr && event.word)
    watch_->arrived({number_, static_cast<unsigned>(from), event.channel}, event.cycle, *event.word);
}

void Link::tell_sent_again(int end, unsigned channel, uint64_t cycle) {
  if (watch_ != nullptr) watch_->sent_again({number_, static_cast<unsigned>(end), channel}, cycle);
}

void Link::carry(int end, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  auto* extension = transaction.get_extension<LinkExtension>();
  if (extension == nullptr || !transaction.is_write()) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  tell_left(end, extension->event);
  extension->event.cycle += latency_;
  tell_arrived(end, extension->event);
  ends[1 - end].out->b_transport(transaction, delay);
}

}  // namespace tessera::link
