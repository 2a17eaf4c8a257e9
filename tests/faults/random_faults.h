// Faults drawn at random for the victim program.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "rtl/spec/machine.h"
#include "systemc/inspect/fault_list.h"

namespace tessera::test {

// Of all registers and CSRs of tile 1 that can be flipped, each once.
std::vector<chip::Flip> every_register(const spec::Machine&);

// One fault of the site somewhere in a run of the victim: memory mostly where the program keeps something.
inspect::Fault random_fault(const spec::Machine&, chip::FlipSite, std::mt19937_64&);

// Of all sites in turn.
std::vector<inspect::Fault> random_faults(const spec::Machine&, uint64_t seed, unsigned count);

}  // namespace tessera::test
