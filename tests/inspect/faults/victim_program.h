// The program that faults are injected into: small, but every tile does in each superstep what programs do. It reads
// words from the host, has six workers compute on them in integers and floats, sends what they computed to its
// neighbour, and writes a sum of what it received to the host.
#pragma once

#include <stdexcept>

#include "tb/chip/chip_programs.h"

namespace tessera::test {

constexpr unsigned kVictimSupersteps = 4;
constexpr uint64_t kHostBytes = 0x10000;

ChipProgram victim_program(const spec::Machine&);

// Addresses of the words in which the program keeps something, code among them.
std::vector<uint32_t> victim_words(const spec::Machine&);
// Address of the first such instruction; 0: there is none.
uint32_t victim_instruction(const spec::Machine&, spec::Opcode, int32_t immediate);
uint64_t victim_loading(const spec::Machine&);  // cycles until all tiles have been started

// The victim's host: what it reads, and room for what it writes. Whatever reaches elsewhere ends the run at once.
struct HostRefuses : std::runtime_error {
  using std::runtime_error::runtime_error;
};
class VictimHost : public HostMemory {
 public:
  explicit VictimHost(const spec::Machine&);
  void write(uint64_t cycle, uint32_t address, std::span<const uint32_t> words) override;
  uint64_t read(uint64_t cycle, uint32_t address, std::span<uint32_t> words) override;
};

}  // namespace tessera::test
