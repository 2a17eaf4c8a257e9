// What is on a channel of a link in a cycle, as a TLM-2.0 transaction: a write, address: the channel within the link;
// data: the 4 bytes of a word, none for a credit. The rest, and the exact cycle, is in a LinkExtension.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "sim/port/link_port.h"

namespace tessera::link {

// event.channel is that of the link. event.cycle: in which it is on the channel at the initiator's side; a link says at
// its other side in which it is there.
struct LinkExtension : tlm::tlm_extension<LinkExtension> {
  chip::LinkEvent event;

  tlm::tlm_extension_base* clone() const override { return new LinkExtension(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    event = static_cast<const LinkExtension&>(other).event;
  }
};

// On the initiator's stack.
class LinkTransaction {
 public:
  explicit LinkTransaction(const chip::LinkEvent& event);
  ~LinkTransaction() { payload_.clear_extension(&extension_); }
  LinkTransaction(const LinkTransaction&) = delete;
  LinkTransaction& operator=(const LinkTransaction&) = delete;

  tlm::tlm_generic_payload& payload() { return payload_; }
  bool ok() const { return payload_.is_response_ok(); }

 private:
  LinkExtension extension_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace tessera::link
