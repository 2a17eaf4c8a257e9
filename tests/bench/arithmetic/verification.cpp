// The figures of the arithmetic's proofs (proof.h). Tests and what they mean: docs/developer/verification.md.
#include "tests/bench/proof.h"

namespace {

const std::vector<Proof> kProofs = {
    {"special/special_accuracy_test",
     {{"special-f16-error", R"(f16 .*worst ([0-9.]+) ulp)", Fold::kMost, "ulp, every input", Goal::kAtMost, 1},
      {"special-f32-error", R"(f32 .*worst ([0-9.]+) ulp)", Fold::kMost, "ulp", Goal::kAtMost, 2},
      {"special-f32-inputs", R"(f32 \S+ +([0-9]+) operands)", Fold::kLeast, "inputs a function", Goal::kAtLeast, 1e7}}},
    {"special/special_rtl_test",
     {{"special-rtl-comparisons", R"(([0-9]+) comparisons)", Fold::kSum, "RTL against model, all equal", Goal::kAtLeast,
       1e6}}},
    {"amp/amp_test",
     {{"amp-rtl-cases", R"(([0-9]+) cases)", Fold::kLeast, "cases an instruction, RTL and model", Goal::kAtLeast, 1e6},
      {"amp-rtl-differences", R"(([0-9]+) differences)", Fold::kSum, "differences", Goal::kAtMost, 0}}},
    {"arithmetic/arithmetic_amp_model_test",
     {{"amp-model-cases", R"(([0-9]+) cases)", Fold::kLeast, "cases a kind, model", Goal::kAtLeast, 1e6},
      {"amp-model-differences", R"(([0-9]+) differences)", Fold::kSum, "differences", Goal::kAtMost, 0}}},
    {"arithmetic/arithmetic_convert_test",
     {{"convert-cases", R"(([0-9]+) cases by chance)", Fold::kLeast, "cases by chance", Goal::kAtLeast, 1e6},
      {"convert-all-cases", R"(([0-9]+) cases that are all)", Fold::kSum, "of f16 and f8, with every scale and mode",
       Goal::kAtLeast, 212992},
      {"convert-differences", R"(([0-9]+) differences)", Fold::kSum, "differences", Goal::kAtMost, 0}}},
    {"vector/vector_test",
     {{"packed-comparisons", R"(([0-9]+) comparisons)", Fold::kSum, "RTL, model and reference, all equal",
       Goal::kAtLeast, 1e6}}},
    {"vector/vector_f16_test",
     {{"packed-f16-comparisons", R"(([0-9]+) comparisons)", Fold::kSum, "every f16 of unary operations, all equal",
       Goal::kAtLeast, 65536}}},
    {"arithmetic/arithmetic_statistics_test",
     {{"random-likelihood", R"(p = ([0-9.]+))", Fold::kLeast, "least p of chi-square and Kolmogorov-Smirnov",
       Goal::kAtLeast, 0.001},
      {"stochastic-rounding-bias", R"(stochastic rounding: mean error -?([0-9.]+) standard errors)", Fold::kMost,
       "standard errors", Goal::kAtMost, 4},
      {"stochastic-matrix-bias", R"(matrix steps: mean error -?([0-9.]+) standard errors)", Fold::kMost,
       "standard errors", Goal::kAtMost, 4}}},
    {"arithmetic/arithmetic_prng_test", {}},
    {"mutations",
     {{"injected-bugs", R"(([0-9]+) mutations, )", Fold::kMost, "each found by the bench of its unit", Goal::kAtLeast,
       30}},
     "python3 '" SOURCE_FOLDER "/tests/methods/mutation/mutate.py' '" BUILD_FOLDER "' '" BUILD_FOLDER
     "/tests/methods/mutation/bench' --table '" SOURCE_FOLDER "/tests/methods/mutation/arithmetic.toml'"},
    {"coverage",
     {{"coverage-lines", R"(rtl/[a-z]+: ([0-9.]+) % of lines)", Fold::kLeast, "% of rtl/tile and of rtl/float",
       Goal::kAtLeast, 98},
      {"coverage-functional", R"(functional points: ([0-9.]+) %)", Fold::kLeast, "% of the points that can be reached",
       Goal::kAtLeast, 100}},
     "'" SOURCE_FOLDER "/run' --no-install coverage"},
};

}  // namespace

int main() { return print_proofs(kProofs) ? 0 : 1; }
