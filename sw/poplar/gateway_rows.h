// The rows of remote buffers in the memory of gateways, as the host reads and writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/image/executable.h"
#include "sw/card/card.h"
#include "sw/card/remote_memory.h"

namespace tessera::runtime {

class GatewayRows {
 public:
  explicit GatewayRows(const image::Executable& executable) : executable_(executable) {}

  // Whether the executable has its remote buffers there.
  bool any() const;

  // The program has been loaded on the card by `owner`. What is there stays if nobody has taken the card since this
  // program was loaded before, else all is zero; then comes what was written before the first load.
  void loaded(const std::shared_ptr<card::Card>& card, uint64_t owner);

  // A row of a replica. Before the first load it is kept here. Throw poplar_error naming `function` for a row or buffer
  // that there is not, and once another program is on the device.
  void write(uint32_t replica, const std::string& handle, uint64_t row, const void* from, const char* function);
  void read(uint32_t replica, const std::string& handle, uint64_t row, void* to, const char* function);

  // What a tile that sends the refused request (control.md) has come to; "": that is no such request.
  std::string refused(card::Client& client, const chip::Refusal& refusal) const;

 private:
  const image::RemoteBuffer& checked(const std::string& handle, uint64_t row, const char* function) const;
  card::RemoteMemory& memory(uint32_t replica, const char* function);
  uint64_t address_of(const image::RemoteBuffer& buffer, uint32_t replica, uint64_t row) const;
  uint32_t chip_of_gateway(uint32_t replica) const;  // one of the replica, whose own gateway has its buffers

  const image::Executable& executable_;
  std::shared_ptr<card::Card> card_;
  uint64_t owner_ = 0;
  int process_ = 0;
  std::vector<card::RemoteMemory> memories_;                               // by replica; none before the first load
  std::map<std::pair<uint32_t, uint64_t>, std::vector<std::byte>> early_;  // by replica and address
};

// Where the buffer of a replica begins: for each of its chips, or, if all see it alike, once.
std::span<const uint64_t> bases_of(const image::RemoteBuffer& buffer, uint32_t replicas, uint32_t replica);

// "remote buffer 'state' has no row 7; it has 4"
std::string no_row_text(const std::string& handle, uint64_t row, uint64_t rows);

}  // namespace tessera::runtime
