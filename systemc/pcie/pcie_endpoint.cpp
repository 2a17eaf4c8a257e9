#include "systemc/pcie/pcie_endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl/spec/machine.h"
#include "rtl/spec/registers.h"
#include "rtl/spec/words.h"

namespace tessera::pcie {
namespace {

constexpr uint64_t kReadCycles = 4;   // of a debug read (docs/reference/edge.md)
constexpr int kStackBytes = 8 << 20;  // the whole chip is evaluated on this thread's stack

bool valid(const spec::DebugSelect& target, unsigned tiles, bool write) {
  if (target.space > chip::DebugSpace::kVector) return false;
  if (target.context_id > 6 && target.space != chip::DebugSpace::kControl) return false;  // 7: all of them
  return target.tile < tiles || (write && target.tile == chip::kNoTile);
}

}  // namespace

PcieEndpoint::PcieEndpoint(sc_core::sc_module_name name, chip::Chip& chip, ChipClock& clock)
    : sc_module(name), chip_(chip), clock_(clock) {
  mmio.register_b_transport(this, &PcieEndpoint::serve);
  chip_.attach(this);
  SC_THREAD(run);
  set_stack_size(kStackBytes);
}

void PcieEndpoint::start(uint64_t limit, uint64_t budget) {
  let_go();
  limit_ = limit;
  budget_ = budget;
  go_.notify();
}

void PcieEndpoint::let_go() {
  if (running_) throw std::logic_error("the chip is running");
  running_ = true;
  error_ = nullptr;
}

chip::Stop PcieEndpoint::stop() const {
  if (error_) std::rethrow_exception(error_);
  return stop_;
}

void PcieEndpoint::reset() {
  if (running_) throw std::logic_error("the chip is running");
  if (chip_.cycle() != 0) chip_.reset();  // else it is as after power-up, and a chip with waves can stay
  clock_.restart();
  host_sync_ = excepted_ = refused_ = false;
  mark_ = debug_select_ = debug_address_ = 0;
  for (uint32_t& word : mailbox_) word = 0;
}

void PcieEndpoint::run() {
  for (;;) {
    wait(go_);
    try {
      rest(chip_.run(limit_, budget_));
    } catch (const sc_core::sc_unwind_exception&) {
      throw;  // the kernel ends this thread
    } catch (const std::exception&) {
      error_ = std::current_exception();
    }
    running_ = false;
    stopped.notify();
  }
}

void PcieEndpoint::rest(const chip::Stop& stop) {
  stop_ = stop;
  mark_ = 0;  // the chip has run on, so it has consumed the mark
  sc_core::wait(clock_.delay_until(stop_.cycle));
  host_sync_ = stop_.reason == chip::StopReason::kHostSync;
  excepted_ = !host_sync_ && exception_tile() != chip::kNoTile;  // an excepted tile reaches no sync
  if (host_sync_) {
    CycleTransaction notice(tlm::TLM_WRITE_COMMAND, 0, nullptr, 0, stop_.cycle);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    interrupt->b_transport(notice.payload(), delay);
    if (!notice.ok()) SC_REPORT_ERROR("/tessera/pcie/endpoint", "nobody took the host sync");
  }
  running_ = false;
}

unsigned PcieEndpoint::exception_tile() const {
  for (unsigned tile = 0; tile < chip_.machine().tiles(); ++tile)
    if (chip_.exception(tile).cause != 0) return tile;
  return chip::kNoTile;
}

void PcieEndpoint::serve(tlm::tlm_generic_payload& transaction, sc_core::sc_time&) {
  const uint64_t offset = transaction.get_address();
  const unsigned bytes = transaction.get_data_length();
  const bool burst =
      offset == spec::kRegDebugData && transaction.get_streaming_width() == 4 && bytes % 4 == 0 && bytes > 0;
  if (transaction.get_byte_enable_ptr() != nullptr) {
    transaction.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if (!burst && (bytes != 4 || transaction.get_streaming_width() < 4)) {
    transaction.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (offset % 4 != 0 || offset > spec::kRegExceptionTile) {
    transaction.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const CycleExtension* extension = transaction.get_extension<CycleExtension>();
  const uint64_t cycle = extension != nullptr ? extension->cycle : chip_.cycle();
  bool done = false;
  if (offset == spec::kRegDebugData) {
    done = debug_data(transaction);
  } else if (transaction.is_read()) {
    const uint32_t value = read_register(static_cast<uint32_t>(offset));
    std::memcpy(transaction.get_data_ptr(), &value, 4);
    done = true;
  } else if (transaction.is_write()) {
    uint32_t value;
    std::memcpy(&value, transaction.get_data_ptr(), 4);
    done = write_register(static_cast<uint32_t>(offset), value, cycle);
  }
  transaction.set_response_status(done ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
}

bool PcieEndpoint::debug_data(tlm::tlm_generic_payload& transaction) {
  const auto target = spec::DebugSelect::decode(debug_select_);
  const auto space = static_cast<chip::DebugSpace>(target.space);
  const bool write = transaction.is_write();
  if (running_ || !valid(target, chip_.machine().tiles(), write)) return false;
  std::vector<uint32_t> words(transaction.get_data_length() / 4);
  const bool memory = space == chip::DebugSpace::kMemory;
  if (write) {
    std::memcpy(words.data(), transaction.get_data_ptr(), words.size() * 4);
    if (memory) {
      for (size_t done = 0; done < words.size();) {
        const auto now = std::span(words).subspan(done, may_take(words.size() - done));
        chip_.load(target.tile, debug_address_ + 4 * static_cast<uint32_t>(done), now);
        refused_ |= chip_.access_refused();
        done += now.size();
      }
    } else {
      for (size_t i = 0; i < words.size(); ++i) {
        may_take(1);
        chip_.debug_write(target.tile, space, target.context_id, debug_address_ + static_cast<uint32_t>(i), words[i]);
        refused_ |= chip_.access_refused();
      }
      if (space == chip::DebugSpace::kControl && debug_address_ == spec::DebugControl::kStart) {
        host_sync_ = false;  // cancelled
        mark_ = 0;
      }
    }
  } else {
    for (size_t i = 0; i < words.size(); ++i) {
      if (may_take(kReadCycles) < kReadCycles) return false;
      words[i] = chip_.debug_read(target.tile, space, target.context_id,
                                  debug_address_ + static_cast<uint32_t>(i) * (memory ? 4 : 1));
      refused_ |= chip_.access_refused();
    }
    std::memcpy(transaction.get_data_ptr(), words.data(), words.size() * 4);
  }
  debug_address_ += static_cast<uint32_t>(words.size()) * (memory ? 4 : 1);
  return true;
}

uint32_t PcieEndpoint::read_register(uint32_t offset) {
  const auto fields = spec::machine_fields(chip_.machine());
  if (offset >= spec::kRegMachineFirst && offset < spec::kRegMachineFirst + 4 * fields.size())
    return fields[(offset - spec::kRegMachineFirst) / 4].second;
  if (offset >= spec::kRegMailbox0 && offset <= spec::kRegMailbox3) return mailbox_[(offset - spec::kRegMailbox0) / 4];
  switch (offset) {
    case spec::kRegIdentity:
      return spec::kIdentityMagic;
    case spec::kRegStatus:
      return spec::HostStatus{.running = running_,
                              .host_sync = host_sync_,
                              .exception = excepted_,
                              .refused = std::exchange(refused_, false)}
          .encode();
    case spec::kRegMark:
      return mark_;
    case spec::kRegCycleLo:
      return static_cast<uint32_t>(chip_.cycle());
    case spec::kRegCycleHi:
      return static_cast<uint32_t>(chip_.cycle() >> 32);
    case spec::kRegDebugSelect:
      return debug_select_;
    case spec::kRegDebugAddress:
      return debug_address_;
    case spec::kRegExceptionTile:
      return exception_tile();
    default:
      return 0;
  }
}

bool PcieEndpoint::write_register(uint32_t offset, uint32_t value, uint64_t cycle) {
  if (offset >= spec::kRegMailbox0 && offset <= spec::kRegMailbox3) {
    mailbox_[(offset - spec::kRegMailbox0) / 4] = value;
    return true;
  }
  switch (offset) {
    case spec::kRegMark:
      if (running_ || !host_sync_ || mark_ != 0 || value == 0 || value > 0xffff) return false;
      // Debug accesses since the notice took chip time: a mark never arrives in the chip's past.
      chip_.mark(std::max(cycle, neighbours_ != nullptr ? neighbours_->latest() : chip_.cycle()),
                 static_cast<uint16_t>(value));
      mark_ = value;
      host_sync_ = false;
      return true;
    case spec::kRegDebugSelect:
      debug_select_ = spec::DebugSelect::decode(value).encode();  // reserved bits read 0
      return true;
    case spec::kRegDebugAddress:
      debug_address_ = value;
      return true;
    default:
      return false;
  }
}

// A look without effect. Memory that knows no such look is taken to reach everywhere.
bool PcieEndpoint::reached(Memory memory, uint64_t cycle, uint64_t address, size_t count) {
  bool there = false;
  act([&] {
    std::vector<uint32_t> words(count);
    CycleTransaction transaction(tlm::TLM_READ_COMMAND, address, words.data(), static_cast<unsigned>(count * 4), cycle);
    memory.socket.transport_dbg(transaction.payload());
    there = transaction.payload().get_response_status() != tlm::TLM_ADDRESS_ERROR_RESPONSE;
  });
  return there;
}

uint64_t PcieEndpoint::transfer(Memory memory, tlm::tlm_command command, uint64_t cycle, uint64_t address,
                                uint32_t* words, size_t count, unsigned tile) {
  uint64_t answer = 0;
  act([&] {
    CycleTransaction transaction(command, address, words, static_cast<unsigned>(count * 4), cycle, tile);
    sc_core::sc_time delay = clock_.delay_until(cycle);
    memory.socket.b_transport(transaction.payload(), delay);
    answer = transaction.cycle();
    if (transaction.ok() && answer >= cycle) return;
    const bool reads = command == tlm::TLM_READ_COMMAND;
    throw std::runtime_error(fmt::format(
        "the chip {} {} words at {} address {:#x} in cycle {}: {} memory answers {}", reads ? "reads" : "writes", count,
        memory.name, address, cycle, memory.name,
        transaction.ok() ? fmt::format("in cycle {}", answer) : transaction.payload().get_response_string()));
  });
  return answer;
}

bool PcieEndpoint::reaches(uint64_t cycle, uint32_t host_address, size_t words, bool) {
  return reached(of_host(), cycle, host_address, words);
}

void PcieEndpoint::write(uint64_t cycle, uint32_t host_address, std::span<const uint32_t> words) {
  transfer(of_host(), tlm::TLM_WRITE_COMMAND, cycle, host_address, const_cast<uint32_t*>(words.data()), words.size());
}

uint64_t PcieEndpoint::read(uint64_t cycle, uint32_t host_address, std::span<uint32_t> words) {
  return transfer(of_host(), tlm::TLM_READ_COMMAND, cycle, host_address, words.data(), words.size());
}

bool PcieEndpoint::remote_reaches(uint64_t cycle, uint64_t address, size_t words, bool) {
  return remote.size() > 0 && reached(of_gateway(), cycle, address, words);
}

void PcieEndpoint::remote_write(uint64_t cycle, unsigned tile, uint64_t address, std::span<const uint32_t> words) {
  transfer(of_gateway(), tlm::TLM_WRITE_COMMAND, cycle, address, const_cast<uint32_t*>(words.data()), words.size(),
           tile);
}

uint64_t PcieEndpoint::remote_read(uint64_t cycle, unsigned tile, uint64_t address, std::span<uint32_t> words) {
  return transfer(of_gateway(), tlm::TLM_READ_COMMAND, cycle, address, words.data(), words.size(), tile);
}

}  // namespace tessera::pcie
