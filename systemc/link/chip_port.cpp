#include "systemc/link/chip_port.h"

#include <stdexcept>
#include <string>

#include "systemc/link/link_transaction.h"

namespace tessera::link {

void Inbox::give(chip::Chip& chip, uint64_t end) {
  for (; !events_.empty() && first() < end; events_.erase(events_.begin())) chip.link_in(events_.begin()->second);
}

ChipPort::ChipPort(sc_core::sc_module_name name, Inbox& inbox, unsigned first_channel, unsigned channels)
    : sc_module(name), inbox_(inbox), first_channel_(first_channel), channels_(channels) {
  in.register_b_transport(this, &ChipPort::take);
}

void ChipPort::send(chip::LinkEvent event) {
  const uint64_t cycle = event.cycle;
  event.channel -= first_channel_;
  LinkTransaction transaction(event);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  out->b_transport(transaction.payload(), delay);
  if (!transaction.ok())
    throw std::runtime_error("the link at " + std::string(name()) + " does not take what is on channel " +
                             std::to_string(event.channel) + " in cycle " + std::to_string(cycle) + ": " +
                             transaction.payload().get_response_string());
}

void ChipPort::take(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
  const auto* extension = transaction.get_extension<LinkExtension>();
  if (extension == nullptr || !transaction.is_write()) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  // Too early for the look-ahead with which the chips are run, or of no channel.
  if (extension->event.cycle < passed_ || extension->event.channel >= channels_) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  chip::LinkEvent event = extension->event;
  event.channel += first_channel_;
  inbox_.put(event);
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace tessera::link
