// Faults drawn at random for a run of the victim program.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "inspect/faults/fault_list.h"
#include "rtl/spec/machine.h"
#include "sim/port/chip.h"

namespace tessera::test {

inline constexpr std::array kFaultSites{chip::FlipSite::kMemory,  chip::FlipSite::kInteger,  chip::FlipSite::kFloat,
                                        chip::FlipSite::kCsr,     chip::FlipSite::kReceived, chip::FlipSite::kPacketOut,
                                        chip::FlipSite::kPacketIn};

// When the victim runs and when words pass the ports of its tiles, of a run without faults.
struct VictimRun {
  using Passing = std::vector<std::pair<unsigned, uint64_t>>;  // tile, cycle
  uint64_t started = 0, ended = 0;
  Passing received, packet_out, packet_in;
  // Instructions that wrote an integer or a float register, and CSR instructions.
  std::vector<std::pair<unsigned, chip::Retire>> integer, floats, csr;
};
VictimRun observe_victim(const spec::Machine&);

// Of all registers and CSRs of tile 1 that can be flipped, each once.
std::vector<chip::Flip> every_register(const spec::Machine&);

// One bit at the site, mostly where and when the program keeps something there; words are of those that pass.
inspect::Fault random_fault(const spec::Machine&, const VictimRun&, chip::FlipSite, std::mt19937_64&);

}  // namespace tessera::test
