#include "systemc/machine/card.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "systemc/pcie/chip_time.h"

namespace tessera::machine {

HostPort::HostPort(sc_core::sc_module_name name, const pcie::LinkTiming& timing, const pcie::ChipClock& clock,
                   HostTime& time)
    : sc_module(name), mmio("mmio"), interrupt("interrupt"), timing_(timing), clock_(clock), time_(&time) {
  interrupt.register_b_transport(this, &HostPort::notified);
}

void HostPort::notified(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
  const auto* extension = transaction.get_extension<pcie::CycleExtension>();
  if (extension == nullptr || !transaction.is_write()) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  time_->cycle = std::max(time_->cycle, extension->cycle + timing_.host_turnaround);
  transaction.set_response_status(tlm::TLM_OK_RESPONSE);
}

void HostPort::access(tlm::tlm_command command, uint32_t offset, uint32_t* words, size_t count) {
  if (count == 0) return;
  pcie::CycleTransaction transaction(command, offset, words, static_cast<unsigned>(4 * count), time_->cycle);
  transaction.payload().set_streaming_width(4);
  sc_core::sc_time delay = clock_.delay_until(time_->cycle);
  mmio->b_transport(transaction.payload(), delay);
  if (!transaction.ok()) {
    char text[120];
    std::snprintf(text, sizeof text, "the card refuses to %s register 0x%03x%s (%s)",
                  command == tlm::TLM_READ_COMMAND ? "read" : "write", offset,
                  offset == spec::kRegDebugData ? ", DEBUG_DATA" : "",
                  transaction.payload().get_response_string().c_str());
    throw std::runtime_error(text);
  }
}

void HostPort::write(uint32_t offset, std::span<const uint32_t> words) {
  access(tlm::TLM_WRITE_COMMAND, offset, const_cast<uint32_t*>(words.data()), words.size());
}

void HostPort::read(uint32_t offset, std::span<uint32_t> words) {
  access(tlm::TLM_READ_COMMAND, offset, words.data(), words.size());
}

Card::Card(sc_core::sc_module_name name, chip::Chip& chip, HostTime& time)
    : sc_module(name),
      clock(chip.machine().clock_hz),
      memory("memory"),
      link("link", pcie::link_timing(chip.machine()), clock),
      endpoint("endpoint", chip, clock),
      host("host", pcie::link_timing(chip.machine()), clock, time) {
  endpoint.dma.bind(link.card_dma);
  link.host_dma.bind(memory.port);
  endpoint.interrupt.bind(link.card_interrupt);
  link.host_interrupt.bind(host.interrupt);
  host.mmio.bind(link.host_mmio);
  link.card_mmio.bind(endpoint.mmio);
}

}  // namespace tessera::machine
