#include "systemc/link/link_transaction.h"

namespace tessera::link {

LinkTransaction::LinkTransaction(const chip::LinkEvent& event) {
  extension_.event = event;
  auto& word = extension_.event.word;
  payload_.set_extension(&extension_);
  payload_.set_command(tlm::TLM_WRITE_COMMAND);
  payload_.set_address(event.channel);
  payload_.set_data_ptr(word ? reinterpret_cast<unsigned char*>(&word->data) : nullptr);
  payload_.set_data_length(word ? 4 : 0);
  payload_.set_streaming_width(word ? 4 : 0);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace tessera::link
