#include "tb/float/check.h"

#include <cstdio>
#include <cstdlib>

#include "tb/tier.h"

namespace tessera::tb {

using model::FpFormat;
using model::FpOp;
using model::FpResult;
using model::RoundingMode;

namespace {

uint64_t number_from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : std::strtoull(text, nullptr, 0);
}

}  // namespace

uint64_t cases_per_group() { return number_from_environment("TESSERA_FLOAT_CASES", test::in_tier(200000, 2000000)); }

uint64_t test_seed() {
  static const uint64_t seed = [] {
    const uint64_t s = number_from_environment("TESSERA_SEED", 20);
    std::printf("seed TESSERA_SEED=%llu, %llu cases per operation, format and rounding mode\n",
                static_cast<unsigned long long>(s), static_cast<unsigned long long>(cases_per_group()));
    return s;
  }();
  return seed;
}

const std::vector<RoundingMode>& rounding_modes() {
  static const std::vector<RoundingMode> modes = {
#define FP_ROUNDING(name, code) RoundingMode::name,
#include "rtl/float/fp_ops.def"
  };
  return modes;
}

const std::vector<FpFormat>& formats() {
  static const std::vector<FpFormat> all = {
#define FP_FORMAT(name, code) FpFormat::name,
#include "rtl/float/fp_ops.def"
  };
  return all;
}

const char* name_of(FpOp op) {
  switch (op) {
#define FP_OP(name, code) \
  case FpOp::name:        \
    return #name;
#include "rtl/float/fp_ops.def"
  }
  return "?";
}

const char* name_of(FpFormat fmt) { return fmt == FpFormat::F16 ? "f16" : "f32"; }

const char* name_of(RoundingMode rm) {
  switch (rm) {
#define FP_ROUNDING(name, code) \
  case RoundingMode::name:      \
    return #name;
#include "rtl/float/fp_ops.def"
  }
  return "?";
}

void Comparison::note(const Case& c, const char* who, FpResult got, FpResult want) {
  if (++mismatches_ > 5) return;
  char line[200];
  std::snprintf(line, sizeof line, "%s %s %s a=%08x b=%08x c=%08x: %s %08x flags %02x, reference %08x flags %02x\n",
                name_of(c.op), name_of(c.fmt), name_of(c.rm), c.a, c.b, c.c, who, got.value, got.flags, want.value,
                want.flags);
  text_ += line;
}

}  // namespace tessera::tb
