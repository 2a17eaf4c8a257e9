// The program that faults are injected into: small, but every tile does in each superstep what programs do. It reads
// words from the host, has six workers compute on them in integers and floats, sends what they computed to its
// neighbour, and writes a sum of what it received to the host.
#pragma once

#include "chip_programs.h"

namespace tessera::test {

constexpr unsigned kVictimSupersteps = 4;

ChipProgram victim_program(const spec::Machine&);

// Addresses of the words in which the program keeps something, code among them.
std::vector<uint32_t> victim_words(const spec::Machine&);
uint64_t victim_loading(const spec::Machine&);  // cycles until all tiles have been started

// Host memory as the program expects it.
void fill(HostMemory& host, const spec::Machine&);

}  // namespace tessera::test
