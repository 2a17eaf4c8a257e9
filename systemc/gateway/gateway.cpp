#include "systemc/gateway/gateway.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

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

Gateway::Gateway(sc_core::sc_module_name name, const spec::Gateway& described, const pcie::ChipClock& clock)
    : sc_module(name),
      latency_(described.latency),
      bytes_per_cycle_(described.bytes_per_cycle),
      clock_(clock),
      memory_(described.dram_bytes),
      answered_(described.chips.size()) {
  chips.init(described.chips.size());
  for (size_t c = 0; c < chips.size(); ++c) {
    chips[c].register_b_transport(this, &Gateway::serve, static_cast<int>(c));
    chips[c].register_transport_dbg(this, &Gateway::look, static_cast<int>(c));
  }
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

void Gateway::serve(int chip, tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay) {
  auto* extension = transaction.get_extension<pcie::CycleExtension>();
  if (extension == nullptr) {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  access(transaction);
  if (!transaction.is_response_ok() || !transaction.is_read()) return;
  const uint64_t bytes = transaction.get_data_length();
  uint64_t& answered = answered_[static_cast<size_t>(chip)];
  answered = std::max(extension->cycle + latency_, answered) + (bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  extension->cycle = answered;
  delay = clock_.delay_until(answered);
}

unsigned Gateway::look(int, tlm::tlm_generic_payload& transaction) {
  access(transaction);
  return transaction.is_response_ok() ? transaction.get_data_length() : 0;
}

}  // namespace tessera::gateway
