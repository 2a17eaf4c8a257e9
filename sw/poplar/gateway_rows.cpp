#include "sw/poplar/gateway_rows.h"

#include <algorithm>
#include <cstring>
#include <poplar/exceptions.hpp>

#include "compiler/passes/control/emit_remote.h"
#include "rtl/spec/remote_address.h"
#include "sw/poplar/card_errors.h"

namespace tessera::runtime {

std::span<const uint64_t> bases_of(const image::RemoteBuffer& buffer, uint32_t replicas, uint32_t replica) {
  const size_t each = buffer.base.size() / replicas;
  return std::span(buffer.base).subspan(replica * each, each);
}

std::string no_row_text(const std::string& handle, uint64_t row, uint64_t rows) {
  return "remote buffer '" + handle + "' has no row " + std::to_string(row) + "; it has " + std::to_string(rows);
}

bool GatewayRows::any() const {
  const auto& buffers = executable_.remote_buffers;
  return !buffers.empty() && !buffers.front().base.empty();
}

// It sees them at the lowest address.
uint32_t GatewayRows::chip_of_gateway(uint32_t replica) const {
  const auto bases = bases_of(executable_.remote_buffers.front(), executable_.replicas, replica);
  return static_cast<uint32_t>(std::ranges::min_element(bases) - bases.begin());
}

void GatewayRows::loaded(const std::shared_ptr<card::Card>& card, uint64_t owner) {
  if (!any()) return;
  with_poplar_errors([&] {
    const int process = card->pid();
    const bool stays = card_ == card && process_ == process && owner_ + 1 == owner;
    card_ = card;
    process_ = process;
    owner_ = owner;
    if (stays) return;
    memories_.clear();
    card->use_as(owner, "loading a program", [&](card::Client& client) {
      const auto chips = static_cast<uint32_t>(executable_.chips.size());
      for (uint32_t replica = 0; replica < executable_.replicas; ++replica) {
        const uint32_t chip = replica * chips + chip_of_gateway(replica);
        client.choose(chip);
        auto memory = client.remote_memory();
        if (!memory)
          throw poplar::poplar_error("chip " + std::to_string(chip) +
                                     " of the device has no gateway, in whose memory the program has remote buffers");
        memories_.push_back(std::move(*memory));
      }
      client.choose(0);
    });
    for (card::RemoteMemory& memory : memories_) memory.clear();
    for (const auto& [at, bytes] : early_) memories_[at.first].write(at.second, bytes);
    early_.clear();
  });
}

const image::RemoteBuffer& GatewayRows::checked(const std::string& handle, uint64_t row, const char* function) const {
  const auto& buffers = executable_.remote_buffers;
  const auto found = std::ranges::find(buffers, handle, &image::RemoteBuffer::handle);
  if (found == buffers.end()) throw poplar::poplar_error("there is no remote buffer '" + handle + "'");
  if (row >= found->rows)
    throw poplar::poplar_error(std::string(function) + ": " + no_row_text(handle, row, found->rows));
  return *found;
}

uint64_t GatewayRows::address_of(const image::RemoteBuffer& buffer, uint32_t replica, uint64_t row) const {
  return std::ranges::min(bases_of(buffer, executable_.replicas, replica)) + row * buffer.stride;
}

card::RemoteMemory& GatewayRows::memory(uint32_t replica, const char* function) {
  card_->use_as(owner_, function, [](card::Client&) {});
  return memories_[replica];
}

void GatewayRows::write(uint32_t replica, const std::string& handle, uint64_t row, const void* from,
                        const char* function) {
  const image::RemoteBuffer& buffer = checked(handle, row, function);
  const uint64_t address = address_of(buffer, replica, row);
  const std::span bytes(static_cast<const std::byte*>(from), buffer.row_bytes);
  if (memories_.empty()) {
    early_[{replica, address}].assign(bytes.begin(), bytes.end());
    return;
  }
  with_poplar_errors([&] { memory(replica, function).write(address, bytes); });
}

void GatewayRows::read(uint32_t replica, const std::string& handle, uint64_t row, void* to, const char* function) {
  const image::RemoteBuffer& buffer = checked(handle, row, function);
  const uint64_t address = address_of(buffer, replica, row);
  const std::span bytes(static_cast<std::byte*>(to), buffer.row_bytes);
  if (memories_.empty()) {
    const auto kept = early_.find({replica, address});
    if (kept == early_.end())
      std::memset(to, 0, bytes.size());
    else
      std::ranges::copy(kept->second, bytes.begin());
    return;
  }
  with_poplar_errors([&] { memory(replica, function).read(address, bytes); });
}

std::string GatewayRows::refused(card::Client& client, const chip::Refusal& refusal) const {
  const auto& buffers = executable_.remote_buffers;
  const uint64_t number = ((uint64_t{1} << spec::kRemoteAddressBits) - refusal.address) / 4 - 1;
  if (!refusal.remote || number >= buffers.size()) return "";
  const image::RemoteBuffer& buffer = buffers[number];
  client.halt(refusal.tile);  // its run is over in any case
  return no_row_text(buffer.handle,
                     client.debug_read(refusal.tile, chip::DebugSpace::kInteger, 0, compiler::kRefusedRow),
                     buffer.rows);
}

}  // namespace tessera::runtime
