// What shows that the tile is what its page says after every change of its stages (proof.h): docs/reference/tile.md.
#include "tests/bench/proof.h"

namespace {

const std::vector<Proof> kProofs = {
    {"random/rtl_random_test",
     {{"tile-instructions", R"(programs, ([0-9]+) instructions retired)", Fold::kSum,
       "random ones in lockstep, RTL and model", Goal::kAtLeast, 20e6},
      {"tile-mismatches", R"(([0-9]+) mismatches)", Fold::kSum, "in records, ports, places, memory", Goal::kAtMost, 0},
      {"tile-parity-exceptions", R"(([0-9]+) segments ended by parity)", Fold::kSum,
       "of random programs, in their cycles", Goal::kAtLeast, 1000}}},
    {"random/rtl_debug_random_test",
     {{"tile-debugged-differences", R"(([0-9]+) differences)", Fold::kSum, "while a debugger does anything at any time",
       Goal::kAtMost, 0}}},
    {"random/rtl_reset_test",
     {{"tile-resets", R"(([0-9]+) resets of programs)", Fold::kSum,
       "in a random cycle, after a random power-up, then a program", Goal::kAtLeast, 500},
      {"tile-reset-mismatches", R"(([0-9]+) mismatches)", Fold::kSum, "with the model that begins anew", Goal::kAtMost,
       0}}},
};

}  // namespace

int main() { return print_proofs(kProofs) ? 0 : 1; }
