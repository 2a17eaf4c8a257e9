// The byte address in a packet to remote memory: 40 bits, of whole words (docs/reference/edge.md, Packets).
#pragma once

#include <cstdint>

#include "rtl/spec/words.h"

namespace tessera::spec {

constexpr unsigned kRemoteAddressBits = 40;
// The last MiB reaches no memory: control programs tell by such addresses what is wrong (docs/reference/control.md).
constexpr uint64_t kRemoteMemoryEnd = (uint64_t{1} << kRemoteAddressBits) - (uint64_t{1} << 20);

// header: word 0 of the packet.
constexpr uint64_t remote_address(const PacketHeader& header, uint32_t word1) {
  return uint64_t{header.chip} << 34 | uint64_t{word1} << 2;
}
// What of an address is in word 0, and in word 1.
constexpr uint32_t remote_address_chip(uint64_t address) { return static_cast<uint32_t>(address >> 34); }
constexpr uint32_t remote_address_word(uint64_t address) { return static_cast<uint32_t>(address >> 2); }

}  // namespace tessera::spec
