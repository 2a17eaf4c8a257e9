// Small programs for whole chips: one tile program each, and how to start them. Used for model, RTL and the flat top.
#pragma once

#include <map>
#include <vector>

#include "rtl/spec/machine.h"
#include "sim/port/chip.h"
#include "tile_program.h"

namespace tessera::test {

using ChipProgram = std::vector<TileProgram>;  // by tile

// Of Places(), mk2's.
constexpr uint32_t kSent = 0x80000, kReceived = 0x84000, kResult = 0x88000;
constexpr unsigned kWords = 24;
uint32_t sent_word(unsigned tile, unsigned i);

// Every tile sends kWords words, rotated: tile t receives those of tile t + shift; then copies the sum to its result
// and waits for the host. Workers compute sent words + worker number before.
ChipProgram ring_program(const spec::Machine&, unsigned shift);
// Tile `source` sends, all tiles receive.
ChipProgram multicast_program(const spec::Machine&, unsigned source);
// Every tile writes `words` words to host memory at 0x1000 * (tile + 1), then reads them back to kReceived.
ChipProgram host_memory_program(const spec::Machine&, unsigned words);
// The same with remote memory at kRemote + 0x1000 * (tile + 1).
constexpr uint64_t kRemote = 0x5a'7fff'e000;
ChipProgram remote_memory_program(const spec::Machine&, unsigned words);
// Tiles with odd numbers as in the latter, the others as in the former.
ChipProgram mixed_memory_program(const spec::Machine&, unsigned words);
// Words 0 and 1 of a packet to remote memory.
std::vector<uint32_t> remote_packet(uint32_t kind, unsigned words, unsigned tile, uint64_t address);
// Supersteps with data-dependent consensus: tile t contributes 0 after t + 1 turns; all stop together.
ChipProgram consensus_program(const spec::Machine&);

// Loads word by word through the debug port of a Chip or a FlatChip, then starts all supervisors in one cycle.
template <class AnyChip>
void load_and_start(AnyChip& chip, const ChipProgram& program) {
  for (unsigned t = 0; t < program.size(); ++t)
    for (const auto& [address, word] : program[t].image())
      chip.debug_write(t, chip::DebugSpace::kMemory, 0, address, word);
  chip.debug_write(chip::kNoTile, chip::DebugSpace::kControl, 0, 0, program[0].places().code);
}

// Host memory with the timing of the machine's numbers, and remote memory with that of a gateway.
class HostMemory : public chip::HostBus {
 public:
  explicit HostMemory(const spec::Machine& machine) : machine_(machine), words_(1 << 17) {}
  void write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override;
  uint64_t read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) override;
  uint32_t word(uint32_t address) const { return words_.at(address / 4); }
  void set_word(uint32_t address, uint32_t value) { words_.at(address / 4) = value; }
  const std::vector<uint64_t>& cycles() const { return cycles_; }  // of all calls

  uint64_t remote_latency = 150, remote_bytes_per_cycle = 3;
  bool remote_reaches(uint64_t, uint64_t, size_t, bool) override { return true; }
  void remote_write(uint64_t cycle, unsigned, uint64_t address, std::span<const uint32_t> words) override;
  uint64_t remote_read(uint64_t cycle, unsigned, uint64_t address, std::span<uint32_t> words) override;
  uint32_t remote_word(uint64_t address) const;

 private:
  spec::Machine machine_;
  std::vector<uint32_t> words_;
  std::vector<uint64_t> cycles_;
  std::map<uint64_t, uint32_t> remote_;  // what was written, by address
  std::map<uint64_t, uint64_t>
      remote_answers_;  // by the cycle of the read; of a chip that goes back only what was before
};

}  // namespace tessera::test
