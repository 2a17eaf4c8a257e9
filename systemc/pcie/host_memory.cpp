#include "systemc/pcie/host_memory.h"

#include <cstring>

namespace tessera::pcie {

HostMemory::HostMemory(sc_core::sc_module_name name) : sc_module(name), port("port") {
  port.register_b_transport(this, &HostMemory::b_transport);
  port.register_transport_dbg(this, &HostMemory::transport_dbg);
  port.register_get_direct_mem_ptr(this, &HostMemory::get_direct_mem_ptr);
}

void HostMemory::map(std::span<std::byte> window) {
  if (!window_.empty()) port->invalidate_direct_mem_ptr(0, window_.size() - 1);
  window_ = window;
}

void HostMemory::access(tlm::tlm_generic_payload& transaction) {
  const uint64_t address = transaction.get_address();
  const uint64_t bytes = transaction.get_data_length();
  if (transaction.get_byte_enable_ptr() != nullptr) {
    transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (transaction.get_streaming_width() < bytes) {
    transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else if (address % 4 != 0 || bytes > window_.size() || address > window_.size() - bytes) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else if (transaction.is_read()) {
    std::memcpy(transaction.get_data_ptr(), window_.data() + address, bytes);
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  } else if (transaction.is_write()) {
    std::memcpy(window_.data() + address, transaction.get_data_ptr(), bytes);
    transaction.set_response_status(tlm::TLM_OK_RESPONSE);
  } else {
    transaction.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  }
}

void HostMemory::b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) { access(transaction); }

unsigned HostMemory::transport_dbg(tlm::tlm_generic_payload& transaction) {
  access(transaction);
  return transaction.is_response_ok() ? transaction.get_data_length() : 0;
}

bool HostMemory::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_start_address(0);
  if (window_.empty()) {
    dmi.set_end_address(0);
    dmi.allow_none();
    return false;
  }
  dmi.set_end_address(window_.size() - 1);
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(window_.data()));
  dmi.allow_read_write();
  return true;
}

}  // namespace tessera::pcie
