#include "systemc/gateway/gateway.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "formats/file_bytes.h"

namespace tessera::gateway {
namespace {

template <class Access>
void named(const Access& access) {
  try {
    access();
  } catch (const std::system_error& error) {
    throw std::runtime_error(std::string("streaming memory ") + error.what());
  }
}

}  // namespace

StreamingMemory::StreamingMemory(uint64_t bytes)
    : bytes_(bytes), descriptor_(::memfd_create("tessera-streaming-memory", MFD_CLOEXEC)) {
  if (descriptor_ < 0 || ::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    throw std::runtime_error("streaming memory of " + std::to_string(bytes) +
                             " bytes cannot be made: " + std::strerror(errno));
}

StreamingMemory::~StreamingMemory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void StreamingMemory::read(uint64_t address, std::span<std::byte> bytes) const {
  named([&] { formats::read_at(descriptor_, address, bytes); });
}

void StreamingMemory::write(uint64_t address, std::span<const std::byte> bytes) {
  named([&] { formats::write_at(descriptor_, address, bytes); });
}

Gateway::Gateway(sc_core::sc_module_name name, std::span<const spec::Gateway> gateways,
                 std::span<const spec::GatewayLink> links, uint32_t number, const pcie::ChipClock& clock)
    : sc_module(name),
      number_(number),
      described_(gateways[number]),
      windows_(spec::remote_windows(gateways, links, number)),
      clock_(clock),
      memory_(described_.dram_bytes),
      answered_(described_.chips.size()) {
  chips.init(described_.chips.size());
  for (size_t c = 0; c < chips.size(); ++c) {
    chips[c].register_b_transport(this, &Gateway::serve, static_cast<int>(c));
    chips[c].register_transport_dbg(this, &Gateway::look, static_cast<int>(c));
  }
  for (uint32_t l = 0; l < links.size(); ++l)
    if (std::ranges::count(links[l].ends, number) > 0) links_.push_back(l);
  link_in.init(links_.size());
  link_out.init(links_.size());
  for (size_t l = 0; l < links_.size(); ++l) {
    link_in[l].register_b_transport(this, &Gateway::pass, static_cast<int>(l));
    link_in[l].register_transport_dbg(this, &Gateway::pass_look, static_cast<int>(l));
  }
}

Gateway::Gateway(sc_core::sc_module_name name, const spec::System& system, uint32_t number,
                 const pcie::ChipClock& clock)
    : Gateway(name, system.gateways, system.gateway_links, number, clock) {}

Gateway::Gateway(sc_core::sc_module_name name, const spec::Gateway& described, const pcie::ChipClock& clock)
    : Gateway(name, std::span(&described, 1), {}, 0, clock) {}

size_t Gateway::place_of(uint32_t link) const {
  const auto found = std::ranges::find(links_, link);
  if (found == links_.end())
    throw std::logic_error("gateway link " + std::to_string(link) + " is none of gateway " + described_.name);
  return static_cast<size_t>(found - links_.begin());
}

void Gateway::access(tlm::tlm_generic_payload& transaction) {
  const uint64_t address = transaction.get_address(), bytes = transaction.get_data_length();
  auto* const data = reinterpret_cast<std::byte*>(transaction.get_data_ptr());
  if (transaction.get_byte_enable_ptr() != nullptr) {
    transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (transaction.get_streaming_width() < bytes || bytes % 4 != 0) {
    transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (address % 4 != 0 || !memory_.reaches(address, bytes)) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else if (transaction.is_read()) {
    memory_.read(address, {data, bytes});
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  } else if (transaction.is_write()) {
    memory_.write(address, {data, bytes});
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  } else {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  }
}

template <class Transport>
void Gateway::forward(std::span<const spec::RemoteWindow::Hop> way, tlm::tlm_generic_payload& transaction,
                      const Transport& transport) {
  WayExtension extension;
  extension.rest = way.subspan(1);
  tlm::tlm_extension_base* const before = transaction.set_extension<WayExtension>(&extension);
  transport(link_out[place_of(way.front().link)]);
  transaction.set_extension<WayExtension>(static_cast<WayExtension*>(before));
}

void Gateway::serve(int chip, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  auto* extension = transaction.get_extension<pcie::CycleExtension>();
  if (extension == nullptr) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  const uint64_t address = transaction.get_address(), bytes = transaction.get_data_length();
  const spec::RemoteWindow* const window = spec::window_of(windows_, address, bytes);
  if (window == nullptr) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const uint64_t cycle = extension->cycle;
  transaction.set_address(address - window->first);
  if (window->way.empty()) {
    access(transaction);
    extension->cycle += described_.latency;
  } else {
    forward(window->way, transaction, [&](auto& out) { out->b_transport(transaction, delay); });
  }
  transaction.set_address(address);
  const uint64_t first = std::exchange(extension->cycle, cycle);
  if (!transaction.is_response_ok()) return;
  const bool read = transaction.is_read();
  if (read) {
    uint64_t& answered = answered_[static_cast<size_t>(chip)];
    answered = std::max(first, answered) + (bytes + window->bytes_per_cycle - 1) / window->bytes_per_cycle;
    extension->cycle = answered;
    delay = clock_.delay_until(answered);
  }
  if (watch_ == nullptr) return;
  watch_->accessed({.gateway = number_,
                    .chip = described_.chips[static_cast<size_t>(chip)],
                    .tile = extension->tile,
                    .write = !read,
                    .address = address,
                    .words = static_cast<unsigned>(bytes / 4),
                    .cycle = cycle,
                    .answered = read ? extension->cycle : 0});
}

unsigned Gateway::look(int, tlm::tlm_generic_payload& transaction) {
  const uint64_t address = transaction.get_address();
  const spec::RemoteWindow* const window = spec::window_of(windows_, address, transaction.get_data_length());
  if (window == nullptr) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return 0;
  }
  transaction.set_address(address - window->first);
  unsigned seen = 0;
  if (window->way.empty()) {
    access(transaction);
    seen = transaction.is_response_ok() ? transaction.get_data_length() : 0;
  } else {
    forward(window->way, transaction, [&](auto& out) { seen = out->transport_dbg(transaction); });
  }
  transaction.set_address(address);
  return seen;
}

void Gateway::pass(int, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  auto* const extension = transaction.get_extension<pcie::CycleExtension>();
  const auto* const way = transaction.get_extension<WayExtension>();
  if (extension == nullptr || way == nullptr) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  } else if (!way->rest.empty()) {
    forward(way->rest, transaction, [&](auto& out) { out->b_transport(transaction, delay); });
  } else {
    access(transaction);
    if (transaction.is_read()) extension->cycle += described_.latency;
  }
}

unsigned Gateway::pass_look(int, tlm::tlm_generic_payload& transaction) {
  const auto* const way = transaction.get_extension<WayExtension>();
  unsigned seen = 0;
  if (way == nullptr) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  } else if (!way->rest.empty()) {
    forward(way->rest, transaction, [&](auto& out) { seen = out->transport_dbg(transaction); });
  } else {
    access(transaction);
    if (transaction.is_response_ok()) seen = transaction.get_data_length();
  }
  return seen;
}

}  // namespace tessera::gateway
