// A fault: bits that turn over, in what a tile holds or in a word on its way (docs/reference/faults.md).
#pragma once

#include <cstdint>

namespace tessera::spec {
struct Machine;
}

namespace tessera::chip {

enum class FlipSite : uint8_t {
  kMemory,     // address: 4-aligned byte address
  kInteger,    // address: number of the register
  kFloat,      // the same; 64 bits; workers only
  kCsr,        // address: number of the CSR
  kReceived,   // the next word on the tile's exchange input
  kPacketOut,  // the next word of a packet that the tile sends
  kPacketIn,   // the next word of a packet that comes in to the tile
};

enum class FlipSide : uint8_t { kBoth, kFirst, kSecond };  // of two chips in lockstep; a chip alone has kBoth only

struct Flip {
  FlipSite site = FlipSite::kMemory;
  unsigned tile = 0;
  unsigned context = 0;  // of registers and CSRs: 0 supervisor, 1..6 workers
  uint32_t address = 0;
  uint64_t mask = 0;  // the bits; kFloat: 64, kCsr: kept_bits(), else 32
  bool lost = false;  // kReceived: the word's valid bit turns over instead, as if nobody had sent it
  FlipSide side = FlipSide::kBoth;
};

// In what a tile holds: acts at once. Else on a word: acts when it comes.
constexpr bool is_state(FlipSite site) { return site <= FlipSite::kCsr; }

// Throws std::out_of_range when a tile of the machine has no such place, or the place no such bits.
void check_flip(const spec::Machine&, const Flip&);

// The bits that a CSR of the context keeps for instructions to read. 0: none, as of counters, of what is wired, and of
// numbers that are another name for a CSR.
uint32_t kept_bits(uint16_t csr, unsigned context);

}  // namespace tessera::chip
