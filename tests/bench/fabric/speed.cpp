// What it costs on one thread that the fabric of a run is RTL: the demo's training on mk2-16 with it and with the
// engine's, in turn, tile-cycles a second of the best epoch of each, in turns until neither gets better, in copies of
// the machine's program (program_copy.h); and whether the two are the same run.
#include <cstdlib>

#include "tests/bench/figure.h"
#include "tests/bench/program_copy.h"
#include "tests/bench/training.h"
#include "tests/bench/turns.h"

int main() {
  setenv("TESSERA_QUIET", "1", 1);
  setenv("TESSERA_MACHINE", "mk2-16", 1);
  setenv("TESSERA_BACKEND", "rtl", 1);
  setenv("TESSERA_THREADS", "1", 1);
  Best best[2];
  bool equal = true;
  turns_until_steady({&best[0], &best[1]}, [&] {
    uint64_t cycles[2], hashes[2];
    for (const int n : {0, 1}) {
      const ProgramCopy copy(RTL_MACHINE);
      setenv("TESSERA_MACHINE_BIN", copy.path().c_str(), 1);
      setenv("TESSERA_FABRIC", n == 0 ? "rtl" : "engine", 1);
      Training training;
      best[n].take(training.epoch());
      cycles[n] = training.counters().cycles;
      hashes[n] = training.hash();
    }
    equal &= cycles[0] == cycles[1] && hashes[0] == hashes[1];
  });
  bool ok =
      print_figure("fabric-speed", best[0].value() / best[1].value(), "of the speed with the engine's fabric",
                   Goal::kAtLeast, 0.8, {{"tile-cycles/s", best[0].value()}, {"with the engine's", best[1].value()}});
  ok &= print_figure("fabric-equal", equal, "memory hash and cycles of the demo's epoch", Goal::kAtLeast, 1, {});
  return ok ? 0 : 1;
}
