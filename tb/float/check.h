// What the benches of this folder share: how many cases, which seed, and the comparison that ends a bad test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/model/float/fpu.h"
#include "tb/float/operands.h"

namespace tessera::tb {

// Cases per operation, format and rounding mode: TESSERA_FLOAT_CASES, or 200,000, or ten times that in the nightly
// tier.
uint64_t cases_per_group();

// TESSERA_SEED, or a fixed number; printed on the first call.
uint64_t test_seed();

const std::vector<model::RoundingMode>& rounding_modes();
const std::vector<model::FpFormat>& formats();

const char* name_of(model::FpOp op);
const char* name_of(model::FpFormat fmt);
const char* name_of(model::RoundingMode rm);

// Counts comparisons, keeps the text of the first few mismatches.
class Comparison {
 public:
  void check(const Case& c, const char* who, model::FpResult got, model::FpResult want) {
    ++compared_;
    if (got.value != want.value || got.flags != want.flags) [[unlikely]]
      note(c, who, got, want);
  }
  uint64_t compared() const { return compared_; }
  uint64_t mismatches() const { return mismatches_; }
  const std::string& text() const { return text_; }

 private:
  void note(const Case& c, const char* who, model::FpResult got, model::FpResult want);

  uint64_t compared_ = 0;
  uint64_t mismatches_ = 0;
  std::string text_;
};

}  // namespace tessera::tb
