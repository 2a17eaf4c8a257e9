// What shows that links lose nothing and never stand still (proof.h): docs/reference/link.md, systems.md.
#include "tests/bench/proof.h"

namespace {

const std::vector<Proof> kProofs = {
    {"spec/spec_test",
     {{"systems-without-circle", R"(([0-9]+) systems without a circle)", Fold::kSum,
       "every named system, all grids and tori to 40 chips, random ones", Goal::kAtLeast, 500}}},
    {"link/link_chips",
     {{"packet-programs", R"(([0-9]+) random packet programs)", Fold::kSum, "on mk2-4x4, RTL and model", Goal::kAtLeast,
       10000},
      {"packet-program-differences", R"(([0-9]+) different)", Fold::kSum, "in cycles or memory", Goal::kAtMost, 0}}},
    {"link/link_torus_traffic",
     {{"torus-packets", R"(([0-9]+) random packets on)", Fold::kSum, "from all blocks to all tiles of mk2-16x16",
       Goal::kAtLeast, 1e6},
      {"torus-packets-wrong", R"(([0-9]+) wrong)", Fold::kSum, "lost, doubled, out of place or order", Goal::kAtMost,
       0},
      {"torus-throughput", R"(([0-9.]+) of the bisection bound)", Fold::kLeast, "of the bisection bound",
       Goal::kAtLeast, 0.8}}},
    {"link layer",
     {{"link-faults", R"(([0-9]+) faults)", Fold::kSum, "flips, lost and doubled flits, lanes down: nothing lost",
       Goal::kAtLeast, 100000}},
     "'" BUILD_FOLDER "/tb/link/link_layer'"},
    {"link faults in runs",
     {{"run-faults", R"(([0-9]+) faults of links in)", Fold::kSum, "in runs of mk2-4x4", Goal::kAtLeast, 100000},
      {"run-faults-different", R"(([0-9]+) with other results)", Fold::kSum, "runs with other results", Goal::kAtMost,
       0},
      {"run-faults-later", R"(([0-9]+) cycles later)", Fold::kSum, "cycles that sending again took", Goal::kAtLeast,
       1}},
     "'" BUILD_FOLDER "/tests/machine/system_link_faults'"},
    {"paces",
     {{"paces", R"(([0-9]+) runs of other paces)", Fold::kSum,
       "quanta 1 to the latency, 1, 2, 4 threads, 20 seeds of delays, with and without faults", Goal::kAtLeast, 720},
      {"paces-different", R"(other paces, ([0-9]+) different)", Fold::kSum, "in results, cycles or traces",
       Goal::kAtMost, 0}},
     "'" BUILD_FOLDER "/tests/machine/system_pace'"},
    {"digits on replicas",
     {{"replicas-loss", R"(worst difference of an epoch's loss: ([0-9.e+-]+))", Fold::kMost,
       "relative, four replicas against one chip, three epochs on mk2-16x4, RTL equal to model", Goal::kAtMost, 1e-6}},
     "'" SOURCE_FOLDER "/tests/programs/digits_replicas/digits_replicas_test.py' '" BUILD_FOLDER
     "/tests/programs/digits_replicas/digits_replicas' mk2-16 3 1440"},
    {"pipeline", {}, "'" BUILD_FOLDER "/tests/programs/pipeline/pipeline_of_chips'"},
    {"speed",
     {{"four-chips-rtl-speed", R"(mk2-16x4 on rtl: .*, ([0-9.]+) of one chip's)", Fold::kMost,
       "of the tile-cycles a second of one chip", Goal::kAtLeast, 0.85}},
     "'" BUILD_FOLDER "/tests/machine/system_of_chips' '[.speed]'"},
};

}  // namespace

int main() { return print_proofs(kProofs) ? 0 : 1; }
