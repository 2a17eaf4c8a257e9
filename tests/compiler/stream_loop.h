// A loop as training has it: each turn takes three streams (images, labels, a rate) and gives two (a loss, classes).
#pragma once

#include <cstdint>

#include "compiler/passes/optimisations.h"
#include "rtl/spec/machine.h"

namespace tessera::test {

struct StreamLoop {
  static constexpr unsigned kTurns = 20, kIn = 3, kOut = 2;

  struct Taken {
    std::uint64_t host_syncs = 0, cycles = 0, host_cycles = 0;  // of a run, its end among them
  };
  // Runs it on model tiles. Throws std::runtime_error if a transfer brings something else than it should.
  static Taken run(const spec::Machine& machine, const compiler::Optimisations& optimise);
};

}  // namespace tessera::test
