// The special functions of the model against MPFR: distance in units of the last place, results that are prescribed,
// and flags. The bounds are those of docs/reference/special.md.
#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

#include "tb/float/check.h"
#include "tb/special/special_operands.h"
#include "tb/special/special_reference.h"

namespace tessera::tb {
namespace {

using model::FpResult;
using model::SpecialFunction;

constexpr SpecialFunction kFunctions[] = {
    SpecialFunction::Exp,        SpecialFunction::Exp2, SpecialFunction::Ln,
    SpecialFunction::Log2,       SpecialFunction::Tanh, SpecialFunction::Sigmoid,
    SpecialFunction::Reciprocal, SpecialFunction::Sqrt, SpecialFunction::ReciprocalSqrt};

double bound_f32(SpecialFunction function) {
  switch (function) {
    case SpecialFunction::Tanh:
    case SpecialFunction::ReciprocalSqrt:
      return 0.62;
    case SpecialFunction::Sigmoid:
      return 0.65;
    default:
      return 0.58;
  }
}
constexpr double kBoundF16 = 0.51;

// The worst distance, and the first few results that are wrong.
class Verdict {
 public:
  Verdict(SpecialFunction function, bool f16, double bound) : function_(function), f16_(f16), bound_(bound) {}

  void check(SpecialReference& reference, uint32_t x) {
    const FpResult got = model::special_lane(function_, f16_, x);
    const Judgement want = reference.judge(function_, f16_, x, got.value);
    ++compared_;
    if (want.ulps > worst_) {
      worst_ = want.ulps;
      worst_at_ = x;
    }
    if (!(want.ulps <= bound_) || got.flags != want.flags) note(x, got, want);
  }

  void finish() const {
    std::printf("%s %-5s %llu operands, worst %.4f ulp at %08x\n", f16_ ? "f16" : "f32", name_of(function_),
                static_cast<unsigned long long>(compared_), worst_, worst_at_);
    INFO(text_);
    REQUIRE(wrong_ == 0);
    // Rounding alone costs about half a unit: less would mean that nothing was measured.
    REQUIRE(worst_ > 0.49);
  }

 private:
  void note(uint32_t x, FpResult got, const Judgement& want) {
    if (++wrong_ > 5) return;
    char line[160];
    std::snprintf(line, sizeof line, "%s(%08x) = %08x flags %02x: %g ulp, flags should be %02x\n", name_of(function_),
                  x, got.value, got.flags, want.ulps, want.flags);
    text_ += line;
  }

  SpecialFunction function_;
  bool f16_;
  double bound_;
  uint64_t compared_ = 0, wrong_ = 0;
  double worst_ = 0;
  uint32_t worst_at_ = 0;
  std::string text_;
};

TEST_CASE("every f16 operand of every special function is within 0.51 ulp") {
  SpecialReference reference;
  for (const SpecialFunction function : kFunctions) {
    Verdict verdict(function, true, kBoundF16);
    for (uint32_t x = 0; x < 65536; ++x) verdict.check(reference, x);
    verdict.finish();
  }
}

TEST_CASE("f32 operands of every special function are within the stated bound") {
  SpecialReference reference;
  const uint64_t count = special_cases(300000, 10000000);
  for (const SpecialFunction function : kFunctions) {
    if (function == SpecialFunction::Sqrt) continue;  // f16 only
    Verdict verdict(function, false, bound_f32(function));
    SpecialOperands operands(test_seed() * 31 + static_cast<uint64_t>(function));
    for (uint64_t i = 0; i < count; ++i) verdict.check(reference, operands.next());
    verdict.finish();
  }
}

TEST_CASE("a result that is two units off is found") {
  SpecialReference reference;
  const uint32_t x = 0x3f000000u;
  const uint32_t right = model::special_lane(SpecialFunction::Tanh, false, x).value;
  REQUIRE(reference.judge(SpecialFunction::Tanh, false, x, right).ulps < 0.62);
  REQUIRE(reference.judge(SpecialFunction::Tanh, false, x, right + 2).ulps > 1.4);
  REQUIRE(reference.judge(SpecialFunction::Tanh, false, x, 0x7fc00000u).ulps > 1e9);
}

}  // namespace
}  // namespace tessera::tb
