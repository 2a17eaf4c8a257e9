// What shows that the fabric's RTL is right (proof.h). Tests and what they mean: docs/developer/verification.md.
#include "tests/bench/proof.h"

namespace {

#define MUTATE                                                                                     \
  "python3 '" SOURCE_FOLDER "/tests/methods/mutation/mutate.py' '" BUILD_FOLDER "' '" BUILD_FOLDER \
  "/tests/methods/mutation/bench_fabric' --table '" SOURCE_FOLDER "/tests/methods/mutation/"

// Programs that take minutes to build are built here, as the nightly tier does it.
#define BUILT(target, folder) \
  "'" CMAKE "' --build '" BUILD_FOLDER "' --target " target " && '" BUILD_FOLDER "/tb/" folder "/" target "'"

const std::vector<Proof> kProofs = {
    {"exchange/exchange_mk2",
     {{"latency-pairs-mk2", R"(([0-9]+) of [0-9]+ pairs equal)", Fold::kMost, "pairs whose latency is the formula's",
       Goal::kAtLeast, 2166784},
      {"schedules-mk2", R"(([0-9]+) schedules of 1472 tiles)", Fold::kMost,
       "random, in each cycle the words of the engine", Goal::kAtLeast, 20},
      {"schedules-mk2-differences", R"(([0-9]+) differences)", Fold::kSum, "words", Goal::kAtMost, 0}},
     BUILT("exchange_mk2", "exchange")},
    {"chip/flat_random_16",
     {{"flat-random-16", R"(([0-9]+) random programs of 16 tiles)", Fold::kSum,
       "random programs, equal ports on the flat chip and instances with either fabric", Goal::kAtLeast, 12}},
     BUILT("flat_random_16", "chip")},
    {"random/rtl_debug_random_test",
     {{"debugged-runs", R"(([0-9]+) debugged runs)", Fold::kMost, "RTL and model equal, whatever a debugger does",
       Goal::kAtLeast, 2000},
      {"debugged-differences", R"(([0-9]+) differences)", Fold::kSum, "of them", Goal::kAtMost, 0}}},
    {"edge/host_port_mk2-4",
     {{"host-clock-ratios", R"(([0-9]+) ratios and phases)", Fold::kMost,
       "of the host port's two clocks, all accesses right", Goal::kAtLeast, 200}}},
    {"chip/flat_host_clock",
     {{"host-clock-sessions", R"(([0-9]+) sessions)", Fold::kMost, "boot and debug sessions, equal at any clock",
       Goal::kAtLeast, 200}}},
    {"chip/fabric_promises",
     {{"broken-promises", R"(([0-9]+) promises broken)", Fold::kMost, "of tiles and host, each told by its assertion",
       Goal::kAtLeast, 15}}},
    {"mutations",
     {{"fabric-bugs", R"(([0-9]+) mutations, )", Fold::kMost, "each found by the bench of its unit", Goal::kAtLeast,
       60}},
     MUTATE "fabric.toml' --table '" SOURCE_FOLDER "/tests/methods/mutation/debug.toml'"},
    {"assertions",
     {{"tripped-assertions", R"(([0-9]+) mutations, )", Fold::kMost, "each tripped by its own bug", Goal::kAtLeast,
       40}},
     MUTATE "assertions.toml'"},
    {"netlists",
     {{"netlist-modules", R"(([0-9]+) modules compared)", Fold::kMost, "netlist against source, no difference",
       Goal::kAtLeast, 60}},
     "python3 '" SOURCE_FOLDER "/tests/methods/netlist/compare.py' '" SOURCE_FOLDER "' '" BUILD_FOLDER
     "' '" BUILD_FOLDER "/tests/methods/netlist/bench'"},
    {"sizes",
     {{"fabric-flops-mk2-64", R"(\ntotal +(?:[0-9]+ +){5}([0-9]+))", Fold::kMost, "flip-flops", Goal::kAtMost, 150000},
      {"fabric-gates-mk2-64", R"(\ntotal +(?:[0-9]+ +){4}([0-9]+))", Fold::kMost, "two-input gates", Goal::kAtMost,
       1000000},
      {"longest-path-mk2-64", R"([a-z_]+ ([0-9]+)(?:,|\n))", Fold::kMost, "levels of mapped gates", Goal::kAtMost, 80}},
     "python3 '" SOURCE_FOLDER "/tests/methods/synthesis/fabric.py' '" SOURCE_FOLDER "' '" BUILD_FOLDER
     "' '" BUILD_FOLDER "/tests/methods/synthesis/work'"},
};

}  // namespace

int main() { return print_proofs(kProofs) ? 0 : 1; }
